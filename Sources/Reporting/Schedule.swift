import FleetEngine
import Navigation

/// What of the guidance the server does not know yet.
struct GuidanceDue: Equatable {
    var status: NavigationStatus?
    var stretch: SegmentKey?

    var isEmpty: Bool { status == nil && stretch == nil }
}

/// When something is sent.
extension Reporter {
    /// An update goes out at least so often while tracking, even without a newer fix, seconds.
    static let longestSilence: Int64 = 60

    var guidanceDue: GuidanceDue {
        var due = GuidanceDue()
        let status = guidance.status ?? (told.mayHoldRoute ? .noGuidance : nil)
        if status != told.status { due.status = status }
        if settings.sharesRoute, let stretch = guidance.stretch, stretch != told.segment, stretch.leg != told.refused {
            due.stretch = stretch
        }
        return due
    }

    /// Something waits to be told on its own account.
    var isChangeDue: Bool { state.isDue || isTracking && !guidanceDue.isEmpty }

    /// Does what is due now.
    mutating func proceed() -> [ReporterEffect] {
        var effects: [ReporterEffect] = []
        expireHostGuidance()
        if watch.isDue(at: now) { effects.append(.reckon(at: now)) }
        if let failure = tokens.expireQuestion(at: now) { effects += tokenFailed(failure) }
        let next = nextSend
        if next <= now, let bearer = tokens.text(at: now) {
            if let request = compose(bearer: bearer) { effects.append(.send(request)) }
        } else if tokens.isQuestionDue(for: next, at: now) {
            effects.append(.fetchToken(id: tokens.ask(at: now), tokens.context))
        }
        return effects
    }

    var nextDeadline: Instant { min(watch.deadline, hostGuidanceEnd, tokens.deadline(for: nextSend, at: now)) }

    /// When the next request is due; .max for never, in the past for at once.
    var nextSend: Instant {
        guard inFlight == nil, !waypointCheck.isUnderWay else { return .max }
        return min(nextStopsSend, nextUpdateSend, nextCheckSend)
    }

    var nextUpdateSend: Instant {
        let reportsPosition = isTracking && fixes.newest != nil
        if isChangeDue ? isChangeNew || isResendDue : isResendDue && reportsPosition { return backOff.hold }
        let change = isChangeDue ? backOff.until : .max
        return reportsPosition ? min(change, max(slot, backOff.until)) : change
    }

    /// When the next position is due. Without a newer fix the slot passes.
    private var slot: Instant {
        guard !isFirstReportDue, let lastSent else { return .min }
        return lastSent.adding(seconds: fixes.isSent ? Self.longestSilence : Int64(pace.interval))
    }
}
