import Navigation

/// What a host sets on a tracker, checked as the C interface promises.
extension Tracker {
    public mutating func skip(_ waypoint: UInt32) throws(HostError) {
        try requireWaypoint(waypoint)
        guard waypoint + 1 < route.legCount else {
            throw HostError(.argument, "waypoint \(waypoint) is the last: it cannot be left out; set another route")
        }
        guard skipWaypoint(Int(waypoint)) else { throw HostError(.state, "waypoint \(waypoint) was passed or left out already") }
    }

    public mutating func setDwell(_ seconds: Double, at waypoint: UInt32) throws(HostError) {
        try requireWaypoint(waypoint)
        guard (0...86_400).contains(seconds) else { throw HostError(.argument, "dwell_s is \(seconds): give 0 to 86,400") }
        setDwell(seconds: seconds, forWaypoint: Int(waypoint))
    }

    public mutating func setWaypointRadius(_ metres: Double, at waypoint: UInt32) throws(HostError) {
        try requireWaypoint(waypoint)
        setArrivalRadius(try arrivalRadius(metres), forWaypoint: Int(waypoint))
    }

    public mutating func restore(saved bytes: [UInt8]) throws(HostError) {
        do throws(RestoreError) {
            try restore(bytes)
        } catch {
            switch error {
            case .damaged: throw HostError(.saved, "the saved bytes are damaged or none of ours: start anew")
            case .otherVersion: throw HostError(.saved, "the bytes were saved by another version of the library: start anew")
            case .otherRoute: throw HostError(.saved, "the bytes were saved along another route: start anew, or set that route first")
            }
        }
    }

    private func requireWaypoint(_ waypoint: UInt32) throws(HostError) {
        guard waypoint < route.legCount else { throw HostError(.argument, "waypoint is \(waypoint): the route has \(route.legCount)") }
    }
}

/// An arrival radius, metres, in its range.
public func arrivalRadius(_ metres: Double) throws(HostError) -> Double {
    guard (5...500).contains(metres) else { throw HostError(.argument, "radius_m is \(metres): give 5 to 500") }
    return metres
}

/// A speed for routes without durations, metres a second, in its range.
public func routeSpeed(_ speed: Double) throws(HostError) -> Double {
    guard (0.1...100).contains(speed) else { throw HostError(.argument, "speed_mps is \(speed): give 0.1 to 100") }
    return speed
}
