import Reporting

/// The questions for a token that hosts have not answered yet, over all sessions of the process. Answers may come from any thread, late, twice or
/// never, also after the session is gone.
public final class TokenQuestions: Sendable {
    public static let shared = TokenQuestions()

    private struct Open {
        let number: UInt64
        let session: Session
        let id: UInt64
    }

    private struct State {
        var open: [Open] = []
        var last: UInt64 = 0
    }

    private let state = Guarded(State())

    /// Gives the number of a new question; an earlier one of the same session is closed.
    func ask(for session: Session, id: UInt64) -> UInt64 {
        state.with { state in
            state.open.removeAll { $0.session === session }
            state.last &+= 1
            state.open.append(Open(number: state.last, session: session, id: id))
            return state.last
        }
    }

    /// Closes whatever a session has asked, and gives the session's own ids of it.
    func close(_ session: Session) -> [UInt64] {
        state.with { state in
            let ids = state.open.filter { $0.session === session }.map { $0.id }
            state.open.removeAll { $0.session === session }
            return ids
        }
    }

    /// False when there is no such question any more.
    public func answer(_ number: UInt64, _ result: Result<FetchedToken, TokenFailure>) -> Bool {
        let question = state.with { state -> Open? in
            guard let index = state.open.firstIndex(where: { $0.number == number }) else { return nil }
            return state.open.remove(at: index)
        }
        guard let question else { return false }
        question.session.answered(token: question.id, result)
        return true
    }
}
