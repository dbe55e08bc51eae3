import FleetEngine

/// The stops travel alone, in requests of their own, between those with positions: the server lets some tokens change only one of the two.
extension Reporter {
    /// As the host has set them last.
    public var stops: StopList { stopReport.list }

    /// The server does not know them yet.
    public var areStopsDue: Bool { stopReport.isDue }

    /// As an earlier run has left them. Before the first event.
    public mutating func resumeStops(_ list: StopList, areDue: Bool) {
        if vehicle.service == .delivery { stopReport.resume(list, isDue: areDue) }
    }

    /// When they are to go out; .max for never.
    var nextStopsSend: Instant { stopReport.nextSend(after: backOff.hold) }

    mutating func composeStops(bearer: String) -> OutgoingRequest? {
        var update = VehicleUpdate()
        update.stops = stops.stops
        stopReport.sent()
        guard let wire = UpdateRequest(update, of: vehicle, form: settings.locationForm) else { return nil }
        lastRequestID &+= 1
        inFlight = InFlight(
            id: lastRequestID, update: update, mask: wire.mask, sentAt: now, leg: guidance.leg, stretch: nil, stateSetting: state.setting,
            stopSetting: stopReport.setting)
        return OutgoingRequest(id: lastRequestID, method: wire.method, target: wire.target, body: wire.body, bearer: bearer)
    }

    /// What follows from the answer to stops, or from none.
    mutating func stopsAnswered(_ request: InFlight, _ setting: Int, _ result: TransportResult) -> [ReporterEffect] {
        switch result {
        case .answer(let status, _, _) where (200..<300).contains(status):
            hasTriedFreshToken = false
            stopReport.confirm(setting)
            let update = SucceededUpdate(httpStatus: status, update: request.update, mask: request.mask, serverETA: nil)
            return [.succeeded(update)] + find()
        case .answer(let status, let body, let retryAfter):
            let error = ErrorResponse(httpStatus: status, body: body)
            let (wait, stretching) = obey(status, error, retryAfter)
            stopsRefused(request, setting, status, error.code)
            var failure = failedStops(request, error.code, status, error.message)
            failure.describe(error, wait)
            return [.failed(failure)] + stretching + (failure.meaning == .gone ? miss() : [])
        case .failed(let timedOut, let message):
            stopReport.failed(request.sentAt, interval: pace.interval)
            return [.failed(failedStops(request, timedOut ? .deadlineExceeded : .unavailable, 0, message))]
        case .untrusted(let message):
            stopReport.failed(request.sentAt, interval: pace.interval)
            var failure = failedStops(request, .unavailable, 0, message)
            failure.meaning = .configuration
            return [.failed(failure)]
        }
    }

    private mutating func stopsRefused(_ request: InFlight, _ setting: Int, _ status: Int, _ code: CanonicalCode) {
        if status == 401 || status == 403 { tokens.drop() }
        switch (status, code) {
        case (401, _) where !hasTriedFreshToken:
            hasTriedFreshToken = true
            stopReport.resendAtOnce()
        case (400, .invalidArgument), (400, .outOfRange): stopReport.giveUp(setting)
        case (403, _), (404, _): stopReport.misconfigured(request.sentAt)
        default: stopReport.failed(request.sentAt, interval: pace.interval)
        }
    }

    private func failedStops(_ request: InFlight, _ code: CanonicalCode, _ status: Int, _ message: String) -> FailedUpdate {
        FailedUpdate(code: code, httpStatus: status, message: message, willRetry: stopReport.isDue, mask: request.mask)
    }
}
