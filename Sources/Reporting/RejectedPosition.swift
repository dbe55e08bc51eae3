import FleetEngine
import Navigation

/// A position that the server has not taken: its answer shows the vehicle somewhere else.
extension Reporter {
    /// The server may snap a position to a road; this far off, metres, or three times the error, it has not taken it.
    static let rejectionDistance = 100.0

    /// Told once, until one is taken again.
    mutating func compare(_ request: InFlight, with response: VehicleResponse) -> [ReporterEffect] {
        guard let sent = request.update.location, let shown = response.location else { return [] }
        let places = [sent.fix.coordinate] + (sent.snapped.map { [$0] } ?? [])
        let offset = places.map { distance(from: $0, to: shown) }.min() ?? 0
        let isRejected = offset > max(Self.rejectionDistance, sent.fix.accuracy.isFinite ? 3 * sent.fix.accuracy : 0)
        defer { positionIsRejected = isRejected }
        guard isRejected else { return [] }
        rejectedPositions &+= 1
        guard !positionIsRejected else { return [] }
        var occurrence = Occurrence(
            .positionRejected,
            "the server has not taken the position: it shows the vehicle \(WholeNumber.rounded(offset) ?? .max) m from where it was reported"
        )
        occurrence.distance = offset
        return [.occurred(occurrence)]
    }
}
