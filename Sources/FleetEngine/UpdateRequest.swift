import JSON
import Navigation

/// An update as it goes over the wire.
public struct UpdateRequest: Sendable {
    public let method: HTTPMethod
    /// From the leading "/v1" on, with the query, percent-encoded.
    public let target: String
    /// The field mask: comma-separated, never empty.
    public let mask: String
    /// The vehicle in protobuf's JSON mapping.
    public let body: String

    /// nil when the update tells nothing that the vehicle's service knows. A position that is no coordinate is left out.
    public init?(_ update: VehicleUpdate, of name: VehicleName, form: LocationForm) {
        let body = MaskedBody()
        switch name.service {
        case .onDemand: body.addOnDemand(update, form)
        case .delivery: body.addDelivery(update, form)
        }
        guard !body.mask.isEmpty else { return nil }
        mask = body.mask
        self.body = body.json.text()
        target = "\(name.path)?updateMask=\(mask)"
        method =
            switch name.service {
            case .onDemand: .put
            case .delivery: .patch
            }
    }
}

/// A vehicle and the mask that names the fields set in it.
private final class MaskedBody {
    let json = JSONBuilder.object()
    private(set) var mask = ""

    func addOnDemand(_ update: VehicleUpdate, _ form: LocationForm) {
        if let state = update.vehicleState { add("vehicleState", state.name) }
        add(update.location, form)
        add(update.pastFixes, form)
        if let seconds = update.remainingDuration { add("remainingTimeSeconds", Int(seconds)) }
        if let metres = update.remainingDistance { add("remainingDistanceMeters", Int(metres)) }
        if let status = update.navigationStatus { add("navigationStatus", status.name) }
        guard let segment = update.segment else { return }
        add("currentRouteSegment", segment.encoded)
        guard let end = segment.end else { return }
        // A TripWaypoint; a point alone is enough for the server to find the waypoint.
        let location = JSONBuilder.object()
        location.set("point", end.body)
        let waypoint = JSONBuilder.object()
        waypoint.set("location", location)
        add("currentRouteSegmentEndPoint", waypoint)
    }

    func addDelivery(_ update: VehicleUpdate, _ form: LocationForm) {
        add(update.location, form)
        add(update.pastFixes, form)
        if let seconds = update.remainingDuration { add("remainingDuration", "\(seconds)s") }
        if let metres = update.remainingDistance { add("remainingDistanceMeters", Int(metres)) }
        if let status = update.navigationStatus { add("navigationStatus", status.name) }
        if let stops = update.stops { add("remainingVehicleJourneySegments", list(stops)) }
        guard let segment = update.segment else { return }
        add("currentRouteSegment", segment.encoded)
        if let end = segment.end { add("currentRouteSegmentEndPoint", end.body) }
    }

    private func list(_ stops: [VehicleStop]) -> JSONBuilder {
        let list = JSONBuilder.array()
        for stop in stops { list.append(stop.segment) }
        return list
    }

    private func add(_ location: ReportedLocation?, _ form: LocationForm) {
        guard var location, location.fix.coordinate.isValid else { return }
        if let snapped = location.snapped, !snapped.isValid { location.snapped = nil }
        add("lastLocation", location.body(form))
    }

    /// VehicleLocations too. One without a time or a position would have the whole update refused.
    private func add(_ past: [Fix], _ form: LocationForm) {
        let list = JSONBuilder.array()
        var isEmpty = true
        for fix in past where fix.coordinate.isValid && fix.time.isFinite {
            list.append(ReportedLocation(fix: fix, snapped: nil, timeSinceUpdate: 0).body(form))
            isEmpty = false
        }
        if !isEmpty { add("pastLocations", list) }
    }

    private func add(_ field: StaticString, _ value: String) {
        name(field)
        json.set(field, value)
    }

    private func add(_ field: StaticString, _ value: Int) {
        name(field)
        json.set(field, value)
    }

    private func add(_ field: StaticString, _ value: JSONBuilder) {
        name(field)
        json.set(field, value)
    }

    private func name(_ field: StaticString) {
        if !mask.isEmpty { mask += "," }
        field.withUTF8Buffer { mask += String(decoding: $0, as: UTF8.self) }
    }
}

extension VehicleState {
    var name: String {
        switch self {
        case .offline: "OFFLINE"
        case .online: "ONLINE"
        }
    }
}

extension NavigationStatus {
    var name: String {
        switch self {
        case .noGuidance: "NO_GUIDANCE"
        case .enroute: "ENROUTE_TO_DESTINATION"
        case .offRoute: "OFF_ROUTE"
        case .arrived: "ARRIVED_AT_DESTINATION"
        }
    }
}
