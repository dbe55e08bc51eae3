import FleetEngine
import Navigation

/// What is sent.
extension Reporter {
    /// Makes a request of the newest data and takes it as under way.
    mutating func compose(bearer: String) -> OutgoingRequest? {
        if nextStopsSend <= now { return composeStops(bearer: bearer) }
        // What the server is to be told goes first.
        if nextUpdateSend > now, nextCheckSend <= now { return composeCheck(bearer: bearer) }
        let fix = fixes.untold
        let update = nextUpdate()
        isChangeNew = false
        isResendDue = false
        guard let wire = UpdateRequest(update, of: vehicle, form: settings.locationForm) else { return nil }
        lastRequestID &+= 1
        let request = InFlight(
            id: lastRequestID, update: update, mask: wire.mask, sentAt: now, leg: guidance.leg, stretch: guidance.stretch,
            stateSetting: state.setting, fix: update.location == nil ? nil : fix,
            batch: update.pastFixes.isEmpty ? nil : backlog.batch?.id)
        inFlight = request
        lastSent = now
        if update.location != nil { isFirstReportDue = false }
        if request.carriesState { state.sent() }
        told.sent(request)
        return OutgoingRequest(id: request.id, method: wire.method, target: wire.target, body: wire.body, bearer: bearer)
    }

    private mutating func nextUpdate() -> VehicleUpdate {
        var update = VehicleUpdate()
        let fix = isTracking ? fixes.newest : nil
        if vehicle.service == .onDemand, state.isDue || fix != nil { update.vehicleState = state.value }
        guard isTracking else { return update }
        update.leg = guidance.leg.leg
        update.navigationStatus = guidanceDue.status
        update.segment = nextSegment()
        guard let fix else { return update }
        update.location = ReportedLocation(fix: fix, snapped: guidance.snapped, timeSinceUpdate: fixes.send(at: now))
        update.pastFixes = backlog.due?.fixes ?? []
        if settings.sharesRoute {
            update.remainingDistance = guidance.remainingDistance
            update.remainingDuration = guidance.remainingDuration
        }
        return update
    }

    /// The route ahead when that is new or was told long ago; the empty one when guidance has ended, so that the server drops the old values.
    private mutating func nextSegment() -> RouteSegment? {
        guard settings.sharesRoute, guidance.leg != told.refused else { return nil }
        let due = guidanceDue
        if due.status == .noGuidance { return .cleared }
        guard due.stretch != nil || guidance.isSegmentRenewed && told.segmentIsOld(at: now) else { return nil }
        guard let segment = guidance.segment else {
            told.refused = guidance.leg
            return nil
        }
        return segment
    }
}
