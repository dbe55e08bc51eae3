import FleetEngine
import Reporting
import XCTest

@testable import Runtime

final class TokenQuestionsTests: XCTestCase {
    private let questions = TokenQuestions()
    private let answer = Result<FetchedToken, TokenFailure>.success(FetchedToken(token: "t", goodFor: nil))

    private func session() throws -> ReporterSession {
        var configuration = Configuration(service: .onDemand, userAgent: "test")
        configuration.provider = "p"
        configuration.vehicle = "v"
        configuration.tokens = .fixed("t")
        return try ReporterSession(configuration)
    }

    func testAQuestionIsAnsweredOnce() throws {
        let number = questions.ask(for: try session(), id: 1)
        XCTAssertTrue(questions.answer(number, answer))
        XCTAssertFalse(questions.answer(number, answer))
    }

    func testNumbersAreNeverZeroNorUsedTwice() throws {
        let session = try session()
        let numbers = (1...100).map { questions.ask(for: session, id: $0) }
        XCTAssertEqual(Set(numbers).count, 100)
        XCTAssertFalse(numbers.contains(0))
        XCTAssertFalse(questions.answer(0, answer))
    }

    func testALaterQuestionOfTheSameReporterClosesTheEarlier() throws {
        let session = try session()
        let first = questions.ask(for: session, id: 1)
        let second = questions.ask(for: session, id: 2)
        XCTAssertFalse(questions.answer(first, answer))
        XCTAssertTrue(questions.answer(second, answer))
    }

    func testReportersDoNotTouchEachOthersQuestions() throws {
        let one = try session()
        let other = try session()
        let first = questions.ask(for: one, id: 1)
        let second = questions.ask(for: other, id: 1)
        XCTAssertEqual(questions.close(one), [1])
        XCTAssertFalse(questions.answer(first, answer))
        XCTAssertTrue(questions.answer(second, answer))
    }

    func testClosingGivesTheReportersOwnIDsOnce() throws {
        let session = try session()
        _ = questions.ask(for: session, id: 77)
        XCTAssertEqual(questions.close(session), [77])
        XCTAssertEqual(questions.close(session), [])
    }

    func testOfManyAnswersAtOnceExactlyOneCounts() throws {
        let questions = questions
        let answer = answer
        let number = questions.ask(for: try session(), id: 1)
        let taken = Guarded(0)
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            if questions.answer(number, answer) { taken.with { $0 += 1 } }
        }
        XCTAssertEqual(taken.with { $0 }, 1)
    }

    func testAQuestionLetsGoOfItsReporterOnceAnsweredOrClosed() throws {
        weak var gone: ReporterSession?
        for closes in [false, true] {
            do {
                let session = try session()
                gone = session
                let number = questions.ask(for: session, id: 1)
                if closes { _ = questions.close(session) } else { _ = questions.answer(number, answer) }
            }
            XCTAssertNil(gone)
        }
    }
}
