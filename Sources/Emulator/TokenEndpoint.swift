/// GET /token/…: what a provider's backend does, which holds the service accounts' keys. No secret is asked for: it is for loopback only.
extension Emulator {
    func token(_ request: Request) -> Outcome {
        let now = now
        return answer(request, at: now) { state, exchange in
            do throws(APIError) {
                return .json(.object(try mint(request, with: state.key, now: now)))
            } catch {
                exchange.error = error.message
                return .error(error)
            }
        }
    }

    private func mint(_ request: Request, with key: SigningKey, now: Int64) throws(APIError) -> JSONObject {
        let parts = request.segments.dropFirst()
        guard request.method == "GET", let account = parts.first.flatMap(Account.init(rawValue:)),
            parts.count == (account == .admin ? 1 : 2)
        else { throw .noMethod }
        let id = parts.last ?? ""
        if account != .admin, id != "*", let problem = ResourceKey.problem(with: id) { throw .invalid("id", problem) }
        var authorization: JSONObject
        switch account {
        case .driver:
            authorization = ["vehicleid": .string(id)]
            if let trip = request.parameter("tripId") { authorization["tripid"] = .string(trip) }
        case .deliveryDriver, .untrustedDeliveryDriver:
            authorization = ["deliveryvehicleid": .string(id)]
            let tasks = request.query.filter { $0.name == "taskId" }.map { JSON.string($0.value) }
            if tasks.count == 1 { authorization["taskid"] = tasks[0] }
            if tasks.count > 1 { authorization["taskids"] = .array(tasks) }
        case .consumer: authorization = ["tripid": .string(id)]
        case .deliveryConsumer: authorization = ["trackingid": .string(id)]
        case .admin:
            authorization = [:]
            for kind in ResourceKind.allCases { authorization[kind.claim] = .string("*") }
        }
        let claims = Tokens.claims(
            account: account, authorization: authorization, provider: options.provider, life: options.tokenLife, now: now)
        guard let token = key.sign(claims), let expires = claims["exp"] else { throw APIError(.internalError, "Cannot sign a token.") }
        return ["token": .string(token), "expiresInSeconds": .integer(options.tokenLife), "expirationTimestamp": expires]
    }
}
