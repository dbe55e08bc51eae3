/// The seconds left, by the route's own time profile at the vehicle's place: steady while it stands.
struct ArrivalEstimator: Sendable {
    /// Of the profile, at the vehicle: seconds from the start; NaN when the route declares no durations.
    private var seconds: Double

    init(route: Route) { seconds = route.elapsed.first ?? .nan }

    mutating func move(to seconds: Double) { self.seconds = seconds }

    func remaining(toVertex vertex: Int, of route: Route) -> Double {
        seconds.isNaN ? .nan : route.elapsed[vertex] - seconds
    }
}
