import FleetEngine
import Foundation
import XCTest

@testable import Navigation
@testable import Reporting

/// The backlog as the reporter sees it: kept fixes in order, of which the first are under way.
struct Shelf {
    private(set) var kept: [Fix] = []
    private(set) var dropped: [Fix] = []
    private(set) var batch: PastFixes?
    private var nextID: Int64 = 1

    mutating func carryOut(_ step: BacklogStep) -> PastFixes? {
        switch step {
        case .keep(let fix): kept.append(fix)
        case .taken(let id):
            guard let batch, batch.id == id else { return nil }
            kept.removeFirst(batch.fixes.count)
            self.batch = nil
        case .refused(let id):
            guard let batch, batch.id == id else { return nil }
            self.batch = nil
            if batch.fixes.count == 1 { dropped.append(kept.removeFirst()) } else { embark(batch.fixes.count / 2) }
        case .next(let most):
            if batch == nil, !kept.isEmpty { embark(min(most, kept.count)) }
            return batch
        case .forget:
            kept = []
            batch = nil
        }
        return nil
    }

    private mutating func embark(_ count: Int) {
        batch = PastFixes(id: nextID, fixes: Array(kept.prefix(count)))
        nextID += 1
    }
}

/// What could not be told is kept and told later.
final class BacklogTests: XCTestCase {
    private let lost = TransportResult.failed(timedOut: true, message: "lost")
    private let taken = TransportResult.answer(status: 200, body: [], retryAfter: nil)
    private func refused(_ status: Int) -> TransportResult { .answer(status: status, body: [], retryAfter: nil) }

    private func tracking(interval: Int = 10) throws -> Bench {
        let bench = try Bench(interval: interval, keepsFixes: true)
        bench.startTracking()
        return bench
    }

    /// Seconds of the bench's clock of the fixes in a request's past, and in its present.
    private func past(_ request: OutgoingRequest?, in bench: Bench) -> [Double] {
        let list = bench.member("pastLocations", of: request) as? [[String: Any]] ?? []
        return list.compactMap { time($0) }
    }

    private func newest(_ request: OutgoingRequest?, in bench: Bench) -> Double? {
        (bench.member("lastLocation", of: request) as? [String: Any]).flatMap { time($0) }
    }

    private func time(_ location: [String: Any]) -> Double? {
        guard let text = location["supplementalLocationTime"] as? String else { return nil }
        return RFC3339.milliseconds(text).map { Double($0) / 1000 - 1_700_000_000 }
    }

    private func seconds(_ fixes: [Fix]) -> [Double] { fixes.map { $0.time - 1_700_000_000 } }

    func testNothingIsKeptWhileUpdatesGetThroughInTime() throws {
        let bench = try tracking()
        bench.latency = 0.4
        bench.run(to: 600) { _ in bench.drive() }
        XCTAssertTrue(bench.shelf.kept.isEmpty)
        XCTAssertFalse(bench.requests.contains { $0.request.target.contains("pastLocations") })
    }

    func testWithoutABacklogNothingIsKept() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.server = { _ in self.lost }
        bench.run(to: 600) { _ in bench.drive() }
        XCTAssertTrue(bench.shelf.kept.isEmpty)
    }

    func testOneFixAnIntervalIsKeptWhileTheServerIsOutOfReach() throws {
        let bench = try tracking()
        bench.server = { _ in self.lost }
        bench.run(to: 600) { _ in bench.drive() }
        let kept = seconds(bench.shelf.kept).sorted()
        XCTAssertEqual(Set(kept).count, kept.count, "a fix twice")
        // Every attempt's, and those of the slots between.
        for attempt in bench.requests where attempt.at > 0 && attempt.at < 590 { XCTAssertTrue(kept.contains(attempt.at.rounded(.down))) }
        for (one, next) in zip(kept, kept.dropFirst()) { XCTAssertLessThanOrEqual(next - one, 11) }
        XCTAssertLessThanOrEqual(kept.count, 75)
    }

    func testTheNewestGoesFirstAndAloneThenTheOldestWithTheNext() throws {
        let bench = try tracking()
        bench.server = { _ in self.lost }
        bench.run(to: 95) { _ in bench.drive() }
        bench.server = { _ in self.taken }
        let outage = bench.requests.count
        var kept = seconds(bench.shelf.kept)
        bench.run(to: 160) { _ in
            if bench.requests.count == outage { kept = seconds(bench.shelf.kept) }
            bench.drive()
        }
        let after = bench.requests.dropFirst(outage).map(\.request)
        XCTAssertEqual(past(after[0], in: bench), [])
        XCTAssertEqual(past(after[1], in: bench), kept)
        XCTAssertTrue(after[1].target.hasSuffix("updateMask=\(base),pastLocations"), after[1].target)
        XCTAssertEqual(past(after[2], in: bench), [])
        for (at, request) in bench.requests.dropFirst(outage) {
            XCTAssertEqual(newest(request, in: bench) ?? 0, at.rounded(.down), accuracy: 1)
        }
    }

    func testBothServicesTakeThem() throws {
        for (service, method) in [(Service.onDemand, "PUT"), (.delivery, "PATCH")] {
            let bench = try Bench(service, keepsFixes: true)
            bench.startTracking()
            bench.server = { _ in self.lost }
            bench.run(to: 30) { _ in bench.drive() }
            bench.server = { _ in self.taken }
            bench.run(to: 100) { _ in bench.drive() }
            let with = bench.requests.filter { $0.request.target.hasSuffix("lastLocation,pastLocations") }
            XCTAssertEqual(with.map(\.request.method.rawValue), [method])
        }
    }

    func testALostAnswerSendsTheIdenticalBatchAgain() throws {
        let bench = try tracking()
        bench.server = { _ in self.lost }
        bench.run(to: 60) { _ in bench.drive() }
        // Each with a batch is obeyed and its answer lost, three times.
        var sent: [[Double]] = []
        bench.server = { request in
            let past = self.past(request, in: bench)
            if !past.isEmpty { sent.append(past) }
            return !past.isEmpty && sent.count <= 3 ? self.lost : self.taken
        }
        bench.run(to: 600) { _ in bench.drive() }
        XCTAssertGreaterThanOrEqual(sent.count, 4)
        XCTAssertEqual(Set(sent.prefix(4)).count, 1)
        // What was told in those updates as the newest is uncertain too, and kept.
        XCTAssertTrue(bench.shelf.kept.isEmpty)
    }

    func testAFixThatWasConfirmedNeverGoesOutAgain() throws {
        let bench = try tracking(interval: 5)
        var random = Seeded(state: 7)
        var confirmed: Set<Double> = []
        bench.latency = 0.3
        bench.server = { request in
            let fixes = self.past(request, in: bench) + [self.newest(request, in: bench)].compactMap { $0 }
            for fix in fixes { XCTAssertFalse(confirmed.contains(fix), "\(fix) again at \(bench.time)") }
            XCTAssertEqual(Set(fixes).count, fixes.count, "a fix twice in one update")
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1, 2: return self.lost
            case 3: return self.refused(503)
            case 4: return self.refused([400, 413, 401].randomElement(using: &random) ?? 400)
            default:
                confirmed.formUnion(fixes)
                return self.taken
            }
        }
        bench.run(to: 20_000) { _ in bench.drive() }
        bench.server = { request in
            confirmed.formUnion(self.past(request, in: bench) + [self.newest(request, in: bench)].compactMap { $0 })
            return self.taken
        }
        bench.run(to: 21_000) { _ in bench.drive() }
        XCTAssertTrue(bench.shelf.kept.isEmpty)
        XCTAssertGreaterThan(confirmed.count, 2000)
        // Nothing that was due is missing, but for single fixes that were given up.
        let told = confirmed.union(seconds(bench.shelf.dropped)).sorted()
        for (one, next) in zip(told, told.dropFirst()) { XCTAssertLessThanOrEqual(next - one, 7, "after \(one)") }
    }

    func testABatchThatIsTooMuchIsHalvedAndTheNewestDoesNotWait() throws {
        for status in [400, 413] {
            let bench = try tracking()
            bench.server = { _ in self.lost }
            bench.run(to: 300) { _ in bench.drive() }
            var sizes: [Int] = []
            bench.server = { request in
                let count = self.past(request, in: bench).count
                if count > 0 { sizes.append(count) }
                return count > 4 ? self.refused(status) : self.taken
            }
            let outage = bench.requests.count
            let kept = Set(seconds(bench.shelf.kept))
            bench.run(to: 900) { _ in bench.drive() }
            XCTAssertGreaterThan(sizes.first ?? 0, 8)
            XCTAssertTrue(bench.shelf.kept.isEmpty)
            XCTAssertTrue(bench.shelf.dropped.isEmpty)
            let after = bench.requests.dropFirst(outage)
            XCTAssertTrue(kept.isSubset(of: after.flatMap { past($0.request, in: bench) }))
            // A refused batch costs no slot: the update goes out again without it, at once.
            for (one, next) in zip(after, after.dropFirst()) where past(one.request, in: bench).count > 4 {
                XCTAssertEqual(next.at, one.at)
                XCTAssertEqual(past(next.request, in: bench), [])
            }
        }
    }

    func testASingleFixThatIsRefusedIsGivenUp() throws {
        let bench = try tracking()
        bench.server = { _ in self.lost }
        bench.run(to: 100) { _ in bench.drive() }
        let bad = seconds(bench.shelf.kept)[2]
        bench.server = { self.past($0, in: bench).contains(bad) ? self.refused(400) : self.taken }
        bench.run(to: 900) { _ in bench.drive() }
        XCTAssertEqual(seconds(bench.shelf.dropped), [bad])
        XCTAssertTrue(bench.shelf.kept.isEmpty)
    }

    func testABatchIsNotBlamedForWhatIsWrongWithTheUpdate() throws {
        let bench = try tracking()
        bench.server = { _ in self.lost }
        bench.run(to: 100) { _ in bench.drive() }
        bench.server = { _ in self.taken }
        bench.run(to: 150) { _ in if bench.shelf.batch == nil { bench.drive() } }
        let batch = try XCTUnwrap(bench.shelf.batch)
        bench.server = { _ in self.refused(400) }
        bench.run(to: 400) { _ in bench.drive() }
        XCTAssertEqual(bench.shelf.batch?.id, batch.id)
        bench.server = { _ in self.taken }
        bench.run(to: 700) { _ in bench.drive() }
        XCTAssertTrue(bench.shelf.dropped.isEmpty)
        XCTAssertTrue(bench.shelf.kept.isEmpty)
    }

    func testAnotherVehicleDoesNotGetThem() throws {
        let bench = try tracking()
        bench.server = { _ in self.lost }
        bench.run(to: 100) { _ in bench.drive() }
        bench.server = { _ in self.taken }
        bench.run(to: 150) { _ in if bench.shelf.batch == nil { bench.drive() } }
        XCTAssertNotNil(bench.shelf.batch)
        bench.send(.vehicle(id: "w"))
        XCTAssertTrue(bench.shelf.kept.isEmpty)
        let count = bench.requests.count
        bench.run(to: 250) { _ in bench.drive() }
        XCTAssertFalse(bench.requests.dropFirst(count).contains { $0.request.target.contains("pastLocations") })
    }

    func testABatchThatIsLeftFromAnEarlierRunGoesWithTheFirstUpdate() throws {
        let bench = try Bench(keepsFixes: true)
        _ = bench.shelf.carryOut(.keep(bench.fix()))
        bench.reporter.resume(bench.shelf.carryOut(.next(atMost: 9)), isOfflineDue: false)
        bench.run(to: 5)
        bench.startTracking()
        XCTAssertEqual(past(bench.requests.first?.request, in: bench), [0])
        XCTAssertTrue(bench.shelf.kept.isEmpty)
    }

    func testAnOfflineThatWasNotConfirmedIsTriedUntilItIs() throws {
        let bench = try tracking()
        bench.send(.vehicleState(.online))
        bench.server = { _ in self.lost }
        bench.send(.tracking(false))
        XCTAssertTrue(bench.reporter.isOfflineDue)
        bench.run(to: 300)
        XCTAssertGreaterThan(bench.requests.count, 6)
        bench.server = { _ in self.taken }
        bench.run(to: 400)
        XCTAssertFalse(bench.reporter.isOfflineDue)
        XCTAssertEqual(bench.reporter.deadline, .max)

        let next = try Bench(keepsFixes: true)
        next.reporter.resume(nil, isOfflineDue: true)
        next.send(.timer)
        XCTAssertEqual(next.lines(), ["0.0 token", "0.0 PUT vehicleState"])
        XCTAssertEqual(next.member("vehicleState", of: next.requests.last?.request) as? String, "OFFLINE")
    }

    func testAnOfflineThatIsRefusedIsGivenUpUntilTheNextRun() throws {
        let bench = try tracking()
        bench.server = { _ in self.refused(403) }
        bench.send(.tracking(false))
        bench.run(to: 300)
        XCTAssertEqual(bench.requests.count, 2)
        XCTAssertTrue(bench.reporter.isOfflineDue)
        XCTAssertEqual(bench.reporter.deadline, .max)
    }

    func testTheLastFixIsKeptAtTheEndUnlessItWasTold() throws {
        let bench = try tracking()
        XCTAssertNil(bench.reporter.keepLast())
        bench.run(to: 3) { _ in bench.drive() }
        XCTAssertEqual(bench.reporter.keepLast().map { seconds([$0]) }, [3])
        XCTAssertNil(bench.reporter.keepLast())
    }

    func testEstimatesAreNotKept() throws {
        let bench = try Bench(reckons: true, keepsFixes: true)
        bench.tracker = Tracker(route: try Bench.road())
        bench.send(.route(try Bench.road()))
        bench.send(.tracking(true))
        bench.server = { _ in self.lost }
        bench.run(to: 30) { bench.follow(to: 10 * $0) }
        let before = bench.shelf.kept.count
        bench.run(to: 60)
        XCTAssertGreaterThan(bench.requests.count, 3)
        XCTAssertLessThanOrEqual(bench.shelf.kept.count, before + 1)
        XCTAssertFalse(bench.shelf.kept.contains { $0.isEstimated })
    }

    /// Over real HTTP, an hour out of reach, then within the emulator's limits of fixes or of bytes.
    func testTheEmulatorGetsEachFixOnceWithinItsLimits() throws {
        for (service, account, limit) in [
            (Service.onDemand, "driver", #"{"pastLocations":7}"#), (.delivery, "delivery-driver", #"{"bodyBytes":3000}"#),
        ] {
            let server = try EmulatedServer()
            let bench = try server.bench(try Bench(service, keepsFixes: true), account)
            bench.startTracking()
            server.control("POST", "faults", #"[{"status":503,"times":100000}]"#)
            bench.run(to: 3600) { _ in bench.drive() }
            let kept = Set(seconds(bench.shelf.kept))
            XCTAssertGreaterThan(kept.count, 300)
            server.control("DELETE", "faults")
            server.control("POST", "limits", limit)
            bench.run(to: 7200) { _ in bench.drive() }
            XCTAssertTrue(bench.shelf.kept.isEmpty && bench.shelf.dropped.isEmpty)
            let logs = try XCTUnwrap(server.control("GET", "locations?vehicle=v") as? [[String: Any]])
            let log = try XCTUnwrap(logs.first { ($0["distinct"] as? Int ?? 0) > 0 })
            XCTAssertEqual(log["duplicates"] as? Int, 0)
            XCTAssertEqual(log["untimed"] as? Int, 0)
            let arrived = Set(
                ((log["fixes"] as? [[String: Any]]) ?? []).compactMap { fix in
                    (fix["time"] as? String).flatMap { RFC3339.milliseconds($0) }.map { Double($0) / 1000 - 1_700_000_000 }
                })
            XCTAssertTrue(kept.isSubset(of: arrived))
        }
    }
}
