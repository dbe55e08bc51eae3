import Foundation
import Navigation
import XCTest

@testable import FleetEngine

/// Whatever a request can hold is in share/milepost/privacy.json, options or not, and nothing else is. What a whole unit sends is held against the
/// list in ScenarioTests.
final class PrivacyListTests: XCTestCase {
    private struct List: Decodable {
        struct Field: Decodable {
            var path: String
            var services: [String]
        }

        var fields: [Field]
    }

    private static let file = "share/milepost/privacy.json"

    private func listed(_ service: String) throws -> Set<String> {
        let root = (1...3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let list = try JSONDecoder().decode(List.self, from: Data(contentsOf: root.appendingPathComponent(Self.file)))
        return Set(list.fields.filter { $0.services.contains(service) }.map(\.path))
    }

    private func fullUpdate(snapped: Coordinate?) throws -> VehicleUpdate {
        let place = Coordinate(latitude: 48, longitude: 11)
        let other = Coordinate(latitude: 48.01, longitude: 11)
        var fix = Fix(coordinate: place)
        fix.time = 1_790_000_000
        fix.accuracy = 4
        fix.speed = 11
        fix.speedAccuracy = 1
        fix.heading = 90
        fix.headingAccuracy = 2
        fix.altitude = 500
        fix.altitudeAccuracy = 8
        var update = VehicleUpdate()
        update.vehicleState = .online
        update.navigationStatus = .enroute
        update.location = ReportedLocation(fix: fix, snapped: snapped, timeSinceUpdate: 3)
        update.pastFixes = [fix]
        update.remainingDistance = 100
        update.remainingDuration = 10
        update.segment = RouteSegment(along: [place, other], end: other)
        update.stops = [VehicleStop(coordinate: other, state: .new, tasks: ["task"])]
        return update
    }

    private func addLeaves(of value: Any, at path: String, to leaves: inout Set<String>) {
        switch value {
        case let object as [String: Any]:
            for (key, member) in object { addLeaves(of: member, at: path.isEmpty ? key : "\(path).\(key)", to: &leaves) }
        case let elements as [Any]: for element in elements { addLeaves(of: element, at: path + "[]", to: &leaves) }
        default: leaves.insert(path)
        }
    }

    func testWhatARequestCanHoldIsWhatIsListed() throws {
        for (service, words) in [(Service.onDemand, "on-demand"), (.delivery, "delivery")] {
            let name = try VehicleName(service: service, provider: "p", vehicle: "v")
            var sendable: Set<String> = []
            for form in [LocationForm.both, .supplemental, .sensor] {
                for snapped in [nil, Coordinate(latitude: 48.00001, longitude: 11)] {
                    let request = try XCTUnwrap(UpdateRequest(fullUpdate(snapped: snapped), of: name, form: form))
                    addLeaves(of: try JSONSerialization.jsonObject(with: Data(request.body.utf8)), at: "", to: &sendable)
                }
            }
            let listed = try listed(words)
            for path in sendable.subtracting(listed).sorted() {
                XCTFail("\(words): \(path) can leave the vehicle and is not listed: add it to \"fields\" in \(Self.file)")
            }
            for path in listed.subtracting(sendable).sorted() { XCTFail("\(words): \(path) is listed in \(Self.file) and never sent") }
        }
    }
}
