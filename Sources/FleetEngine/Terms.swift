/// Which of Fleet Engine's two services a vehicle belongs to.
public enum Service: Int32, Sendable {
    /// Rides and on-demand deliveries: `vehicles`.
    case onDemand = 1
    /// Scheduled tasks: `deliveryVehicles`.
    case delivery = 2
}

/// google.maps.fleetengine.v1.VehicleState.
public enum VehicleState: Int32, Sendable {
    case offline = 1
    case online = 2
}

/// google.maps.fleetengine.v1.NavigationStatus; the delivery service has the same numbers.
public enum NavigationStatus: Int32, Sendable {
    case noGuidance = 1
    case enroute = 2
    case offRoute = 3
    case arrived = 4
}

/// How a position is put into `lastLocation`.
public enum LocationForm: Int32, Sendable {
    /// `supplementalLocation` always; `location` and `rawLocation` besides when the fix is snapped.
    case both = 0
    case supplemental = 1
    /// `location` and `rawLocation`, as Google's SDK on a phone does.
    case sensor = 2
}

public enum HTTPMethod: String, Sendable {
    case get = "GET"
    case put = "PUT"
    case patch = "PATCH"
}
