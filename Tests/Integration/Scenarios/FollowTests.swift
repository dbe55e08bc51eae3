import Foundation
import XCTest

/// The example program `follow`: fixes in, progress out, a line each.
final class FollowTests: XCTestCase {
    private struct Line: Decodable {
        struct Waypoint: Decodable {
            var remaining_m: Double?
            var remaining_s: Double?
        }
        var time: String?
        var state: String
        var leg: Int
        var estimated: Bool
        var along_m: Double?
        var remaining_m: Double?
        var remaining_s: Double?
        var cross_track_m: Double?
        var lat: Double?
        var lon: Double?
        var waypoints: [Waypoint]
        var events: [Event]
    }

    private struct Event: Decodable {
        var kind: String
        var reason: String
        var waypoint: Int?
    }

    private static let keys: Set = [
        "time", "state", "leg", "estimated", "along_m", "remaining_m", "remaining_s", "low_s", "high_s", "cross_track_m", "lat", "lon",
        "waypoints",
        "events",
    ]

    private func follow(_ route: String, _ fixes: String, _ options: [String] = []) throws -> Child {
        try Child(Places.program("follow"), options + [route, fixes])
    }

    /// Its lines, each of them one JSON object with every key.
    private func lines(_ child: Child) throws -> [Line] {
        XCTAssertEqual(try child.exitStatus(), 0, child.errors.text)
        return try child.output.lines.map { text in
            let object = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], text)
            XCTAssertEqual(Set(object.keys), Self.keys, text)
            return try JSONDecoder().decode(Line.self, from: Data(text.utf8))
        }
    }

    func testProgressIsThatOfTheTruth() throws {
        let drive = try Drive(seed: 7, length: 1500)
        let lines = try lines(follow(drive.route, drive.csv))
        XCTAssertEqual(lines.count, drive.fixes.count)
        var moving = 0
        for line in lines {
            let time = try XCTUnwrap(line.time)
            let fix = try XCTUnwrap(drive.fixes[time], time)
            guard fix.speed > 0 else { continue }
            moving += 1
            let along = try XCTUnwrap(line.along_m, time), truth = try XCTUnwrap(drive.truth[time])
            XCTAssertEqual(along, truth, accuracy: 15, time)
            XCTAssertEqual(try XCTUnwrap(line.remaining_m), drive.length - truth, accuracy: 15, time)
            let snapped = Position(latitude: try XCTUnwrap(line.lat), longitude: try XCTUnwrap(line.lon))
            // Progress waits where the fix falls back, so the snapped point may lie ahead of the foot.
            XCTAssertLessThan(abs(try XCTUnwrap(line.cross_track_m)), snapped.distance(to: fix.position) + 0.2, time)
            XCTAssertEqual(line.waypoints.count, 3)
            for (waypoint, end) in zip(line.waypoints, drive.legEnds) {
                XCTAssertEqual(try XCTUnwrap(waypoint.remaining_m), max(0, end.along - truth), accuracy: 15, time)
            }
        }
        XCTAssertGreaterThan(moving, 100)
        XCTAssertEqual(lines.map(\.leg), lines.map(\.leg).sorted())
        XCTAssertEqual(Set(lines.map(\.leg)), [0, 1, 2])
        XCTAssertTrue(lines.allSatisfy { ["on_route", "arrived"].contains($0.state) })
        XCTAssertEqual(lines.last?.state, "arrived")
    }

    func testWhatTheRealGpsdSaysGivesTheSameProgress() throws {
        let drive = try Drive(seed: 7, length: 1500)
        let last = try XCTUnwrap(drive.fixes.keys.max())
        let feed = try drive.feed(speed: 0)
        let report = try temporaryFolder().write(gpsdReports(port: feed.port, until: "\"time\":\"\(last)\""), "gpsd.json")
        // Until gpsd has heard the date its reports have no time.
        let said = try lines(follow(drive.route, report)).filter { $0.time != nil }
        let written = try lines(follow(drive.route, drive.csv))
        XCTAssertTrue(said.map(\.time) == written.map(\.time), "\(said.count) of \(written.count)")
        for (one, other) in zip(said, written) {
            let time = try XCTUnwrap(one.time)
            XCTAssertEqual(one.leg, other.leg, time)
            XCTAssertEqual(one.state, other.state, time)
            XCTAssertEqual(try XCTUnwrap(one.along_m), try XCTUnwrap(other.along_m), accuracy: 1, time)
            XCTAssertEqual(try XCTUnwrap(one.remaining_s), try XCTUnwrap(other.remaining_s), accuracy: 1, time)
        }
    }

    /// Everything that gpsd sends to one who watches, up to the report that holds some words.
    private func gpsdReports(port: String, until words: String) throws -> String {
        let socket = try HTTP.connect(port: XCTUnwrap(UInt16(port)))
        defer { close(socket) }
        let watch = Array("?WATCH={\"enable\":true,\"json\":true}\n".utf8)
        XCTAssertEqual(Glibc.send(socket, watch, watch.count, Int32(MSG_NOSIGNAL)), watch.count)
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { throw Failure("gpsd has not said \(words)") }
            text += String(decoding: buffer[..<count], as: UTF8.self)
            if let end = text.range(of: words), let line = text[end.upperBound...].firstIndex(of: "\r\n") { return String(text[...line]) }
        }
    }

    func testADriveBesideTheRouteIsOffRouteWithoutWhatRemains() throws {
        let drive = try Drive(seed: 4, length: 600, faults: ["jump@50:30:120"])
        let lines = try lines(follow(drive.route, drive.csv))
        let states = lines.reduce(into: [String]()) { if $0.last != $1.state { $0.append($1.state) } }
        XCTAssertEqual(states, ["on_route", "uncertain", "off_route", "on_route", "arrived"])
        let changes = lines.flatMap(\.events).map { "\($0.kind) \($0.reason)" }.filter { !$0.hasPrefix("waypoint") }
        XCTAssertEqual(changes.first, "acquired only_place")
        XCTAssertTrue(changes.contains { $0.hasPrefix("left_route ") } && changes.contains { $0.hasPrefix("rejoined ") }, "\(changes)")
        XCTAssertEqual(changes.last, "arrived reached")
        let off = lines.filter { $0.state == "off_route" }
        XCTAssertTrue(
            off.allSatisfy { $0.remaining_m == nil && $0.remaining_s == nil && $0.waypoints.allSatisfy { $0.remaining_m == nil } })
        XCTAssertEqual(lines.last?.along_m ?? .nan, drive.length, accuracy: 15)
    }

    func testADriveInTwoPartsGoesOnAsItWasSaved() throws {
        let drive = try Drive(seed: 7, length: 1500)
        let folder = try temporaryFolder()
        let saved = folder.path("saved")
        let rows = try String(contentsOfFile: drive.csv, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: true)
        let middle = rows.count / 2
        let first = try folder.write(rows[..<middle].joined(separator: "\n") + "\n", "first.csv")
        let second = try folder.write(([rows[0]] + rows[middle...]).joined(separator: "\n") + "\n", "second.csv")
        let options = ["--dwell", "0=60", "--radius", "1=25", "--skip", "1"]
        let whole = try lines(follow(drive.route, drive.csv, options))
        let before = try lines(follow(drive.route, first, options + ["--save", saved]))
        let after = try lines(follow(drive.route, second, ["--restore", saved]))
        XCTAssertEqual(before.count + after.count, whole.count)
        for (line, expected) in zip(before + after, whole) {
            XCTAssertEqual(line.state, expected.state)
            XCTAssertEqual(line.leg, expected.leg)
            XCTAssertEqual(line.along_m ?? .nan, expected.along_m ?? .nan, accuracy: 0.05)
            XCTAssertEqual(line.remaining_s ?? .nan, expected.remaining_s ?? .nan, accuracy: 0.2)
        }
        XCTAssertFalse(whole.flatMap(\.events).contains { $0.kind == "waypoint_arrived" && $0.waypoint == 1 })
        let other = try Drive(seed: 8, length: 600)
        let refused = try follow(other.route, other.csv, ["--restore", saved])
        XCTAssertEqual(try refused.exitStatus(), 1)
        XCTAssertTrue(refused.errors.text.contains("another route"), refused.errors.text)
    }

    func testAGapIsBridgedSecondBySecond() throws {
        let drive = try Drive(seed: 2, length: 900, faults: ["gap@97:20"])
        let plain = try lines(follow(drive.route, drive.csv))
        let bridged = try lines(follow(drive.route, drive.csv, ["--reckon"]))
        XCTAssertFalse(plain.contains { $0.estimated })
        let estimates = bridged.filter(\.estimated)
        XCTAssertEqual(estimates.count, 19, "from two seconds after the last fix on")
        XCTAssertEqual(estimates.last?.state, "stale")
        for line in estimates {
            let time = try XCTUnwrap(line.time)
            XCTAssertEqual(try XCTUnwrap(line.along_m), try XCTUnwrap(drive.truth[time]), accuracy: 40, time)
        }
        XCTAssertEqual(bridged.flatMap(\.events).map(\.kind).filter { ["stale", "resumed"].contains($0) }, ["stale", "resumed"])
        let followed = bridged.filter { !$0.estimated && $0.state != "stale" }
        XCTAssertEqual(followed.map(\.along_m), plain.map(\.along_m))
    }

    func testWrongUseAndUnreadableFixesAreToldApart() throws {
        let drive = try Drive(seed: 4, length: 600)
        let folder = try temporaryFolder()
        let header = "time,lat,lon,accuracy_m,speed_mps,heading_deg\n"
        let rows: [(arguments: [String], status: Int32, words: String)] = [
            ([], 2, "usage: follow [OPTIONS] ROUTE FIXES"),
            ([drive.route], 2, "usage: follow [OPTIONS] ROUTE FIXES"),
            (["--nonsense", "1", drive.route, drive.csv], 2, "follow: --nonsense 1 (see --help)"),
            (["--dwell", "3", drive.route, drive.csv], 2, "follow: --dwell 3 (see --help)"),
            (["--dwell", "9=3", drive.route, drive.csv], 1, "waypoint is 9: the route has 3"),
            (["--radius", "1", drive.route, drive.csv], 1, "radius_m is 1"),
            (["--restore", folder.path("none"), drive.route, drive.csv], 1, "No such file or directory"),
            ([folder.path("none"), drive.csv], 1, "follow: \(folder.path("none")): No such file or directory"),
            ([drive.route, folder.path("none")], 1, "follow: \(folder.path("none")): No such file or directory"),
            (
                [drive.route, drive.route.replacingOccurrences(of: "route.json", with: "truth.csv")], 1,
                "line 1 is neither gpsd's JSON nor the CSV header"
            ),
            (
                [drive.route, try folder.write(header + "2024-05-14T08:00:00Z,52.5,x,,,\n", "bad.csv")], 1,
                "line 2: column lon cannot be read"
            ),
            ([drive.route, try folder.write(header + "yesterday,52.5,13.4,,,\n", "time.csv")], 1, "line 2: column time cannot be read"),
            ([drive.route, try folder.write(header, "none.csv")], 0, "follow: 0 fixes followed, 0 refused"),
        ]
        for row in rows {
            let follow = try Child(Places.program("follow"), row.arguments)
            XCTAssertEqual(try follow.exitStatus(), row.status, "\(row.arguments)")
            XCTAssertTrue(follow.errors.text.contains(row.words), "\(row.arguments): \(follow.errors.text)")
            XCTAssertEqual(follow.output.lines, [])
        }
    }
}
