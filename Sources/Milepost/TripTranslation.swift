import CMilepost
import FleetEngine
import Navigation
import Reporting

/// A trip in the form of the C interface, with room for its waypoints.
final class TripBuffer {
    private var waypoints: [milepost_trip_waypoint] = []

    /// Calls `body` with the trip and its ages at an instant; the waypoints in it hold until the next call.
    func with(_ snapshot: TripSnapshot, at now: Instant, _ body: (inout milepost_trip_info) -> Void) {
        let trip = snapshot.trip
        var c = milepost_trip_info()
        c.size = UInt32(MemoryLayout<milepost_trip_info>.size)
        c.status = trip.status.rawValue
        c.answer_age_s = snapshot.answerAge(at: now)
        fillLocation(&c, trip.location)
        c.location_age_s = present(MILEPOST_TRIP_LOCATION_AGE, snapshot.locationAge(at: now), &c)
        c.remaining_m = present(MILEPOST_TRIP_DISTANCE, trip.remainingDistance.map { Double($0) }, &c)
        c.remaining_s = present(MILEPOST_TRIP_DURATION, snapshot.remainingDuration(at: now), &c)
        if let eta = trip.eta {
            c.eta_unix_ms = eta
            c.fields |= UInt32(MILEPOST_TRIP_ETA)
        }
        fillWaypoints(trip)
        c.waypoint_count = waypoints.count
        waypoints.withUnsafeBufferPointer {
            c.waypoints = $0.baseAddress
            body(&c)
        }
    }

    private func fillLocation(_ c: inout milepost_trip_info, _ location: TripLocation?) {
        c.latitude_deg = present(MILEPOST_TRIP_LOCATION, location?.coordinate.latitude, &c)
        c.longitude_deg = location?.coordinate.longitude ?? .nan
        c.heading_deg = present(MILEPOST_TRIP_HEADING, location?.heading, &c)
        c.speed_mps = present(MILEPOST_TRIP_SPEED, location?.speed, &c)
        guard let time = location?.time else { return }
        c.location_time_unix_ms = time
        c.fields |= UInt32(MILEPOST_TRIP_LOCATION_TIME)
    }

    /// The value, with its presence bit set when there is one; else NaN.
    private func present(_ bit: Int, _ value: Double?, _ c: inout milepost_trip_info) -> Double {
        guard let value, value.isFinite else { return .nan }
        c.fields |= UInt32(bit)
        return value
    }

    private func fillWaypoints(_ trip: Trip) {
        waypoints = []
        var way = trip.remainingDistance.map { Double($0) } ?? .nan
        for (index, waypoint) in trip.waypoints.enumerated() {
            if index > 0 { way += waypoint.distance.map { Double($0) } ?? .nan }
            waypoints.append(
                milepost_trip_waypoint(
                    kind: waypoint.kind.rawValue, is_own: waypoint.isOwn ? 1 : 0, latitude_deg: waypoint.coordinate.latitude,
                    longitude_deg: waypoint.coordinate.longitude, remaining_m: way,
                    eta_unix_ms: (index == 0 ? trip.eta : nil) ?? waypoint.eta ?? 0))
        }
    }
}
