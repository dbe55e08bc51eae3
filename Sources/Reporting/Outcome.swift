import FleetEngine

/// What follows from an answer, or from none.
extension Reporter {
    mutating func answered(_ id: UInt64, _ result: TransportResult) -> [ReporterEffect] {
        guard let request = inFlight, request.id == id else { return [] }
        inFlight = nil
        if request.isAbandoned { return [] }
        if let setting = request.stopSetting { return [stopsAnswered(request, setting, result)] }
        switch result {
        case .answer(let status, let body, _) where (200..<300).contains(status):
            return [.succeeded(succeeded(request, status, body))] + find()
        case .answer(let status, let body, let retryAfter):
            let failure = refused(request, status, body, retryAfter)
            return [.failed(failure)] + (failure.code == .notFound ? miss() : [])
        case .failed(let timedOut, let message):
            backOff.failed(request.sentAt, interval: Int64(interval))
            return [.failed(failed(request, timedOut ? .deadlineExceeded : .unavailable, httpStatus: 0, message, again: false))]
        }
    }

    /// There is no token for what was to be sent.
    mutating func tokenFailed(_ failure: TokenFailure) -> [ReporterEffect] {
        guard tokens.text(at: now) == nil, nextSend <= now else { return [] }
        isChangeNew = false
        isResendDue = false
        backOff.failed(now, interval: Int64(interval))
        stopReport.sent()
        stopReport.failed(now, interval: interval)
        if !isTracking { state.giveUp() }
        let willRetry = isTracking || stopReport.isDue
        return [.failed(FailedUpdate(code: .unauthenticated, httpStatus: 0, message: failure.message, willRetry: willRetry, mask: ""))]
    }

    private mutating func succeeded(_ request: InFlight, _ status: Int, _ body: [UInt8]) -> SucceededUpdate {
        backOff.succeeded()
        hasTriedFreshToken = false
        state.confirm(request)
        told.confirmed(request)
        let eta = vehicle.service == .onDemand ? VehicleResponse(body: body).etaToFirstWaypoint : nil
        return SucceededUpdate(httpStatus: status, update: request.update, mask: request.mask, serverETA: eta)
    }

    private mutating func refused(_ request: InFlight, _ status: Int, _ body: [UInt8], _ retryAfter: Int?) -> FailedUpdate {
        let error = ErrorResponse(httpStatus: status, body: body)
        if let seconds = retryAfter ?? error.retryDelay { backOff.asked(now, seconds: seconds) }
        let again = reactAtOnce(to: status, request)
        return failed(request, error.code, httpStatus: status, error.message, again: again)
    }

    /// Does something about the cause; true when the update is to be sent again at once, otherwise it waits.
    private mutating func reactAtOnce(to status: Int, _ request: InFlight) -> Bool {
        if status == 401 || status == 403 { tokens.drop() }
        switch status {
        case 401 where !hasTriedFreshToken:
            hasTriedFreshToken = true
            return true
        case 400 where request.update.segment != nil:
            told.refused = request.leg
            return true
        case 403, 404: backOff.misconfigured(request.sentAt)
        default: backOff.failed(request.sentAt, interval: Int64(interval))
        }
        return false
    }

    private mutating func failed(
        _ request: InFlight, _ code: CanonicalCode, httpStatus: Int, _ message: String, again: Bool
    ) -> FailedUpdate {
        if request.update.location != nil { fixes.lost() }
        let carriesLatestState = request.carriesState && request.stateSetting == state.setting
        let willRetry = isTracking || again && carriesLatestState && state.isDue
        isResendDue = again
        if !willRetry, carriesLatestState { state.giveUp() }
        return FailedUpdate(code: code, httpStatus: httpStatus, message: message, willRetry: willRetry, mask: request.mask)
    }
}
