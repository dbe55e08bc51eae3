import FleetEngine
import Navigation

/// The desired state on disk, with the route and where the vehicle was on it. Each call is done whole or not at all, and on the disk when it returns:
/// it waits for that, some milliseconds, so the caller gathers changes that come together.
///
/// Reading gives only values that could have been saved; whatever else the file holds counts as never set.
public final class DesiredStateTable {
    private let database: Database
    private let setting: Statement
    private let clearing: Statement
    private let reading: Statement

    /// Longest route or tracker, bytes.
    public static var sizeLimit: Int { 16 << 20 }

    private enum Name: String {
        case owner
        case vehicle
        case isTracking = "tracking"
        case vehicleState = "vehicle_state"
        case interval
        case isOfflineDue = "offline_due"
        case areStopsDue = "stops_due"
        case route
        case tracker
    }

    init(_ database: Database) throws(StoreError) {
        self.database = database
        setting = try database.prepare("INSERT OR REPLACE INTO state VALUES(?,?)")
        clearing = try database.prepare("DELETE FROM state WHERE name = ?")
        reading = try database.prepare("SELECT value FROM state WHERE name = ?")
    }

    public func save(_ state: DesiredState) throws(StoreError) {
        try database.transaction { () throws(StoreError) in
            try set(.owner, state.owner.map { .text($0) })
            try set(.vehicle, state.vehicle.map { .text($0) })
            try set(.isTracking, .integer(state.isTracking ? 1 : 0))
            try set(.vehicleState, .integer(Int64(state.vehicleState.rawValue)))
            try set(.interval, state.interval.map { .integer(Int64($0)) })
            try set(.isOfflineDue, .integer(state.isOfflineDue ? 1 : 0))
            try set(.areStopsDue, .integer(state.areStopsDue ? 1 : 0))
            try save(state.stops)
        }
    }

    public func load() throws(StoreError) -> DesiredState {
        var state = DesiredState()
        try read(.owner) { state.owner = $0.text(0) }
        try read(.vehicle) { row in
            if let id = row.text(0), isResourceID(id) { state.vehicle = id }
        }
        try read(.isTracking) { state.isTracking = $0.integer(0) == 1 }
        try read(.vehicleState) { row in
            state.vehicleState = row.integer(0).flatMap { Int32(exactly: $0) }.flatMap { VehicleState(rawValue: $0) } ?? .offline
        }
        try read(.interval) { row in
            if let seconds = row.integer(0), (5...60).contains(seconds) { state.interval = Int(seconds) }
        }
        try read(.isOfflineDue) { state.isOfflineDue = $0.integer(0) == 1 }
        try read(.areStopsDue) { state.areStopsDue = $0.integer(0) == 1 }
        try loadStops(into: &state)
        return state
    }

    /// Replaces the route, nil for none, and forgets the tracker, which was on the former one.
    public func save(route: [UInt8]?) throws(StoreError) {
        try database.transaction { () throws(StoreError) in
            try set(.route, blob(route))
            try set(.tracker, nil)
        }
    }

    public func loadRoute() throws(StoreError) -> [UInt8]? { try loadBlob(.route) }

    /// Replaces where the vehicle is on the route, nil for nowhere.
    public func save(tracker: [UInt8]?) throws(StoreError) {
        try database.transaction { () throws(StoreError) in try set(.tracker, blob(tracker)) }
    }

    public func loadTracker() throws(StoreError) -> [UInt8]? { try loadBlob(.tracker) }

    private func set(_ name: Name, _ value: Statement.Value?) throws(StoreError) {
        if let value {
            try setting.run([.text(name.rawValue), value])
        } else {
            try clearing.run([.text(name.rawValue)])
        }
    }

    private func read(_ name: Name, _ body: (Row) -> Void) throws(StoreError) {
        try reading.forFirstRow([.text(name.rawValue)]) { row throws(StoreError) in body(row) }
    }

    private func blob(_ bytes: [UInt8]?) throws(StoreError) -> Statement.Value? {
        guard let bytes else { return nil }
        guard bytes.count <= Self.sizeLimit else {
            throw StoreError(.tooLarge, "\(bytes.count) bytes of route: at most \(Self.sizeLimit) are kept")
        }
        return .blob(bytes)
    }

    private func loadBlob(_ name: Name) throws(StoreError) -> [UInt8]? {
        var bytes: [UInt8]?
        try read(name) { bytes = $0.blob(0) }
        return bytes
    }
}

/// The stops, in a table of their own. An id has no comma, so their tasks go into one text.
extension DesiredStateTable {
    private func save(_ stops: [VehicleStop]) throws(StoreError) {
        try database.execute("DELETE FROM stop")
        let insertion = try database.prepare("INSERT INTO stop(latitude, longitude, state, tasks) VALUES(?,?,?,?)")
        for stop in stops {
            try insertion.run([
                .real(stop.coordinate.latitude), .real(stop.coordinate.longitude), .integer(Int64(stop.state.rawValue)),
                .text(stop.tasks.joined(separator: ",")),
            ])
        }
    }

    /// All of them or, when one is not valid, none: a list with a gap would finish the stop left out.
    private func loadStops(into state: inout DesiredState) throws(StoreError) {
        var stops: [VehicleStop] = []
        var isValid = true
        try database.prepare("SELECT latitude, longitude, state, tasks FROM stop ORDER BY place").forEachRow { row throws(StoreError) in
            if let stop = stop(row) { stops.append(stop) } else { isValid = false }
            return isValid
        }
        if isValid { state.stops = stops } else { state.areStopsDue = false }
    }

    private func stop(_ row: Row) -> VehicleStop? {
        let coordinate = Coordinate(latitude: row.real(0), longitude: row.real(1))
        guard coordinate.isValid,
            let state = row.integer(2).flatMap({ Int32(exactly: $0) }).flatMap({ VehicleStop.State(rawValue: $0) }),
            let tasks = row.text(3)?.split(separator: ",").map({ String($0) }), tasks.allSatisfy({ isResourceID($0) })
        else { return nil }
        return VehicleStop(coordinate: coordinate, state: state, tasks: tasks)
    }
}

private func isResourceID(_ id: String) -> Bool { (try? ResourceName.check(id)) != nil }
