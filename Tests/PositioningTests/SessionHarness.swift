import Foundation
import Navigation
import XCTest

@testable import Positioning

/// A session on a clock set by hand, with what it put out.
final class SessionHarness {
    let session: GpsdSession
    var now: Int64 = 0
    /// Since the last `clear`.
    private(set) var fixes: [Fix] = []
    private(set) var states: [String] = []
    private(set) var notes: [String] = []
    private(set) var sent: [String] = []
    private(set) var connects = 0
    private(set) var disconnects = 0

    static let watch = "?WATCH={\"enable\":true,\"json\":true};\n"

    init(device: String? = nil, seed: UInt64 = 1) {
        session = GpsdSession(device: device.flatMap(DevicePath.init), seed: seed)
    }

    static func connected(device: String? = nil) -> SessionHarness {
        let harness = SessionHarness(device: device)
        harness.handle(.started)
        harness.handle(.connected)
        harness.clear()
        return harness
    }

    var seconds: Double {
        get { Double(now) / 1e9 }
        set { now = Int64((newValue * 1e9).rounded()) }
    }

    func handle(_ input: GpsdSession.Input) {
        for output in session.handle(input, at: now) {
            switch output {
            case .connect: connects += 1
            case .send(let text): sent.append(text)
            case .disconnect: disconnects += 1
            case .fix(let fix): fixes.append(fix)
            case .state(let state, let detail): states.append("\(state): \(detail)")
            case .note(let note): notes.append(note)
            }
        }
    }

    func clear() {
        (fixes, states, notes, sent) = ([], [], [], [])
        (connects, disconnects) = (0, 0)
    }

    func receive(_ text: String) {
        Array(text.utf8).withUnsafeBytes { handle(.received($0)) }
    }

    /// Lets the time pass, with the timer whenever the session asks for it.
    func wait(_ seconds: Double) {
        let end = now + Int64((seconds * 1e9).rounded())
        while session.deadline <= end {
            now = max(now, session.deadline)
            let due = session.deadline
            handle(.timer)
            XCTAssertGreaterThan(session.deadline, due, "the timer did nothing")
            if session.deadline <= due { return }
        }
        now = end
        handle(.timer)
    }

    /// A line of gpsd's.
    func tpv(_ members: String, device: String = "/dev/a") { receive("{\"class\":\"TPV\",\"device\":\"\(device)\",\(members)}\r\n") }

    /// A report so many seconds into the drive, 10 m further north each second. `extra` begins with a comma.
    func report(_ second: Double, mode: Int = 3, device: String = "/dev/a", extra: String = ",\"speed\":10,\"track\":0") {
        tpv("\"mode\":\(mode),\(Self.time(second)),\(Self.position(second))\(extra)", device: device)
    }

    static func time(_ second: Double) -> String {
        let whole = Int(second)
        return String(
            format: "\"time\":\"2024-05-14T%02d:%02d:%02d.%03dZ\"", 8 + whole / 3600, whole / 60 % 60, whole % 60,
            Int(((second - Double(whole)) * 1000).rounded()))
    }

    static func position(_ second: Double) -> String { String(format: "\"lat\":%.7f,\"lon\":13.4", 52.5 + second * 10 / 111_195) }
}
