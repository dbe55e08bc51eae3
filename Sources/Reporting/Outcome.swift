import FleetEngine

/// What follows from an answer, or from none.
extension Reporter {
    mutating func answered(_ id: UInt64, _ result: TransportResult) -> [ReporterEffect] {
        guard let request = inFlight, request.id == id else { return checkAnswered(id, result) }
        inFlight = nil
        if request.isAbandoned { return [] }
        if let setting = request.stopSetting { return stopsAnswered(request, setting, result) }
        switch result {
        case .answer(let status, let body, _) where (200..<300).contains(status):
            return succeeded(request, status, VehicleResponse(body: body))
        case .answer(let status, let body, let retryAfter):
            return refused(request, status, ErrorResponse(httpStatus: status, body: body), retryAfter)
        case .failed(let timedOut, let message):
            backOff.failed(request.sentAt, interval: Int64(pace.interval))
            let failure = failed(request, timedOut ? .deadlineExceeded : .unavailable, httpStatus: 0, message, again: false)
            return [.failed(failure)] + failBacklog(request, httpStatus: 0)
        case .untrusted(let message):
            backOff.failed(request.sentAt, interval: Int64(pace.interval))
            var failure = failed(request, .unavailable, httpStatus: 0, message, again: false)
            failure.meaning = .configuration
            return [.failed(failure)] + failBacklog(request, httpStatus: 0)
        }
    }

    /// There is no token for what was to be sent.
    mutating func tokenFailed(_ failure: TokenFailure) -> [ReporterEffect] {
        guard tokens.text(at: now) == nil, nextSend <= now else { return [] }
        isChangeNew = false
        isResendDue = false
        backOff.failed(now, interval: Int64(pace.interval))
        stopReport.sent()
        stopReport.failed(now, interval: pace.interval)
        if !isTracking, !settings.insistsOnOffline { state.giveUp() }
        let willRetry = isTracking || stopReport.isDue || state.isDue
        return [.failed(FailedUpdate(code: .unauthenticated, httpStatus: 0, message: failure.message, willRetry: willRetry, mask: ""))]
    }

    private mutating func succeeded(_ request: InFlight, _ status: Int, _ response: VehicleResponse) -> [ReporterEffect] {
        backOff.reset()
        hasTriedFreshToken = false
        state.confirm(request)
        told.confirmed(request)
        let eta = vehicle.service == .onDemand ? response.etaToFirstWaypoint : nil
        let update = SucceededUpdate(httpStatus: status, update: request.update, mask: request.mask, serverETA: eta)
        return [.succeeded(update)] + find() + restoreInterval() + compare(request, with: response) + confirmBacklog(request)
    }

    private mutating func refused(_ request: InFlight, _ status: Int, _ error: ErrorResponse, _ retryAfter: Int?) -> [ReporterEffect] {
        let (wait, stretching) = obey(status, error, retryAfter)
        let again = reactAtOnce(to: status, request)
        var failure = failed(request, error.code, httpStatus: status, error.message, again: again)
        failure.describe(error, wait)
        let missing = failure.meaning == .gone ? miss() : []
        return [.failed(failure)] + stretching + missing + failBacklog(request, httpStatus: status)
    }

    /// Waits as long as the server has asked, and updates less often when it has had too many.
    mutating func obey(_ status: Int, _ error: ErrorResponse, _ retryAfter: Int?) -> (wait: Int?, stretching: [ReporterEffect]) {
        let wait = retryAfter ?? error.retryDelay
        if let wait { backOff.asked(now, seconds: wait) }
        return (wait, status == 429 ? stretchInterval() : [])
    }

    /// Does something about the cause; true when the update is to be sent again at once, otherwise it waits.
    private mutating func reactAtOnce(to status: Int, _ request: InFlight) -> Bool {
        if status == 401 || status == 403 { tokens.drop() }
        switch status {
        case 401 where !hasTriedFreshToken:
            hasTriedFreshToken = true
            return true
        case 400 where request.batch != nil, 413 where request.batch != nil: return true
        case 400 where request.update.segment != nil:
            told.refused = request.leg
            return true
        case 403, 404: backOff.misconfigured(request.sentAt)
        default: backOff.failed(request.sentAt, interval: Int64(pace.interval))
        }
        return false
    }

    private mutating func failed(
        _ request: InFlight, _ code: CanonicalCode, httpStatus: Int, _ message: String, again: Bool
    ) -> FailedUpdate {
        if request.update.location != nil { fixes.lost() }
        let carriesLatestState = request.carriesState && request.stateSetting == state.setting
        let insists = settings.insistsOnOffline && ![400, 403, 404].contains(httpStatus)
        let willRetry = isTracking || (again || insists) && carriesLatestState && state.isDue
        isResendDue = again
        if !willRetry, carriesLatestState { state.giveUp() }
        return FailedUpdate(code: code, httpStatus: httpStatus, message: message, willRetry: willRetry, mask: request.mask)
    }
}
