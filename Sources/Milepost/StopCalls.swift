public import CMilepost
import FleetEngine
import Navigation
import Runtime

@_cdecl("milepost_reporter_set_stops") @implementation
public func milepost_reporter_set_stops(_ reporter: OpaquePointer?, _ stops: UnsafePointer<milepost_stop>?, _ count: Int) -> milepost_status
{
    with(reporter) { session throws(HostError) in try session.setStops(try vehicleStops(stops, count)) }
}

@_cdecl("milepost_reporter_enroute_to_next_stop") @implementation
public func milepost_reporter_enroute_to_next_stop(_ reporter: OpaquePointer?) -> milepost_status {
    with(reporter) { session throws(HostError) in try session.enrouteToNextStop() }
}

@_cdecl("milepost_reporter_arrived_at_stop") @implementation
public func milepost_reporter_arrived_at_stop(_ reporter: OpaquePointer?) -> milepost_status {
    with(reporter) { session throws(HostError) in try session.arrivedAtStop() }
}

@_cdecl("milepost_reporter_completed_stop") @implementation
public func milepost_reporter_completed_stop(_ reporter: OpaquePointer?) -> milepost_status {
    with(reporter) { session throws(HostError) in try session.completedStop() }
}

@_cdecl("milepost_reporter_get_stop_count") @implementation
public func milepost_reporter_get_stop_count(_ reporter: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?) -> milepost_status {
    with(reporter) { session throws(HostError) in try pointer(count, "count").pointee = session.stops.count }
}

@_cdecl("milepost_reporter_get_stop") @implementation
public func milepost_reporter_get_stop(_ reporter: OpaquePointer?, _ index: Int, _ stop: UnsafeMutablePointer<milepost_stop>?)
    -> milepost_status
{
    with(reporter) { session throws(HostError) in
        let out = try Out(stop, "stop")
        var c = milepost_stop(try remaining(session, index), nil)
        out.write(&c)
    }
}

@_cdecl("milepost_reporter_get_stop_task") @implementation
public func milepost_reporter_get_stop_task(
    _ reporter: OpaquePointer?, _ index: Int, _ task: Int, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> milepost_status {
    with(reporter) { session throws(HostError) in
        let out = try pointer(buffer, "buffer")
        let tasks = try remaining(session, index).tasks
        guard tasks.indices.contains(task) else {
            throw HostError(.notFound, "stop \(index) has \(tasks.count) tasks: there is no \(UInt(bitPattern: task))")
        }
        let id = tasks[task].utf8
        guard id.count < capacity else {
            throw HostError(.argument, "capacity is \(capacity): this task's id needs \(id.count + 1), any id MILEPOST_ID_SIZE")
        }
        for (place, byte) in id.enumerated() { out[place] = CChar(bitPattern: byte) }
        out[id.count] = 0
    }
}

private func remaining(_ session: ReporterSession, _ index: Int) throws(HostError) -> VehicleStop {
    let stops = session.stops
    guard stops.indices.contains(index) else {
        throw HostError(.notFound, "\(stops.count) stops are left: there is no \(UInt(bitPattern: index))")
    }
    return stops[index]
}
