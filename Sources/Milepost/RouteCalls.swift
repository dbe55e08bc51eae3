public import CMilepost
import CSystem
import Navigation
import RouteFiles
import Runtime

@_cdecl("milepost_route_load_file") @implementation
public func milepost_route_load_file(_ path: UnsafePointer<CChar>?, _ route: UnsafeMutablePointer<OpaquePointer?>?) -> milepost_status {
    call { () throws(HostError) in
        let out = try pointer(route, "route")
        let path = try text(path, "path")
        var bytes: UnsafeMutablePointer<UInt8>?
        var length = 0
        let error = path.withCString { mp_file_read($0, RouteFile.maximumBytes, &bytes, &length) }
        guard error == 0, let bytes else { throw HostError(.file, "\(path): " + String(cString: mp_errno_text(error))) }
        defer { mp_free(bytes) }
        out.pointee = try handle(to: load(UnsafeRawBufferPointer(start: bytes, count: length), naming: path))
    }
}

@_cdecl("milepost_route_load") @implementation
public func milepost_route_load(
    _ bytes: UnsafeRawPointer?, _ length: Int, _ route: UnsafeMutablePointer<OpaquePointer?>?
) -> milepost_status {
    call { () throws(HostError) in
        let out = try pointer(route, "route")
        guard let bytes, length > 0 else { throw HostError(.argument, "bytes is NULL or length is 0: there is no route to load") }
        out.pointee = try handle(to: load(UnsafeRawBufferPointer(start: bytes, count: length), naming: nil))
    }
}

@_cdecl("milepost_route_load_polyline") @implementation
public func milepost_route_load_polyline(
    _ polyline: UnsafePointer<CChar>?, _ precision: Int32, _ route: UnsafeMutablePointer<OpaquePointer?>?
) -> milepost_status {
    call { () throws(HostError) in
        let out = try pointer(route, "route")
        let polyline = try text(polyline, "text", limit: RouteFile.maximumBytes)
        guard precision == 5 || precision == 6 else { throw HostError(.argument, "precision is \(precision): polylines have 5 or 6") }
        do throws(RouteFileError) {
            out.pointee = handle(to: try RouteFile.loadPolyline(polyline, precision: Int(precision)))
        } catch { throw HostError(.route, error.reason) }
    }
}

@_cdecl("milepost_route_create") @implementation
public func milepost_route_create(
    _ points: UnsafePointer<Double>?, _ pointCount: Int, _ waypointIndex: UnsafePointer<Int>?, _ legSeconds: UnsafePointer<Double>?,
    _ waypointCount: Int, _ route: UnsafeMutablePointer<OpaquePointer?>?
) -> milepost_status {
    call { () throws(HostError) in
        let out = try pointer(route, "route")
        guard let points else { throw HostError(.argument, "points_deg is NULL") }
        guard (2...Route.maxPoints).contains(pointCount) else {
            throw HostError(.route, "point_count is \(pointCount): a route has 2 to \(Route.maxPoints) points")
        }
        guard (0...Route.maxLegs).contains(waypointCount), (waypointIndex == nil) == (waypointCount == 0) else {
            throw HostError(.route, "waypoint_count is \(waypointCount): give an index for each of 1 to \(Route.maxLegs), or NULL and 0")
        }
        guard legSeconds == nil || waypointCount > 0 else { throw HostError(.route, "leg_s is given but waypoint_index is not") }
        let description = RouteDescription(
            points: (0..<pointCount).map { Coordinate(latitude: points[2 * $0], longitude: points[2 * $0 + 1]) },
            legEnds: waypointIndex.map { Array(UnsafeBufferPointer(start: $0, count: waypointCount)) } ?? [pointCount - 1],
            legDurations: legSeconds.map { Array(UnsafeBufferPointer(start: $0, count: waypointCount)) })
        do throws(RouteError) { out.pointee = handle(to: try Route(description)) } catch { throw HostError(.route, error.reason) }
    }
}

@_cdecl("milepost_route_get_info") @implementation
public func milepost_route_get_info(_ route: OpaquePointer?, _ info: UnsafeMutablePointer<milepost_route_info>?) -> milepost_status {
    call { () throws(HostError) in
        let route: Route = try object(route, "route")
        let out = try Out(info, "info")
        var c = milepost_route_info()
        c.point_count = route.count
        c.waypoint_count = route.legCount
        c.length_m = route.length
        c.duration_s = route.duration ?? .nan
        if route.duration != nil { c.fields |= UInt32(MILEPOST_ROUTE_INFO_DURATION) }
        out.write(&c)
    }
}

@_cdecl("milepost_route_destroy") @implementation
public func milepost_route_destroy(_ route: OpaquePointer?) { release(route, as: Route.self) }

private func load(_ bytes: UnsafeRawBufferPointer, naming path: String?) throws(HostError) -> Route {
    do throws(RouteFileError) {
        return try RouteFile.load(bytes)
    } catch {
        throw HostError(.route, path.map { "\($0): \(error.reason)" } ?? error.reason)
    }
}
