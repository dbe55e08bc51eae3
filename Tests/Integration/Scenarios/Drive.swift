import Foundation
import XCTest

struct Position: Decodable, Sendable, Equatable {
    var latitude: Double
    var longitude: Double

    /// Metres, on a sphere: good to half a per cent over the short distances here.
    func distance(to other: Position) -> Double {
        let degree = Double.pi / 180
        let north = (other.latitude - latitude) * degree
        let east = (other.longitude - longitude) * degree * cos((latitude + other.latitude) / 2 * degree)
        return 6_371_000 * (north * north + east * east).squareRoot()
    }
}

/// A drive through an invented town, made for one test: its route, what a receiver says, and where the vehicle truly was.
final class Drive: Sendable {
    let folder: TemporaryFolder
    /// Where each leg ends: position and metres from the start of the route.
    let legEnds: [(position: Position, along: Double)]
    /// Metres along the route, by time (RFC 3339, milliseconds).
    let truth: [String: Double]
    /// The fixes of drive.csv, by time.
    let fixes: [String: (position: Position, speed: Double)]

    private struct RouteFile: Decodable {
        struct Waypoint: Decodable { var location: [Double] }
        struct Leg: Decodable { var distance: Double }
        struct Route: Decodable { var legs: [Leg] }
        var waypoints: [Waypoint]
        var routes: [Route]
    }

    init(seed: Int, length: Int, faults: [String] = []) throws {
        folder = try TemporaryFolder()
        let maker = try Places.python(
            "Feeds/make_drive.py",
            ["--seed", "\(seed)", "--length", "\(length)", "--out", folder.url.path] + faults.flatMap { ["--fault", $0] })
        guard try maker.exitStatus() == 0 else { throw Failure(maker.transcript) }
        let file = try JSONDecoder().decode(RouteFile.self, from: Data(contentsOf: folder.url.appendingPathComponent("route.json")))
        var along = 0.0
        var ends: [(position: Position, along: Double)] = []
        for (waypoint, leg) in zip(file.waypoints.dropFirst(), try XCTUnwrap(file.routes.first).legs) {
            along += leg.distance
            ends.append((Position(latitude: waypoint.location[1], longitude: waypoint.location[0]), along))
        }
        legEnds = ends
        truth = try Dictionary(uniqueKeysWithValues: Self.rows(folder, "truth.csv").map { ($0[0], Double($0[1]) ?? .nan) })
        let rows = try Self.rows(folder, "drive.csv")
        fixes = Dictionary(
            rows.map { cells in
                let position = Position(latitude: Double(cells[1]) ?? .nan, longitude: Double(cells[2]) ?? .nan)
                return (cells[0], (position, Double(cells[4]) ?? .nan))
            }, uniquingKeysWith: { first, _ in first })
    }

    private static func rows(_ folder: TemporaryFolder, _ name: String) throws -> [[String]] {
        try String(contentsOfFile: folder.path(name), encoding: .utf8).split(separator: "\n").dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    var route: String { folder.path("route.json") }
    var csv: String { folder.path("drive.csv") }
    var length: Double { legEnds.last?.along ?? .nan }

    /// The real gpsd, fed this drive from the moment that somebody listens.
    func feed(speed: Int, _ more: [String] = []) throws -> Feed {
        try Feed(self, "feed_gpsd.py", ["--speed", "\(speed)"] + more)
    }

    /// The same through gpsfake, as fast as gpsd reads.
    func gpsfake() throws -> Feed { try Feed(self, "gpsfake_feed.py", []) }
}

/// A gpsd and the program that feeds it.
final class Feed {
    let child: Child
    let port: String
    private let drive: Drive

    init(_ drive: Drive, _ script: String, _ arguments: [String]) throws {
        self.drive = drive
        child = try Places.python("Feeds/" + script, ["--log", drive.folder.path("drive.log"), "--hold"] + arguments)
        port = try child.line(after: "port")
        _ = try child.line(after: "listening")
    }
}
