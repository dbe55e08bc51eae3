import XCTest

@testable import FleetEngine

final class DeclaredWaypointsTests: XCTestCase {
    private func read(_ body: String, _ service: Service) -> [Double?]? {
        DeclaredWaypoints.read(Array(body.utf8), service)?.map { $0?.latitude }
    }

    func testAnOnDemandVehiclesWaypointsAreRead() {
        let body =
            #"{"name":"n","waypoints":[{"location":{"point":{"latitude":48,"longitude":11}}},{"location":{"point":{"longitude":1}}}]}"#
        XCTAssertEqual(read(body, .onDemand), [48, 0])
        XCTAssertEqual(read(body, .delivery), [])
    }

    func testADeliveryVehiclesStopsAreRead() {
        let body =
            #"{"name":"n","remainingVehicleJourneySegments":[{"stop":{"plannedLocation":{"point":{"latitude":48,"longitude":11}}}},{"stop":{}}]}"#
        XCTAssertEqual(read(body, .delivery), [48, nil], "a place that is not told keeps its own place in the list")
    }

    func testWhatIsNoVehicleIsNone() {
        for body in ["", "[]", "{}", "<html>", #"{"error":{}}"#] { XCTAssertNil(read(body, .onDemand), body) }
        XCTAssertEqual(read(#"{"name":"n"}"#, .onDemand), [])
    }
}
