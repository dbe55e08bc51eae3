import Foundation
import XCTest

/// What the options for small data budgets save, as the emulator counts it.
final class DataBudgetTests: XCTestCase {
    private struct Counts: Decodable {
        var name: String
        var updates: Int
        var requestBytes: Int
        var answerBytes: Int
    }

    /// Of each vehicle by its name.
    private func counts(_ emulator: Emulator, _ service: Telematics.Service) throws -> [String: Counts] {
        let answer = try HTTP.send("GET", port: emulator.port, "/control/statistics")
        let all = try JSONDecoder().decode([Counts].self, from: answer.body).filter { $0.name.contains("/\(service.collection)/") }
        return Dictionary(all.map { (String($0.name.split(separator: "/").last ?? ""), $0) }, uniquingKeysWith: { first, _ in first })
    }

    func testRequestsAndAnswersGetShorterAndSayTheSame() throws {
        let drive = try Drive(seed: 5, length: 600)
        let feed = try drive.feed(speed: 1)
        for service in Telematics.Service.allCases {
            let emulator = try Emulator(vehicles: ["plain", "packed", "partial"])
            func unit(_ vehicle: String, _ options: [String]) throws -> Telematics {
                try Telematics(emulator, vehicle: vehicle, service, gpsd: feed, route: drive.route, options)
            }
            let units = try [unit("plain", []), unit("packed", ["--compress-requests"]), unit("partial", ["--partial-responses"])]
            for unit in units {
                let updates = try unit.updates(atLeast: 3)
                XCTAssertEqual(updates.map(\.status), updates.map { _ in 200 }, unit.child.transcript)
                XCTAssertTrue(updates.contains { $0.body?.lastLocation?.supplementalLocation != nil }, "\(unit.vehicle): \(updates)")
            }
            let counts = try counts(emulator, service)
            let (plain, packed, partial) = try (
                XCTUnwrap(counts["plain"]), XCTUnwrap(counts["packed"]), XCTUnwrap(counts["partial"])
            )
            XCTAssertLessThan(packed.requestBytes / packed.updates, plain.requestBytes / plain.updates * 9 / 10)
            XCTAssertLessThan(partial.answerBytes / partial.updates, plain.answerBytes / plain.updates / 4)
            print(
                "\(service): request \(plain.requestBytes / plain.updates), packed \(packed.requestBytes / packed.updates) bytes;",
                "answer \(plain.answerBytes / plain.updates), partial \(partial.answerBytes / partial.updates) bytes")
        }
    }
}
