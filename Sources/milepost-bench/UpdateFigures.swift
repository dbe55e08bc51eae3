import CPeers
import Navigation

/// The cost of following one course, beside what the peers take to find the same fixes on the same line. Nanoseconds, each the least of all
/// rounds.
final class UpdateContest {
    let course: Course
    let peers: [Peer]
    /// An update within the window, a fix a second at 20 m/s.
    private(set) var update = Double.infinity
    /// Finding the vehicle anywhere, for the first time or after it was lost: the slower of the two.
    private(set) var find = Double.infinity
    /// What the peers take for the same fixes.
    private(set) var peerUpdates: [Double]
    private(set) var peerFinds: [Double]
    /// Of all updates that were measured.
    private(set) var allocations: UInt64 = 0

    private let lost: Tracker
    /// For each of the drive's fixes alone.
    private var singles: [Double]

    /// How many updates are timed together, so that reading the clock costs nothing.
    private static let batch = 50

    init(_ course: Course) throws {
        self.course = course
        peers = try Peer.all(on: course)
        lost = try Self.lost(on: course)
        peerUpdates = peers.map { _ in .infinity }
        peerFinds = peerUpdates
        singles = course.drive.map { _ in .infinity }
    }

    /// The slowest of the drive's fixes: what is slow by itself is slow in every round, what was interrupted is not.
    var worst: Double { singles.max() ?? .infinity }

    func round() throws {
        update = min(update, try driveCost())
        find = min(find, max(findCost(from: Tracker(route: course.route)), findCost(from: lost)))
        noteSingles()
        for (index, peer) in peers.enumerated() {
            peerUpdates[index] = min(peerUpdates[index], peer.cost(course.drive, batch: Self.batch))
            peerFinds[index] = min(peerFinds[index], peer.cost(course.scattered, batch: 1))
        }
    }

    private func driveCost() throws -> Double {
        var tracker = Tracker(route: course.route)
        let cost = quietest(of: course.drive.count < 10_000 ? 10 : 2) {
            tracker = Tracker(route: course.route)
            return stride(from: 0, to: course.drive.count - Self.batch, by: Self.batch).map { first in
                let fixes = course.drive[first..<first + Self.batch]
                return counted { for fix in fixes { _ = tracker.update(fix, now: .nan) } } / Double(Self.batch)
            }
        }
        guard tracker.progress.state == .onRoute else { throw RouteError("the bench's drive has left its route") }
        return cost
    }

    private func noteSingles() {
        var tracker = Tracker(route: course.route)
        for (index, fix) in course.drive.enumerated() {
            singles[index] = min(singles[index], counted { _ = tracker.update(fix, now: .nan) })
        }
    }

    private func findCost(from start: Tracker) -> Double {
        quietest(of: 2) {
            course.scattered.map { fix in
                var tracker = start
                return counted { _ = tracker.update(fix, now: .nan) }
            }
        }
    }

    private func counted(_ work: () -> Void) -> Double {
        let before = peer_allocation_count()
        let cost = nanoseconds(work)
        allocations += peer_allocation_count() - before
        return cost
    }

    /// A tracker that has left the route where it begins.
    private static func lost(on course: Course) throws -> Tracker {
        var tracker = Tracker(route: course.route)
        for var fix in course.drive.prefix(20) {
            if fix.time > course.drive[10].time { fix.coordinate.longitude -= 0.1 }
            _ = tracker.update(fix, now: .nan)
        }
        guard tracker.progress.state == .offRoute else { throw RouteError("the bench's vehicle is not lost") }
        return tracker
    }
}

func updateFigures(_ courses: [Course]) throws -> [Figure] {
    let contests = try courses.map(UpdateContest.init)
    // Many short rounds: what else runs on the machine slows it down for seconds.
    for _ in 0..<12 { for contest in contests { try contest.round() } }
    let long = contests.first { $0.course.name == "1e6" }?.update ?? .nan
    let apart = contests.filter { ["1e4", "laps"].contains($0.course.name) }.map { contest in
        Figure("update_\(contest.course.name)_against_1e6", max(contest.update / long, long / contest.update), "ratio", .atMost(1.2))
    }
    let allocations = contests.reduce(0) { $0 + $1.allocations }
    return contests.flatMap(figures) + apart + [Figure("update_allocations", Double(allocations), "count", .atMost(0))]
}

private func figures(_ contest: UpdateContest) -> [Figure] {
    let name = contest.course.name
    let isLong = name == "1e6"
    let updateLead = contest.peerUpdates.reduce(.infinity, min) / contest.update
    let findLead = contest.peerFinds.reduce(.infinity, min) / contest.find
    let ours = [
        Figure("update_\(name)", contest.update, "ns", isLong ? .atMost(250) : .none),
        Figure("update_\(name)_worst", contest.worst, "ns", .atMost(50_000)),
        Figure("update_\(name)_fastest_peer", updateLead, "ratio", isLong ? .atLeast(6) : .none),
        Figure("find_\(name)", contest.find, "ns"),
        Figure("find_\(name)_fastest_peer", findLead, "ratio", .atLeast(1)),
    ]
    return ours
        + contest.peers.enumerated().flatMap { index, peer in
            [
                Figure("update_\(name)_\(peer.name)", contest.peerUpdates[index] / contest.update, "ratio"),
                Figure("find_\(name)_\(peer.name)", contest.peerFinds[index] / contest.find, "ratio"),
            ]
        }
}
