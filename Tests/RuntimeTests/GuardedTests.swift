import XCTest

@testable import Runtime

final class GuardedTests: XCTestCase {
    func testChangesFromManyThreadsAreNotLost() {
        let count = Guarded(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1000 { count.with { $0 += 1 } }
        }
        XCTAssertEqual(count.with { $0 }, 8000)
    }

    func testAnErrorPassesThroughAndReleasesTheLock() {
        struct Failure: Error {}
        let value = Guarded(1)
        XCTAssertThrowsError(try value.with { (_: inout Int) throws(Failure) -> Void in throw Failure() })
        XCTAssertEqual(value.with { $0 }, 1)
    }

    func testWaitReturnsAtOnceWhenItIsSoAlready() {
        XCTAssertTrue(Guarded(5).wait(atMost: 0) { $0 == 5 })
        XCTAssertTrue(Guarded(5).wait(atMost: nil) { $0 == 5 })
    }

    func testWaitEndsWithItsTime() {
        XCTAssertFalse(Guarded(5).wait(atMost: 0) { $0 == 6 })
        XCTAssertFalse(Guarded(5).wait(atMost: -1) { $0 == 6 })
        XCTAssertFalse(Guarded(5).wait(atMost: 5_000_000) { $0 == 6 })
    }

    func testAChangeEndsAWaitOnAnotherThread() {
        let value = Guarded(0)
        let ended = expectation(description: "the wait ends")
        Thread.detachNewThread {
            if value.wait(atMost: nil, until: { $0 == 3 }) { ended.fulfill() }
        }
        for _ in 0..<3 { value.change { $0 += 1 } }
        wait(for: [ended], timeout: 30)
    }
}
