import FleetEngine

/// The vehicle's state as the host wants it, and whether the server knows.
struct VehicleStateReport {
    private(set) var value = VehicleState.offline
    /// Counts settings, so that an answer is not taken for that to an earlier one.
    private(set) var setting = 0
    /// It must be told, be it without anything else.
    private(set) var isDue = false
    /// It could not be told, and is not tried again.
    private(set) var isGivenUp = false
    private var confirmed: VehicleState?

    /// Whether there is anything to tell: not when the server knows, or is about to be told.
    mutating func set(_ state: VehicleState) -> Bool {
        if state == value && (isDue || state == confirmed) { return false }
        change(to: state, isDue: true)
        return true
    }

    mutating func change(to state: VehicleState, isDue: Bool) {
        value = state
        setting &+= 1
        self.isDue = isDue
        isGivenUp = false
    }

    mutating func startAfresh() {
        change(to: .offline, isDue: false)
        confirmed = nil
    }

    mutating func sent() { confirmed = nil }

    mutating func confirm(_ request: InFlight) {
        guard request.carriesState, request.stateSetting == setting else { return }
        confirmed = value
        isDue = false
        isGivenUp = false
    }

    mutating func giveUp() {
        isGivenUp = isGivenUp || isDue
        isDue = false
    }
}
