public import CMilepost
import FleetEngine
import Navigation
import Reporting
import RouteFiles
import Runtime

@_cdecl("milepost_reporter_set_guidance") @implementation
public func milepost_reporter_set_guidance(_ reporter: OpaquePointer?, _ guidance: UnsafePointer<milepost_guidance>?) -> milepost_status {
    with(reporter) { session throws(HostError) in
        session.setGuidance(guidance == nil ? nil : try HostGuidance(try read(guidance, "guidance")))
    }
}

extension HostGuidance {
    private static let pointLimit = 100_000
    private static let polylineLimit = 1 << 20

    fileprivate init(_ c: milepost_guidance) throws(HostError) {
        self.init()
        let has = { (bit: Int) in c.fields & UInt32(bit) != 0 }
        route = c.route
        if has(MILEPOST_GUIDANCE_STATUS) {
            status = try known(
                NavigationStatus(rawValue: c.navigation_status), "navigation_status", c.navigation_status,
                "MILEPOST_NAVIGATION_NO_GUIDANCE, _ENROUTE, _OFF_ROUTE or _ARRIVED")
        }
        if has(MILEPOST_GUIDANCE_DISTANCE) { remainingDistance = try Self.whole(c.remaining_m, "remaining_m") }
        if has(MILEPOST_GUIDANCE_DURATION) { remainingDuration = try Self.whole(c.remaining_s, "remaining_s") }
        if has(MILEPOST_GUIDANCE_WAYPOINT) {
            waypoint = try Self.place(c.waypoint_latitude_deg, c.waypoint_longitude_deg, "the waypoint")
        }
        points = try Self.line(c)
    }

    private static func whole(_ value: Double, _ name: StaticString) throws(HostError) -> Int32 {
        guard value >= 0, value <= Double(Int32.max), let whole = WholeNumber.rounded(value) else {
            throw HostError(.argument, "\(name) is \(value): give 0 to \(Int32.max)")
        }
        return whole
    }

    private static func place(_ latitude: Double, _ longitude: Double, _ name: String) throws(HostError) -> Coordinate {
        let place = Coordinate(latitude: latitude, longitude: longitude)
        guard place.isValid else { throw HostError(.argument, "\(name) is at latitude \(latitude), longitude \(longitude)") }
        return place
    }

    private static func line(_ c: milepost_guidance) throws(HostError) -> [Coordinate] {
        guard c.points_deg == nil || c.polyline == nil else {
            throw HostError(.argument, "points_deg and polyline are both there: give one")
        }
        if let polyline = c.polyline { return try decoded(polyline, Int(c.polyline_precision)) }
        guard let degrees = c.points_deg else { return [] }
        guard (1...pointLimit).contains(c.point_count) else {
            throw HostError(.argument, "point_count is \(UInt(bitPattern: c.point_count)): give 1 to \(pointLimit) points")
        }
        var points: [Coordinate] = []
        points.reserveCapacity(c.point_count)
        for index in 0..<c.point_count { points.append(try place(degrees[2 * index], degrees[2 * index + 1], "point \(index)")) }
        return points
    }

    private static func decoded(_ polyline: UnsafePointer<CChar>, _ precision: Int) throws(HostError) -> [Coordinate] {
        guard precision == 5 || precision == 6 else {
            throw HostError(.argument, "polyline_precision is \(precision): polylines have 5 or 6")
        }
        var text = try text(polyline, "polyline", limit: polylineLimit)
        let result = text.withUTF8 { bytes -> Result<[Coordinate], RouteFileError> in
            do throws(RouteFileError) {
                return .success(try EncodedPolyline.decode(bytes, precision: precision))
            } catch { return .failure(error) }
        }
        switch result {
        case .success(let points) where (1...pointLimit).contains(points.count): return points
        case .success(let points): throw HostError(.argument, "polyline has \(points.count) points: give 1 to \(pointLimit)")
        case .failure(let error): throw HostError(.argument, "polyline: \(error.reason)")
        }
    }
}
