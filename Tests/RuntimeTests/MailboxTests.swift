import XCTest

@testable import Runtime

final class MailboxTests: XCTestCase {
    func testWorkIsTakenOnceInOrder() throws {
        let mailbox = try Mailbox()
        let done = Guarded<[Int]>([])
        for number in 1...3 { mailbox.post { done.with { $0.append(number) } } }
        for item in mailbox.take() { item() }
        XCTAssertEqual(done.with { $0 }, [1, 2, 3])
        XCTAssertTrue(mailbox.take().isEmpty)
    }

    /// What a resolver's thread posts after the reporter has gone must not keep the reporter's parts.
    func testClosedItLetsGoOfWhatWaitsAndOfWhatComes() throws {
        final class Part: Sendable {}
        let mailbox = try Mailbox()
        weak var waiting: Part?
        weak var late: Part?
        do {
            let part = Part()
            waiting = part
            mailbox.post { _ = part }
        }
        XCTAssertNotNil(waiting)
        mailbox.close()
        XCTAssertNil(waiting)
        do {
            let part = Part()
            late = part
            mailbox.post { _ = part }
        }
        XCTAssertNil(late)
        XCTAssertTrue(mailbox.take().isEmpty)
    }
}
