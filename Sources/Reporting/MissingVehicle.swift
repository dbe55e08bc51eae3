import FleetEngine

/// A vehicle that the server does not have: told once, tried again slowly, gone on with as soon as it is there.
extension Reporter {
    mutating func miss() -> [ReporterEffect] {
        guard !isMissing else { return [] }
        isMissing = true
        let name = "vehicle \"\(vehicle.vehicle)\" of provider \"\(vehicle.provider)\""
        var occurrence = Occurrence(
            .vehicleNotFound, "Fleet Engine has no \(name): create it through your backend; updates go on by themselves once it is there")
        occurrence.interval = Int(BackOff.slow)
        return [.occurred(occurrence)]
    }

    mutating func find() -> [ReporterEffect] {
        guard isMissing else { return [] }
        isMissing = false
        return [.occurred(Occurrence(.vehicleFound, "Fleet Engine has vehicle \"\(vehicle.vehicle)\" again: updates go on"))]
    }
}
