/// Fleet Engine's resources.
extension Emulator {
    func fleetEngine(_ request: Request) -> Outcome {
        let now = now
        let target = ResourceRequest.Target(request)
        let checked = check(request, target, now: now)
        return answer(request, isUpdate: target?.verb == .update, at: now) { state, exchange in
            do throws(APIError) {
                if let limit = state.limits.bodyBytes, request.bodySize > limit { return .tooLarge }
                if target != nil { try state.quota.take(request.resource, state.limits, now: now) }
                var checked = try checked.get()
                try checked.check(state.limits)
                exchange.remarks = checked.spoilLocation(exchange.fault?.action)
                let (body, remarks) = try state.fleet.perform(checked, now: now)
                exchange.remarks += remarks
                return .json(checked.answer(body))
            } catch {
                exchange.error = error.message
                return .error(error)
            }
        }
    }

    /// Everything that can be said without the vehicle, in the order in which Google looks: path, token, permission, arguments.
    private func check(_ request: Request, _ target: ResourceRequest.Target?, now: Int64) -> Result<ResourceRequest, APIError> {
        do throws(APIError) {
            guard let target else { throw .noMethod }
            let (key, skew) = state.withLock { ($0.key, $0.tokenSkew) }
            let claims = try key.verify(try Tokens.bearer(request.authorization))
            try Tokens.check(claims, now: now + skew)
            guard target.provider == options.provider else {
                throw Tokens.denied("The token's service account has no role in provider \(target.provider).")
            }
            let resource = ResourceKey(kind: target.kind, id: target.id)
            let account = try Tokens.account(claims, for: resource, provider: options.provider)
            guard account.may(target.verb, target.kind) else {
                throw Tokens.denied("The role of \(account.rawValue) does not permit to \(target.verb) \(target.kind.collection).")
            }
            let checked = try ResourceRequest(target, request)
            if case .update(_, let mask) = checked.action, let field = mask.paths.compactMap({ $0.first }).first(where: account.isDenied) {
                throw Tokens.denied("The role of \(account.rawValue) does not permit to update \(field).")
            }
            return .success(checked)
        } catch {
            return .failure(error)
        }
    }
}

extension Reply {
    /// What a front end says, which is not Fleet Engine.
    fileprivate static let tooLarge = Reply(
        status: 413, contentType: "text/html; charset=UTF-8", body: "<html><title>Error 413 (Request Entity Too Large)</title></html>\n")
}

extension APIError {
    /// Google's words for a path, or a method on a path, that an API does not have.
    static let noMethod = APIError(.notFound, "Method not found.")
}
