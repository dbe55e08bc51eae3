/// The vehicle resources.
extension Emulator {
    func fleetEngine(_ request: Request) -> Outcome {
        var exchange = Exchange(request, clock)
        let target = VehicleRequest.Target(request)
        let checked = check(request, target, now: exchange.receivedAt)
        return state.withLock { state in
            let fault = target?.verb == .update && !state.faults.isEmpty ? state.faults.removeFirst() : nil
            let reply: Reply
            if case .answer(let status, let body, let retryAfter) = fault {
                reply = Reply(
                    status: status, retryAfter: retryAfter, body: body ?? Fault.error(status: status, retryAfter: retryAfter).text + "\n")
            } else {
                reply = perform(checked, &exchange, &state.fleet)
            }
            exchange.fault = fault
            exchange.status = reply.status
            var outcome = Outcome(reply: reply)
            switch fault {
            case .garbage:
                outcome.reply = Reply(status: 200, body: Fault.garbageBody)
                exchange.status = 200
            case .drop:
                outcome.reply = nil
                exchange.status = 0
            case .hang:
                outcome.hold = Outcome.Hold(milliseconds: nil, gate: state.gate)
                exchange.status = 0
            case .delay(let milliseconds): outcome.hold = Outcome.Hold(milliseconds: milliseconds, gate: state.gate)
            case .answer, nil: break
            }
            record(exchange, in: &state)
            return outcome
        }
    }

    /// Everything that can be said without the vehicle, in the order in which Google looks: path, token, permission, arguments.
    private func check(_ request: Request, _ target: VehicleRequest.Target?, now: Int64) -> Result<VehicleRequest, APIError> {
        do throws(APIError) {
            guard let target else { throw .noMethod }
            let key = state.withLock { $0.key }
            let claims = try key.verify(try Tokens.bearer(request.authorization))
            try Tokens.check(claims, now: now)
            guard target.provider == options.provider else {
                throw Tokens.denied("The token's service account has no role in provider \(target.provider).")
            }
            let vehicle = VehicleKey(service: target.service, id: target.id)
            let account = try Tokens.account(claims, for: vehicle, provider: options.provider)
            guard account == .admin || (account.mayUpdate(target.service) && [.get, .update].contains(target.verb)) else {
                throw Tokens.denied("The role of \(account.rawValue) does not permit to \(target.verb) \(target.service.collection).")
            }
            return .success(try VehicleRequest(target, request))
        } catch {
            return .failure(error)
        }
    }

    private func perform(_ checked: Result<VehicleRequest, APIError>, _ exchange: inout Exchange, _ fleet: inout Fleet) -> Reply {
        do throws(APIError) {
            let (body, remarks) = try fleet.perform(try checked.get(), now: exchange.receivedAt)
            exchange.remarks = remarks
            return .json(body)
        } catch {
            exchange.error = error.message
            return .error(error)
        }
    }
}

extension APIError {
    /// Google's words for a path, or a method on a path, that an API does not have.
    static let noMethod = APIError(.notFound, "Method not found.")
}
