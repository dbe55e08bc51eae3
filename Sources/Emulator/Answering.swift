extension Emulator {
    /// Unix milliseconds by the clock that POST /control/clock moves.
    var now: Int64 { clock.unix() + state.withLock { $0.clockOffset } }

    /// Carries a request out, or does what the next fault that concerns it says, and writes it into the history.
    func answer(
        _ request: Request, isUpdate: Bool = false, at now: Int64, obey: (inout State, inout Exchange) -> Reply
    ) -> Outcome {
        var exchange = Exchange(request, receivedAt: now, monotonic: clock.monotonic())
        return state.withLock { state in
            exchange.fault = state.faults.take(for: request, isUpdate: isUpdate)
            var outcome = Outcome(reply: nil)
            switch exchange.fault?.action {
            case .refuse(let refusal): outcome.reply = refusal.reply
            case .drop(obeys: false): break
            case .drop(obeys: true): _ = obey(&state, &exchange)
            case .garbage:
                _ = obey(&state, &exchange)
                outcome.reply = Reply(status: 200, body: Fault.garbageBody)
            case .truncate(let bytes):
                outcome.reply = obey(&state, &exchange)
                outcome.reply?.truncatedTo = bytes
            case .discardLocation, .moveLocation, nil: outcome.reply = obey(&state, &exchange)
            }
            exchange.status = outcome.reply?.status ?? 0
            switch exchange.fault?.wait {
            case .milliseconds(let milliseconds): outcome.hold = Outcome.Hold(milliseconds: milliseconds, gate: state.gate)
            case .released:
                outcome.hold = Outcome.Hold(milliseconds: nil, gate: state.gate)
                exchange.status = 0
            case nil: break
            }
            record(exchange, answer: outcome.reply, in: &state)
            return outcome
        }
    }
}
