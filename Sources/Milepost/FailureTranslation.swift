import CMilepost
import FleetEngine
import Reporting

/// Hands a failed update over as C sees it; its strings are valid inside `body`.
func withFailure(_ failure: FailedUpdate, _ body: (UnsafePointer<milepost_failure>) -> Void) {
    var c = milepost_failure()
    c.size = UInt32(MemoryLayout<milepost_failure>.size)
    c.code = failure.code.rawValue
    c.http_status = Int32(clamping: failure.httpStatus)
    c.will_retry = failure.willRetry ? 1 : 0
    c.meaning = failure.meaning.rawValue
    c.retry_after_s = failure.retryAfter.map { Int32(clamping: $0) } ?? -1
    oneLine(failure.message, limit: 1000).withCString { message in
        failure.mask.withCString { mask in
            failure.reason.withCString { reason in
                failure.details.withCString { details in
                    c.message = message
                    c.update_mask = mask
                    c.reason = reason
                    c.details = details
                    body(&c)
                }
            }
        }
    }
}
