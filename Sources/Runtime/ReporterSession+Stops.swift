import FleetEngine
import Reporting

/// The host's calls about a delivery vehicle's stops.
extension ReporterSession {
    /// Those ahead, as set last.
    public var stops: [VehicleStop] { state.with { $0.reporter.stops.stops } }

    public func setStops(_ stops: [VehicleStop]) throws(HostError) {
        try changeStops { list throws(StopListError) in list = try StopList(stops) }
    }

    public func enrouteToNextStop() throws(HostError) { try changeStops { list throws(StopListError) in try list.enrouteToNext() } }

    public func arrivedAtStop() throws(HostError) { try changeStops { list throws(StopListError) in try list.arrive() } }

    public func completedStop() throws(HostError) { try changeStops { list throws(StopListError) in try list.complete() } }

    /// Changes the list that is there at this moment, whoever else changes it.
    private func changeStops(_ change: (inout StopList) throws(StopListError) -> Void) throws(HostError) {
        guard configuration.service == .delivery else {
            throw HostError(.state, "an on-demand vehicle has no stops: its waypoints come from its trips")
        }
        try state.with { state throws(HostError) in
            var list = state.reporter.stops
            do throws(StopListError) {
                try change(&list)
            } catch { throw HostError(error) }
            state.note(.stops(list))
        }
        loop.mailbox.wake()
    }
}

extension HostError {
    fileprivate init(_ error: StopListError) {
        switch error {
        case .invalid(let reason): self.init(.argument, reason)
        case .outOfOrder(let reason): self.init(.state, reason)
        }
    }
}
