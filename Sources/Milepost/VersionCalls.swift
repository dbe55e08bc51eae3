public import CMilepost
import CSystem

@_cdecl("milepost_version") @implementation
public func milepost_version() -> UnsafePointer<CChar>? { version }

/// The header's text as a C string, made once and kept for good.
private nonisolated(unsafe) let version: UnsafePointer<CChar> = {
    let bytes = Array(MILEPOST_VERSION.utf8CString)
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    copy.initialize(from: bytes, count: bytes.count)
    return UnsafePointer(copy)
}()

@_cdecl("milepost_last_error") @implementation
public func milepost_last_error() -> UnsafePointer<CChar>? { mp_last_error() }

@_cdecl("milepost_status_string") @implementation
public func milepost_status_string(_ status: milepost_status) -> UnsafePointer<CChar>? {
    switch Int(status) {
    case MILEPOST_OK: constant("ok")
    case MILEPOST_ERROR_ARGUMENT: constant("argument")
    case MILEPOST_ERROR_STATE: constant("state")
    case MILEPOST_ERROR_TRACKING_OFF: constant("tracking off")
    case MILEPOST_ERROR_FILE: constant("file")
    case MILEPOST_ERROR_ROUTE: constant("route")
    case MILEPOST_ERROR_FIX: constant("fix")
    case MILEPOST_ERROR_NOT_FOUND: constant("not found")
    case MILEPOST_ERROR_TIMEOUT: constant("timeout")
    case MILEPOST_ERROR_IN_CALLBACK: constant("in callback")
    case MILEPOST_ERROR_SYSTEM: constant("system")
    case MILEPOST_ERROR_LIBRARY: constant("library")
    case MILEPOST_ERROR_UNCONFIRMED: constant("unconfirmed")
    case MILEPOST_ERROR_SAVED: constant("saved")
    default: constant("unknown status")
    }
}

/// A string literal lies in the library's read-only data, NUL-terminated, for as long as the library is loaded.
private func constant(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
