import CPeers
import Navigation

/// The cost of following a route of a million points, and of loading it.
func navigationFigures() throws -> [Figure] {
    let count = 1_000_000
    let drive = try Drive(points: count, fixes: 40_000)
    let update = try updateCost(drive)
    let inverse = inverseCost(drive.points)
    let load = loadCosts(drive.points)
    return [
        Figure(name: "update_1e6", value: update.nanoseconds, unit: "ns", target: .atMost(400)),
        Figure(name: "update_1e6_per_geographiclib_inverse", value: update.nanoseconds / inverse, unit: "ratio", target: .atMost(0.7)),
        Figure(name: "update_allocations", value: update.allocations, unit: "count", target: .atMost(0)),
        Figure(name: "first_fix_1e6", value: firstFixCost(drive), unit: "ns", target: .atMost(2000)),
        Figure(name: "load_1e6", value: load.ours / 1e6, unit: "ms", target: .atMost(300)),
        Figure(name: "load_1e6_per_geographiclib_prefix_sum", value: load.ours / load.peer, unit: "ratio", target: .atMost(1.0 / 3)),
        Figure(name: "route_bytes_per_point", value: try routeBytes(drive.points) / Double(count), unit: "bytes", target: .atMost(48)),
    ]
}

/// How many calls are timed together, so that reading the clock costs nothing.
private let batch = 50

/// Of updates within the window, a fix a second at 20 m/s, and the allocations of each.
private func updateCost(_ drive: Drive) throws -> (nanoseconds: Double, allocations: Double) {
    let fixes = drive.fixes
    var tracker = Tracker(route: drive.route)
    var costs = [Double](repeating: 0, count: fixes.count / batch)
    var allocations: UInt64 = 0
    let cost = quietest(of: 10) {
        tracker = Tracker(route: drive.route)
        let before = peer_allocation_count()
        for pass in costs.indices {
            let first = pass * batch
            costs[pass] = nanoseconds { for fix in fixes[first..<first + batch] { _ = tracker.update(fix, now: .nan) } } / Double(batch)
        }
        allocations = peer_allocation_count() - before
        return costs
    }
    guard tracker.progress.state == .onRoute else { throw RouteError("the bench's drive has left its route") }
    return (cost, Double(allocations) / Double(fixes.count))
}

/// Over places all along the route, each with a new tracker.
private func firstFixCost(_ drive: Drive) -> Double {
    quietest(of: 10) {
        stride(from: 500, to: drive.points.count, by: 997).map { vertex in
            var fix = Fix(coordinate: drive.points[vertex])
            fix.coordinate.latitude += 3e-5
            var tracker = Tracker(route: drive.route)
            return nanoseconds { _ = tracker.update(fix, now: .nan) }
        }
    }
}

private func inverseCost(_ points: [Coordinate]) -> Double {
    quietest(of: 10) {
        stride(from: 0, to: 20_000, by: batch).map { first in
            var sum = 0.0
            let cost = nanoseconds {
                for i in first..<first + batch {
                    sum += peer_geodesic_length(points[i].latitude, points[i].longitude, points[i + 1].latitude, points[i + 1].longitude)
                }
            }
            return sum > 0 ? cost / Double(batch) : .infinity
        }
    }
}

private func loadCosts(_ points: [Coordinate]) -> (ours: Double, peer: Double) {
    let description = RouteDescription(points: points, legEnds: [points.count - 1], legDurations: [1000])
    let latitudes = points.map(\.latitude)
    let longitudes = points.map(\.longitude)
    var along = [Double](repeating: 0, count: points.count)
    let ours = quickest(of: 5) { _ = try? Route(description) }
    let peer = quickest(of: 3) { peer_geodesic_prefix_sum(latitudes, longitudes, points.count, &along) }
    return (ours, peer)
}

private func routeBytes(_ points: [Coordinate]) throws -> Double {
    let description = RouteDescription(points: points, legEnds: [points.count - 1], legDurations: [1000])
    let before = peer_heap_bytes()
    let route = try Route(description)
    let bytes = peer_heap_bytes() - before
    return withExtendedLifetime(route) { Double(bytes) }
}
