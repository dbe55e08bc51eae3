public import CMilepost
import FleetEngine
import Reporting
import Runtime

@_cdecl("milepost_config_set_token_callback") @implementation
public func milepost_config_set_token_callback(
    _ config: OpaquePointer?, _ function: milepost_token_function?, _ user: UnsafeMutableRawPointer?
) -> milepost_status {
    set(config) { configuration throws(HostError) in
        guard let function else { throw HostError(.argument, "function is NULL") }
        configuration.tokens = .callback { question, context in
            withContext(context) { function(user, question, $0) }
        }
    }
}

@_cdecl("milepost_token_complete") @implementation
public func milepost_token_complete(_ request: milepost_token_request, _ token: UnsafePointer<CChar>?, _ goodFor: Int64) -> milepost_status
{
    call { () throws(HostError) in
        guard goodFor >= 0 else { throw HostError(.argument, "good_for_s is \(goodFor): give seconds from now, 0 when unknown") }
        try answer(request, .success(FetchedToken(token: try bearer(token), goodFor: goodFor > 0 ? goodFor : nil)))
    }
}

@_cdecl("milepost_token_fail") @implementation
public func milepost_token_fail(_ request: milepost_token_request, _ message: UnsafePointer<CChar>?) -> milepost_status {
    call { () throws(HostError) in
        let isGiven = message.map { $0.pointee != 0 } ?? false
        try answer(request, .failure(TokenFailure(isGiven ? try text(message, "message") : "the host has no token")))
    }
}

@_cdecl("milepost_config_set_token") @implementation
public func milepost_config_set_token(_ config: OpaquePointer?, _ token: UnsafePointer<CChar>?) -> milepost_status {
    set(config) { configuration throws(HostError) in
        configuration.tokens = .fixed(try bearer(token))
    }
}

@_cdecl("milepost_config_set_token_file") @implementation
public func milepost_config_set_token_file(_ config: OpaquePointer?, _ path: UnsafePointer<CChar>?) -> milepost_status {
    set(config) { configuration throws(HostError) in configuration.tokens = .file(try text(path, "path")) }
}

@_cdecl("milepost_config_set_token_url") @implementation
public func milepost_config_set_token_url(
    _ config: OpaquePointer?, _ url: UnsafePointer<CChar>?, _ tokenKey: UnsafePointer<CChar>?, _ expiryKey: UnsafePointer<CChar>?,
    _ expiry: milepost_token_expiry
) -> milepost_status {
    set(config) { configuration throws(HostError) in
        let expiryKey = try optionalText(expiryKey, "expiry_key")
        let meaning =
            expiryKey == nil
            ? .secondsFromNow
            : try known(TokenServer.Expiry(rawValue: expiry), "expiry", expiry, "one of MILEPOST_TOKEN_EXPIRY_*")
        configuration.tokens = .server(
            TokenServer(
                url: try Endpoint(checking: text(url, "url"), allowsHTTP: configuration.allowsHTTP),
                tokenKey: try text(tokenKey, "token_key"), expiryKey: expiryKey,
                expiry: meaning))
    }
}

/// A token that can stand in a header.
private func bearer(_ token: UnsafePointer<CChar>?) throws(HostError) -> String {
    let token = try text(token, "token", limit: BearerToken.limit)
    do throws(BearerTokenError) { return try BearerToken(token).text } catch { throw HostError(.argument, error.reason) }
}

private func answer(_ request: milepost_token_request, _ result: Result<FetchedToken, TokenFailure>) throws(HostError) {
    guard TokenQuestions.shared.answer(request, result) else {
        throw HostError(.notFound, "token request \(request) was answered before, timed out, or its reporter is gone")
    }
}

private func withContext(_ context: TokenContext, _ body: (UnsafePointer<milepost_token_context>) -> Void) {
    var c = milepost_token_context()
    c.size = UInt32(MemoryLayout<milepost_token_context>.size)
    context.provider.withCString { provider in
        withCString(context.vehicle) { vehicle in
            withCString(context.task) { task in
                withCString(context.trip) { trip in
                    c.provider_id = provider
                    c.vehicle_id = vehicle
                    c.task_id = task
                    c.trip_id = trip
                    body(&c)
                }
            }
        }
    }
}

private func withCString(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Void) {
    guard let text else { return body(nil) }
    text.withCString { body($0) }
}
