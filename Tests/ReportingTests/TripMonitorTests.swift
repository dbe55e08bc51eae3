import FleetEngine
import Foundation
import XCTest

@testable import Reporting

/// The consumer's side on a fake clock.
final class TripMonitorTests: XCTestCase {
    private var monitor: TripMonitor!
    private var time = 0.0
    private var log: [String] = []
    private var requests: [(at: Double, request: OutgoingRequest)] = []
    private var questions: [TokenContext] = []
    private var failed: [FailedUpdate] = []
    private var server: (OutgoingRequest) -> TransportResult? = { _ in nil }
    private var provider: (UInt64) -> Result<FetchedToken, TokenFailure>? = { .success(FetchedToken(token: "token-\($0)", goodFor: nil)) }
    /// Milliseconds since 1970, of the server's clock at the start.
    private let epoch: Int64 = 1_769_860_800_000

    override func setUpWithError() throws {
        monitor = try TripMonitor(provider: "p", trip: "t", interval: 10)
        server = { [unowned self] _ in trip() }
    }

    private func trip(_ status: String = "ENROUTE_TO_PICKUP", _ more: String = "") -> TransportResult {
        .answer(status: 200, body: Array(#"{"name":"n","tripStatus":"\#(status)"\#(more)}"#.utf8), retryAfter: nil)
    }

    private func refusal(_ status: Int, retryAfter: Int? = nil) -> TransportResult {
        .answer(status: status, body: [], retryAfter: retryAfter)
    }

    private var now: Instant { Instant((time * 1e9).rounded()) }

    private func send(_ event: TripEvent) {
        for effect in monitor.handle(event, at: now) { carryOut(effect) }
        XCTAssertGreaterThan(monitor.deadline, now, "a deadline that has passed would spin")
    }

    private func carryOut(_ effect: TripEffect) {
        switch effect {
        case .send(let request):
            requests.append((time, request))
            log.append("\(time) poll")
            guard let result = server(request) else { return }
            send(.response(id: request.id, result, serverTime: epoch + Int64(time * 1000)))
        case .fetchToken(let id, let context):
            questions.append(context)
            log.append("\(time) token")
            if let answer = provider(id) { send(.token(id: id, answer)) }
        case .updated(let snapshot): log.append("\(time) \(snapshot.trip.status)")
        case .failed(let failure):
            failed.append(failure)
            log.append("\(time) failed \(failure.code) \(failure.httpStatus)")
        }
    }

    private func run(to end: Double) {
        send(.timer)
        while monitor.deadline != .max, Double(monitor.deadline) / 1e9 <= end {
            time = Double(monitor.deadline) / 1e9
            send(.timer)
        }
        time = end
    }

    private var polls: [Double] { requests.map(\.at) }

    func testItPollsAtOnceAndThenAtTheIntervalWithATokenForTheTripAlone() {
        run(to: 31)
        XCTAssertEqual(polls, [0, 10, 20, 30])
        XCTAssertEqual(questions, [TokenContext(provider: "p", vehicle: nil, task: nil, trip: "t")])
        XCTAssertEqual(log.prefix(3), ["0.0 token", "0.0 poll", "0.0 enrouteToPickup"])
        let request = requests[0].request
        XCTAssertEqual(request.method, .get)
        XCTAssertTrue(request.target.hasPrefix("/v1/providers/p/trips/t?view="), request.target)
        XCTAssertTrue(request.body.isEmpty)
        XCTAssertEqual(request.bearer, "token-1")
    }

    func testTheIntervalIsClampedAndTakesEffectAtOnce() {
        XCTAssertEqual(monitor.interval, 10)
        for (wanted, inForce) in [(0, 5), (-7, 5), (61, 60), (Int.max, 60), (5, 5)] {
            send(.interval(wanted))
            XCTAssertEqual(monitor.interval, inForce)
        }
        run(to: 11)
        XCTAssertEqual(polls, [0, 5, 10])
    }

    func testItEndsWhenTheTripIsOver() {
        for status in ["COMPLETE", "CANCELED"] {
            monitor = try? TripMonitor(provider: "p", trip: "t", interval: 10)
            requests = []
            time = 0
            server = { [unowned self] _ in trip(time < 20 ? "ENROUTE_TO_DROPOFF" : status) }
            run(to: 600)
            XCTAssertEqual(polls, [0, 10, 20], status)
            XCTAssertEqual(monitor.deadline, .max)
        }
    }

    func testAnotherTripHasATokenOfItsOwnAndTheFormersAnswersMeanNothing() {
        server = { _ in nil }
        run(to: 2)
        send(.trip(id: "u"))
        XCTAssertEqual(polls, [0], "not sooner than 5 s after the last")
        send(.response(id: requests[0].request.id, trip("COMPLETE"), serverTime: nil))
        XCTAssertNil(monitor.latest)
        server = { [unowned self] _ in trip() }
        run(to: 16)
        XCTAssertEqual(polls, [0, 5, 15])
        XCTAssertEqual(questions.map(\.trip), ["t", "u"])
        XCTAssertEqual(requests.map(\.request.bearer), ["token-1", "token-2", "token-2"])
        XCTAssertTrue(requests[1].request.target.contains("/trips/u?"))
    }

    func testATripThatIsOverGivesWayToAnother() {
        server = { [unowned self] request in trip(request.target.contains("/trips/t?") ? "COMPLETE" : "NEW") }
        run(to: 100)
        send(.trip(id: "u"))
        XCTAssertEqual(polls, [0, 100])
        XCTAssertEqual(monitor.latest?.trip.status, .new)
    }

    func testFailuresAreToldAndWaitedOutLongerAndLonger() {
        server = { _ in .failed(timedOut: false, message: "no route") }
        run(to: 200)
        XCTAssertEqual(polls, [0, 10, 30, 70, 110, 150, 190])
        XCTAssertTrue(failed.allSatisfy { $0.willRetry && $0.mask.isEmpty && $0.code == .unavailable && $0.message == "no route" })
        server = { [unowned self] _ in trip() }
        run(to: 270)
        XCTAssertEqual(polls.suffix(3), [250, 260, 270], "and forgotten once the server answers")
    }

    func testWhatTheServerAsksForIsKept() {
        server = { [unowned self] _ in time == 0 ? refusal(429, retryAfter: 45) : trip() }
        run(to: 60)
        XCTAssertEqual(polls, [0, 45, 55])
        XCTAssertEqual(failed.map(\.code), [.resourceExhausted])
    }

    func testA401GetsOneFreshTokenAfterFiveSecondsAndThenBacksOff() {
        server = { [unowned self] _ in refusal(401) }
        run(to: 30)
        XCTAssertEqual(polls, [0, 5, 15])
        XCTAssertEqual(requests.map(\.request.bearer), ["token-1", "token-2", "token-3"])
    }

    func testWhatOnlyAConfigurationCanHelpIsTriedOnceAMinute() {
        for status in [403, 404] {
            monitor = try? TripMonitor(provider: "p", trip: "t", interval: 10)
            requests = []
            time = 0
            server = { [unowned self] _ in refusal(status) }
            run(to: 130)
            XCTAssertEqual(polls, [0, 60, 120], "\(status)")
        }
    }

    func testAnAnswerThatIsNoTripIsAFailure() {
        server = { _ in .answer(status: 200, body: Array("<html>".utf8), retryAfter: nil) }
        run(to: 5)
        XCTAssertEqual(failed.map(\.message), ["the answer is no trip"])
        XCTAssertNil(monitor.latest)
    }

    func testNeverTwoPollsWithinFiveSecondsWhateverHappens() {
        var state: UInt64 = 17
        func next(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        server = { [unowned self] _ in
            switch next(6) {
            case 0: refusal(401)
            case 1: refusal(503, retryAfter: 1)
            case 2: .failed(timedOut: true, message: "")
            case 3: refusal(404)
            default: trip(next(9) == 0 ? "COMPLETE" : "NEW")
            }
        }
        for step in 0..<3000 {
            switch next(4) {
            case 0: send(.trip(id: "t\(next(3))"))
            case 1: send(.interval(Int(next(8))))
            default: run(to: time + Double(next(40)) / 10)
            }
            if step % 100 == 0 { send(.trip(id: "fresh\(step)")) }
        }
        XCTAssertGreaterThan(polls.count, 100)
        for (one, other) in zip(polls, polls.dropFirst()) { XCTAssertGreaterThanOrEqual(other - one, 4.999) }
    }

    func testAProviderThatNeverAnswersIsToldAfterHalfAMinuteAndItsLateAnswerIgnored() {
        provider = { _ in nil }
        run(to: 41)
        XCTAssertEqual(log, ["0.0 token", "30.0 failed unauthenticated 0", "40.0 token"])
        send(.token(id: 1, .success(FetchedToken(token: "late", goodFor: nil))))
        XCTAssertEqual(polls, [])
        send(.token(id: 2, .success(FetchedToken(token: "in-time", goodFor: nil))))
        send(.token(id: 2, .success(FetchedToken(token: "twice", goodFor: nil))))
        XCTAssertEqual(requests.map(\.request.bearer), ["in-time"])
    }

    func testATokenIsRenewedBeforeThePollThatNeedsIt() {
        provider = { .success(FetchedToken(token: "token-\($0)", goodFor: 100)) }
        run(to: 81)
        XCTAssertEqual(log.filter { $0.hasSuffix("token") }, ["0.0 token", "75.0 token"])
        XCTAssertEqual(requests.last?.request.bearer, "token-2")
        XCTAssertEqual(polls.count, 9, "no poll was held up")
    }

    func testTheAgesAreOfTheServersClockAndGoOn() throws {
        let received = "2026-01-31T11:59:50Z"
        server = { [unowned self] _ in
            trip(
                "ENROUTE_TO_PICKUP",
                #","remainingTimeToFirstWaypoint":"60s","lastLocation":{"location":{"latitude":1},"updateTime":"2031-01-01T00:00:00Z","serverTime":"\#(received)"}"#
            )
        }
        run(to: 0)
        server = { _ in nil }
        run(to: 100)
        let snapshot = try XCTUnwrap(monitor.latest)
        XCTAssertEqual(snapshot.answerAge(at: now), 100)
        XCTAssertEqual(snapshot.locationAge(at: now), 110, "the vehicle's clock, years ahead, does not count")
        XCTAssertEqual(snapshot.remainingDuration(at: 20_000_000_000), 40)
        XCTAssertEqual(snapshot.remainingDuration(at: now), 0)
        XCTAssertNil(TripSnapshot(trip: snapshot.trip, at: 0, serverTime: nil).locationAge(at: now), "unknown without the server's date")
    }

    func testASegmentOnceReadIsNotAskedForAgain() {
        server = { [unowned self] _ in trip("NEW", #","currentRouteSegmentVersion":"2026-01-31T12:00:00Z""#) }
        run(to: 10)
        XCTAssertFalse(requests[0].request.target.contains("Version"))
        XCTAssertTrue(requests[1].request.target.hasSuffix("&currentRouteSegmentVersion=2026-01-31T12%3A00%3A00Z"))
    }

    func testWhatIsOnlyNotedBeginsNothing() {
        XCTAssertTrue(monitor.note(.trip(id: "u"), at: 1).isEmpty)
        XCTAssertTrue(monitor.note(.interval(7), at: 2).isEmpty)
        XCTAssertTrue(monitor.note(.timer, at: 3).isEmpty)
        run(to: 1)
        XCTAssertEqual(questions.map(\.trip), ["u"])
    }

    func testIdentifiersThatFleetEngineWouldRefuseAreRefused() {
        XCTAssertThrowsError(try TripMonitor(provider: "p:", trip: "t", interval: 10))
        XCTAssertThrowsError(try TripMonitor(provider: "p", trip: "a/b", interval: 10))
    }
}
