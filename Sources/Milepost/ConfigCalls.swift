public import CMilepost
import CSystem
import FleetEngine
import Positioning
import Runtime
import Store

/// What a configuration's handle stands for.
final class ConfigBox {
    var configuration: Configuration
    init(_ configuration: Configuration) { self.configuration = configuration }
}

@_cdecl("milepost_config_create") @implementation
public func milepost_config_create(_ service: milepost_service, _ config: UnsafeMutablePointer<OpaquePointer?>?) -> milepost_status {
    call { () throws(HostError) in
        let out = try pointer(config, "config")
        let service = try known(Service(rawValue: service), "service", service, "MILEPOST_SERVICE_ON_DEMAND or MILEPOST_SERVICE_DELIVERY")
        out.pointee = handle(to: ConfigBox(Configuration(service: service, userAgent: "milepost/" + MILEPOST_VERSION)))
    }
}

@_cdecl("milepost_config_destroy") @implementation
public func milepost_config_destroy(_ config: OpaquePointer?) { release(config, as: ConfigBox.self) }

@_cdecl("milepost_config_set_provider_id") @implementation
public func milepost_config_set_provider_id(_ config: OpaquePointer?, _ id: UnsafePointer<CChar>?) -> milepost_status {
    set(config) { configuration throws(HostError) in configuration.provider = try resourceID(id, "provider_id") }
}

@_cdecl("milepost_config_set_vehicle_id") @implementation
public func milepost_config_set_vehicle_id(_ config: OpaquePointer?, _ id: UnsafePointer<CChar>?) -> milepost_status {
    set(config) { configuration throws(HostError) in configuration.vehicle = try resourceID(id, "vehicle_id") }
}

@_cdecl("milepost_config_set_task_id") @implementation
public func milepost_config_set_task_id(_ config: OpaquePointer?, _ id: UnsafePointer<CChar>?) -> milepost_status {
    set(config) { configuration throws(HostError) in configuration.task = id == nil ? nil : try resourceID(id, "task_id") }
}

@_cdecl("milepost_config_set_trip_id") @implementation
public func milepost_config_set_trip_id(_ config: OpaquePointer?, _ id: UnsafePointer<CChar>?) -> milepost_status {
    set(config) { configuration throws(HostError) in configuration.trip = id == nil ? nil : try resourceID(id, "trip_id") }
}

@_cdecl("milepost_config_set_endpoint") @implementation
public func milepost_config_set_endpoint(_ config: OpaquePointer?, _ url: UnsafePointer<CChar>?) -> milepost_status {
    set(config) { configuration throws(HostError) in
        configuration.endpoint = try Endpoint(checking: text(url, "url"), allowsHTTP: configuration.allowsHTTP)
    }
}

@_cdecl("milepost_config_set_ca_file") @implementation
public func milepost_config_set_ca_file(_ config: OpaquePointer?, _ path: UnsafePointer<CChar>?) -> milepost_status {
    set(config) { configuration throws(HostError) in
        configuration.caFile = try readableFile(path, "path")
    }
}

@_cdecl("milepost_config_set_request_timeout") @implementation
public func milepost_config_set_request_timeout(_ config: OpaquePointer?, _ timeout: Int32) -> milepost_status {
    set(config) { configuration throws(HostError) in
        guard (1_000...120_000).contains(timeout) else { throw HostError(.argument, "timeout_ms is \(timeout): give 1,000 to 120,000") }
        configuration.requestTimeout = timeout
    }
}

@_cdecl("milepost_config_set_gpsd") @implementation
public func milepost_config_set_gpsd(
    _ config: OpaquePointer?, _ host: UnsafePointer<CChar>?, _ port: UnsafePointer<CChar>?, _ device: UnsafePointer<CChar>?
) -> milepost_status {
    set(config) { configuration throws(HostError) in
        let device = try optionalText(device, "device").map { path throws(HostError) in try devicePath(path) }
        configuration.gpsd = GpsdAddress(host: try text(host, "host", limit: 255), port: try text(port, "port", limit: 32), device: device)
    }
}

@_cdecl("milepost_config_set_interval") @implementation
public func milepost_config_set_interval(_ config: OpaquePointer?, _ seconds: Int32) -> milepost_status {
    set(config) { configuration throws(HostError) in configuration.interval = Int(seconds) }
}

@_cdecl("milepost_config_set_adaptive_interval") @implementation
public func milepost_config_set_adaptive_interval(_ config: OpaquePointer?, _ adaptive: Int32) -> milepost_status {
    set(config) { configuration throws(HostError) in configuration.isAdaptive = adaptive != 0 }
}

@_cdecl("milepost_config_set_share_route") @implementation
public func milepost_config_set_share_route(_ config: OpaquePointer?, _ share: Int32) -> milepost_status {
    set(config) { configuration throws(HostError) in configuration.sharesRoute = share != 0 }
}

@_cdecl("milepost_config_set_dead_reckoning") @implementation
public func milepost_config_set_dead_reckoning(_ config: OpaquePointer?, _ reckon: Int32) -> milepost_status {
    set(config) { configuration throws(HostError) in configuration.reckons = reckon != 0 }
}

@_cdecl("milepost_config_set_arrival_radius") @implementation
public func milepost_config_set_arrival_radius(_ config: OpaquePointer?, _ radius: Double) -> milepost_status {
    set(config) { configuration throws(HostError) in configuration.arrivalRadius = try arrivalRadius(radius) }
}

@_cdecl("milepost_config_set_speed") @implementation
public func milepost_config_set_speed(_ config: OpaquePointer?, _ speed: Double) -> milepost_status {
    set(config) { configuration throws(HostError) in configuration.speed = try routeSpeed(speed) }
}

@_cdecl("milepost_config_set_location_form") @implementation
public func milepost_config_set_location_form(_ config: OpaquePointer?, _ form: milepost_location_form) -> milepost_status {
    set(config) { configuration throws(HostError) in
        configuration.locationForm = try known(LocationForm(rawValue: form), "form", form, "one of MILEPOST_LOCATION_*")
    }
}

@_cdecl("milepost_config_set_state_directory") @implementation
public func milepost_config_set_state_directory(_ config: OpaquePointer?, _ path: UnsafePointer<CChar>?) -> milepost_status {
    set(config) { configuration throws(HostError) in configuration.stateDirectory = path == nil ? nil : try text(path, "path") }
}

@_cdecl("milepost_config_set_backlog_limits") @implementation
public func milepost_config_set_backlog_limits(
    _ config: OpaquePointer?, _ count: Int32, _ bytes: Int64, _ age: Int32
) -> milepost_status {
    set(config) { configuration throws(HostError) in
        guard (16...1_000_000).contains(count) else { throw HostError(.argument, "count is \(count): give 16 to 1,000,000") }
        guard (16_384...48_000_000).contains(bytes) else { throw HostError(.argument, "bytes is \(bytes): give 16,384 to 48,000,000") }
        guard (60...31_536_000).contains(age) else { throw HostError(.argument, "age_s is \(age): give 60 to 31,536,000") }
        configuration.backlogLimits = .ofReporter(count: Int(count), bytes: Int(bytes), age: Double(age))
    }
}

@_cdecl("milepost_config_set_waypoint_check") @implementation
public func milepost_config_set_waypoint_check(_ config: OpaquePointer?, _ tolerance: Double) -> milepost_status {
    set(config) { configuration throws(HostError) in
        guard tolerance == 0 || (1...10_000).contains(tolerance) else {
            throw HostError(.argument, "tolerance_m is \(tolerance): give 1 to 10,000, or 0 for no check")
        }
        configuration.waypointTolerance = tolerance == 0 ? nil : tolerance
    }
}

@_cdecl("milepost_config_set_log") @implementation
public func milepost_config_set_log(
    _ config: OpaquePointer?, _ level: Int32, _ function: milepost_log_function?, _ user: UnsafeMutableRawPointer?
) -> milepost_status {
    set(config) { configuration throws(HostError) in
        guard let function else { throw HostError(.argument, "function is NULL") }
        let level = try known(Log.Level(rawValue: level), "level", level, "one of MILEPOST_LOG_*")
        configuration.log = Log(level: level) { level, line in
            oneLine(line, limit: 1000).withCString { function(user, level.rawValue, $0) }
        }
    }
}

func set(_ config: OpaquePointer?, _ body: (inout Configuration) throws(HostError) -> Void) -> milepost_status {
    call { () throws(HostError) in
        let box: ConfigBox = try object(config, "config")
        try body(&box.configuration)
    }
}

/// A number of the host's as a case of an enumeration.
func known<Case>(_ value: Case?, _ name: StaticString, _ number: Int32, _ hint: StaticString) throws(HostError) -> Case {
    guard let value else { throw HostError(.argument, "\(name) is \(number): give \(hint)") }
    return value
}

private func devicePath(_ path: String) throws(HostError) -> DevicePath {
    guard let device = DevicePath(path) else {
        throw HostError(.argument, "device \"\(path)\" is longer than the 127 bytes that gpsd allows, or has control characters")
    }
    return device
}
