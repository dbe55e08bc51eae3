import Navigation
import XCTest

@testable import Runtime

/// Notes who was called, in order.
private final class Calls: @unchecked Sendable {
    private let lock = NSLock()
    private var names: [String] = []

    func note(_ name: String) { lock.withLock { names.append(name) } }
    var all: [String] { lock.withLock { names } }

    func listener(_ name: String, then more: @escaping () -> Void = {}) -> Listener {
        var listener = Listener()
        listener.positionState = { _, _ in
            self.note(name)
            more()
        }
        return listener
    }
}

final class ListenersTests: XCTestCase {
    private let listeners = Listeners<Listener>()
    private let calls = Calls()

    private func tellAll() { listeners.each { $0.positionState?(.fix, "") } }

    func testEachIsCalledOnceInTheOrderOfAdding() {
        for name in ["a", "b", "c"] { _ = listeners.add(calls.listener(name)) }
        tellAll()
        XCTAssertEqual(calls.all, ["a", "b", "c"])
    }

    func testNumbersAreNeverZeroNorUsedTwice() {
        let first = listeners.add(Listener())
        XCTAssertTrue(listeners.remove(first))
        let second = listeners.add(Listener())
        XCTAssertNotEqual(first, 0)
        XCTAssertNotEqual(first, second)
        XCTAssertFalse(listeners.remove(first))
        XCTAssertFalse(listeners.remove(0))
    }

    func testOneThatRemovesItselfIsCalledOnce() {
        var id: UInt64 = 0
        let listeners = listeners
        id = listeners.add(calls.listener("once") { XCTAssertTrue(listeners.remove(id)) })
        _ = listeners.add(calls.listener("always"))
        tellAll()
        tellAll()
        XCTAssertEqual(calls.all, ["once", "always", "always"])
    }

    func testOneRemovedByAnotherEarlierInTheRoundIsNotCalled() {
        var victim: UInt64 = 0
        let listeners = listeners
        _ = listeners.add(calls.listener("remover") { _ = listeners.remove(victim) })
        victim = listeners.add(calls.listener("victim"))
        tellAll()
        XCTAssertEqual(calls.all, ["remover"])
    }

    func testOneAddedInsideACallIsCalledFromTheNextRoundOn() {
        let listeners = listeners
        let calls = calls
        var isAdded = false
        _ = listeners.add(
            calls.listener("adder") {
                if !isAdded { _ = listeners.add(calls.listener("added")) }
                isAdded = true
            })
        tellAll()
        XCTAssertEqual(calls.all, ["adder"])
        tellAll()
        XCTAssertEqual(calls.all, ["adder", "adder", "added"])
    }

    func testRemoveOnAnotherThreadWaitsForTheCallUnderWay() {
        let listeners = listeners
        let calls = calls
        let inside = DispatchSemaphore(value: 0)
        let mayLeave = DispatchSemaphore(value: 0)
        let id = listeners.add(
            calls.listener("slow") {
                inside.signal()
                mayLeave.wait()
                calls.note("left")
            })
        let removed = expectation(description: "remove returns")
        Thread.detachNewThread { listeners.each { $0.positionState?(.fix, "") } }
        inside.wait()
        Thread.detachNewThread {
            XCTAssertTrue(listeners.remove(id))
            calls.note("removed")
            removed.fulfill()
        }
        mayLeave.signal()
        wait(for: [removed], timeout: 30)
        XCTAssertEqual(calls.all, ["slow", "left", "removed"])
    }

    func testMutedNobodyIsCalledUntilUnmuted() {
        _ = listeners.add(calls.listener("a"))
        listeners.mute(true)
        tellAll()
        XCTAssertEqual(calls.all, [])
        listeners.mute(false)
        tellAll()
        XCTAssertEqual(calls.all, ["a"])
    }

    func testMutingInsideACallEndsTheRound() {
        let listeners = listeners
        _ = listeners.add(calls.listener("a") { listeners.mute(true) })
        _ = listeners.add(calls.listener("b"))
        tellAll()
        XCTAssertEqual(calls.all, ["a"])
    }
}
