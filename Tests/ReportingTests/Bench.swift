import FleetEngine
import Foundation
@testable import Navigation
import XCTest

@testable import Reporting

/// A reporter on a fake clock, a server and a token provider that answer as told, and a transcript of what happened, one line each:
/// "12.0 PUT vehicleState,lastLocation".
final class Bench {
    var reporter: Reporter
    private(set) var log: [String] = []
    private(set) var requests: [(at: Double, request: OutgoingRequest)] = []
    private(set) var succeeded: [SucceededUpdate] = []
    private(set) var failed: [FailedUpdate] = []
    private(set) var occurrences: [Occurrence] = []
    /// Of questions for a token, newest last.
    private(set) var questions: [(id: UInt64, context: TokenContext)] = []
    /// Seconds since the start.
    private(set) var time = 0.0

    /// What the server answers; nil: nothing until ``answer(_:)``.
    var server: ((OutgoingRequest) -> TransportResult?)? = { _ in .answer(status: 200, body: Array("{}".utf8), retryAfter: nil) }
    /// What the token provider answers; nil: nothing until ``give(_:)``.
    var provider: ((UInt64) -> Result<FetchedToken, TokenFailure>?)? = { .success(FetchedToken(token: "token-\($0)", goodFor: nil)) }
    /// Seconds a request takes.
    var latency = 0.0
    private var pending: (due: Double, id: UInt64, result: TransportResult)?
    /// The request that has not been answered.
    private var outstanding: UInt64?
    /// Follows the road where a test drives it with ``follow(_:)``; what it has told.
    var tracker: Tracker?
    private(set) var told: [Navigation.Progress] = []
    private var lastFix: Fix?
    /// Called with each request before it is answered.
    var onRequest: (OutgoingRequest) -> Void = { _ in }

    /// Where fixes are kept, if they are.
    var shelf = Shelf()

    init(
        _ service: Service = .onDemand, interval: Int = 10, sharesRoute: Bool = true, reckons: Bool = false, isAdaptive: Bool = false,
        keepsFixes: Bool = false, seed: UInt64? = nil, waypointTolerance: Double? = nil
    ) throws {
        var settings = try ReporterSettings(provider: "p", vehicle: "v", service: service, task: "task", trip: nil)
        settings.interval = interval
        settings.sharesRoute = sharesRoute
        settings.reckons = reckons
        settings.isAdaptive = isAdaptive
        settings.seed = seed
        settings.keepsFixes = keepsFixes
        settings.insistsOnOffline = keepsFixes
        settings.waypointTolerance = waypointTolerance
        reporter = Reporter(settings)
    }

    var now: Instant { Instant((time * 1e9).rounded()) }

    /// The transcript since the last call.
    func lines() -> [String] {
        defer { log = [] }
        return log
    }

    func send(_ event: ReporterEvent) {
        if case .response(let id, _) = event, id == outstanding { outstanding = nil }
        for effect in reporter.handle(event, at: now) { carryOut(effect) }
        XCTAssertGreaterThan(reporter.deadline, now, "a deadline that has passed would spin")
    }

    /// Lets time pass, with timers and answers as they fall due; `each` runs every whole second after the present one, the last included, before them.
    func run(to end: Double, each: (Double) -> Void = { _ in }) {
        var second = time.rounded(.down) + 1
        while true {
            let timer = reporter.deadline == .max ? Double.infinity : Double(reporter.deadline) / 1e9
            let next = min(second, timer, pending?.due ?? .infinity)
            if next > end { break }
            time = next
            if second <= time {
                each(second)
                second += 1
            } else if let answer = pending, answer.due <= time {
                pending = nil
                send(.response(id: answer.id, answer.result))
            } else {
                send(.timer)
            }
        }
        time = end
    }

    func answer(_ result: TransportResult) {
        if let last = requests.last { send(.response(id: last.request.id, result)) }
    }

    func answer(status: Int, body: String = "", retryAfter: Int? = nil) {
        answer(.answer(status: status, body: Array(body.utf8), retryAfter: retryAfter))
    }

    func give(_ token: String, goodFor: Int64? = nil) {
        if let last = questions.last { send(.token(id: last.id, .success(FetchedToken(token: token, goodFor: goodFor)))) }
    }

    private func carryOut(_ effect: ReporterEffect) {
        let stamp = "\((time * 10).rounded() / 10)"
        switch effect {
        case .send(let request):
            requests.append((time, request))
            log.append("\(stamp) \(request.method.rawValue) \(request.target.split(separator: "=").last ?? "")")
            XCTAssertNil(outstanding, "two requests in flight")
            outstanding = request.id
            onRequest(request)
            guard let result = server?(request) else { return }
            pending = (time + latency, request.id, result)
            if latency == 0 {
                pending = nil
                send(.response(id: request.id, result))
            }
        case .fetchToken(let id, let context):
            questions.append((id, context))
            log.append("\(stamp) token")
            if let answer = provider?(id) { send(.token(id: id, answer)) }
        case .reckon: reckon()
        case .occurred(let occurrence):
            occurrences.append(occurrence)
            log.append("\(stamp) \(occurrence.kind)\(occurrence.interval.map { " \($0) s" } ?? "")")
        case .backlog(let step): if let batch = shelf.carryOut(step) { send(.batch(batch)) }
        case .succeeded(let update):
            succeeded.append(update)
        case .failed(let update):
            failed.append(update)
            log.append("\(stamp) failed \(update.code) \(update.httpStatus)\(update.willRetry ? " retries" : "")")
        }
    }
}

extension Bench {
    /// A fix on the road, at 10 m/s, taken by the tracker and the reporter.
    func follow(to metres: Double) {
        var fix = fix(at: metres)
        fix.speed = 10
        fix.heading = 0
        fix.accuracy = 5
        lastFix = fix
        guard let progress = tracker?.update(fix, now: time) else { return }
        told.append(progress)
        send(.position(fix, progress))
    }

    private func reckon() {
        guard let progress = tracker?.reckon(at: time, carriesOn: reporter.settings.reckons), let tracker, let lastFix else { return }
        told.append(progress)
        log.append("\(time) \(progress.state)\(progress.isEstimated ? " estimated" : "")")
        send(.progress(progress, estimate: tracker.estimatedFix(after: lastFix, silence: tracker.silence(at: time))))
    }

    /// A fix of the present second, `metres` north of the start of ``road()``.
    func fix(at metres: Double = 0) -> Fix {
        var fix = Fix(coordinate: Coordinate(latitude: 48 + metres / 111_195, longitude: 11))
        fix.time = 1_700_000_000 + time
        return fix
    }

    func drive(to metres: Double = 0) { send(.position(fix(at: metres), nil)) }

    func drive(_ state: Navigation.Progress.State, leg: Int = 0, along: Double, on route: Route) {
        send(.position(fix(at: along), progress(state, leg: leg, along: along, on: route)))
    }

    func progress(_ state: Navigation.Progress.State, leg: Int, along: Double, on route: Route) -> Navigation.Progress {
        let known = state != .offRoute
        let seconds = route.duration.map { $0 * along / route.length } ?? .nan
        var progress = Navigation.Progress(
            state: state, leg: leg, snapped: route.coordinate(along: along), along: along, crossTrack: 0,
            remainingDistance: known ? route.length - along : .nan,
            remainingDuration: known ? (route.duration ?? .nan) - seconds : .nan)
        if known, route.duration != nil, route.legEnds.indices.contains(leg) {
            progress.legRemainingDuration = route.elapsed[route.legEnds[leg]] - seconds
        }
        return progress
    }

    /// 2 km north in two legs of equal length, at 10 m/s.
    static func road() throws -> Route {
        let points = (0...20).map { Coordinate(latitude: 48 + Double($0) * 100 / 111_195, longitude: 11) }
        return try Route(RouteDescription(points: points, legEnds: [10, 20], legDurations: [100, 100]))
    }

    /// Tracking with a token in hand and the first update sent.
    func startTracking() {
        send(.tracking(true))
        drive()
        _ = lines()
    }

    func member(_ name: String, of request: OutgoingRequest?) -> Any? {
        guard let request, let body = try? JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any] else { return nil }
        return body[name]
    }
}

let base = "vehicleState,lastLocation"
let remaining = "remainingTimeSeconds,remainingDistanceMeters"
let segment = "currentRouteSegment,currentRouteSegmentEndPoint"
