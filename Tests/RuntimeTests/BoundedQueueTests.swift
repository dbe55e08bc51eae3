import XCTest

@testable import Runtime

final class BoundedQueueTests: XCTestCase {
    func testItGivesWhatWasPutInInOrderOnce() {
        var queue = BoundedQueue<Int>(capacity: 3)
        XCTAssertTrue(queue.isEmpty)
        queue.append(1)
        queue.append(2)
        XCTAssertFalse(queue.isEmpty)
        XCTAssertEqual(queue.takeAll(), [1, 2])
        XCTAssertTrue(queue.isEmpty)
        XCTAssertEqual(queue.takeAll(), [])
    }

    func testTheOldestMakesRoomForTheNewest() {
        var queue = BoundedQueue<Int>(capacity: 3)
        for number in 1...10 { queue.append(number) }
        XCTAssertEqual(queue.takeAll(), [8, 9, 10])
        queue.append(11)
        XCTAssertEqual(queue.takeAll(), [11])
    }
}
