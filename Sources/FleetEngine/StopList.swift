import Navigation

/// Why a list of stops, or a change of one, is refused.
public enum StopListError: Error, Equatable {
    /// The list cannot be: which stop, and the rule it breaks.
    case invalid(String)
    /// Not in the state that the list is in.
    case outOfOrder(String)
}

/// The stops a delivery vehicle has ahead of it. Only the first may be under way or reached, as in Google's Driver SDK.
public struct StopList: Equatable, Sendable {
    public private(set) var stops: [VehicleStop] = []

    /// Most stops, and most tasks in all, so that a request stays below about a megabyte.
    public static let limit = 1000
    public static let taskLimit = 5000

    public init() {}

    /// Throws the rule that the list breaks.
    public init(_ stops: [VehicleStop]) throws(StopListError) {
        guard (1...Self.limit).contains(stops.count) else { throw .invalid("\(stops.count) stops: give 1 to \(Self.limit)") }
        var tasks = Set<String>()
        for index in stops.indices {
            try Self.check(stops[index], index)
            for id in stops[index].tasks where !tasks.insert(id).inserted {
                throw .invalid("stop \(index): task \"\(id)\" is given twice")
            }
        }
        guard tasks.count <= Self.taskLimit else { throw .invalid("\(tasks.count) tasks: give at most \(Self.taskLimit)") }
        self.stops = stops
    }

    private static func check(_ stop: VehicleStop, _ index: Int) throws(StopListError) {
        guard stop.coordinate.isValid else {
            throw .invalid("stop \(index): latitude \(stop.coordinate.latitude), longitude \(stop.coordinate.longitude) is no position")
        }
        guard index == 0 || stop.state == .new else { throw .invalid("stop \(index) is \(stop.state.name): all but the first must be NEW") }
        for id in stop.tasks {
            do throws(ResourceNameError) {
                try ResourceName.check(id)
            } catch { throw .invalid("stop \(index): task \"\(error.value)\" \(error.rule)") }
        }
    }

    /// The vehicle is under way to the first stop.
    public mutating func enrouteToNext() throws(StopListError) { try move(from: .new, to: .enroute) }

    /// The vehicle has reached the first stop.
    public mutating func arrive() throws(StopListError) { try move(from: .enroute, to: .arrived) }

    /// What was to be done at the first stop is done: it leaves the list.
    public mutating func complete() throws(StopListError) {
        try requireFirst(.arrived)
        stops.removeFirst()
    }

    private mutating func move(from former: VehicleStop.State, to state: VehicleStop.State) throws(StopListError) {
        try requireFirst(former)
        stops[0].state = state
    }

    private func requireFirst(_ state: VehicleStop.State) throws(StopListError) {
        guard let first = stops.first else { throw .outOfOrder("no stop is left: set the stops first") }
        guard first.state == state else { throw .outOfOrder("the next stop is \(first.state.name), not \(state.name)") }
    }
}
