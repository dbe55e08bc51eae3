import Navigation
import XCTest

@testable import FleetEngine

final class StopListTests: XCTestCase {
    private func stop(_ task: String?, _ state: VehicleStop.State = .new) -> VehicleStop {
        VehicleStop(coordinate: Coordinate(latitude: 48, longitude: 11), state: state, tasks: task.map { [$0] } ?? [])
    }

    func testTheFirstStopGoesThroughItsStatesAndLeaves() throws {
        var list = try StopList([stop("a"), stop("b")])
        try list.enrouteToNext()
        XCTAssertEqual(list.stops, [stop("a", .enroute), stop("b")])
        try list.arrive()
        XCTAssertEqual(list.stops, [stop("a", .arrived), stop("b")])
        try list.complete()
        XCTAssertEqual(list.stops, [stop("b")])
        try list.enrouteToNext()
        try list.arrive()
        try list.complete()
        XCTAssertEqual(list.stops, [])
    }

    func testAStepOutOfOrderIsRefusedAndChangesNothing() throws {
        let steps: [(inout StopList) throws -> Void] = [{ try $0.enrouteToNext() }, { try $0.arrive() }, { try $0.complete() }]
        for (index, state) in [VehicleStop.State.new, .enroute, .arrived].enumerated() {
            for (other, step) in steps.enumerated() where other != index {
                var list = try StopList([stop("a", state)])
                XCTAssertThrowsError(try step(&list)) { error in
                    guard case StopListError.outOfOrder(let reason) = error else { return XCTFail("\(error)") }
                    XCTAssertTrue(reason.contains("the next stop is \(state.name)"), reason)
                }
                XCTAssertEqual(list, try StopList([stop("a", state)]))
            }
        }
        for step in steps {
            var empty = StopList()
            XCTAssertThrowsError(try step(&empty)) { XCTAssertEqual("\($0)".contains("no stop is left"), true) }
        }
    }

    func testAListThatCannotBeIsRefusedByItsFirstFault() throws {
        let nowhere = VehicleStop(coordinate: Coordinate(latitude: 91, longitude: 0))
        let crowd = { (count: Int) in (0..<count).map { "t\($0)" } }
        for (list, words) in [
            ([], "0 stops"),
            ((0...StopList.limit).map { _ in stop(nil) }, "1001 stops"),
            ([stop("a"), nowhere], "stop 1: latitude 91.0"),
            ([stop("a"), stop("b"), stop("c", .enroute)], "stop 2 is ENROUTE: all but the first must be NEW"),
            ([stop("a"), stop("b", .arrived)], "stop 1 is ARRIVED"),
            ([stop("a"), stop("a/b")], "stop 1: task \"a/b\" must not hold"),
            ([stop("")], "stop 0: task \"\" must not be empty"),
            ([stop("a"), stop("a")], "stop 1: task \"a\" is given twice"),
            ([VehicleStop(coordinate: stop(nil).coordinate, tasks: crowd(5001))], "5001 tasks"),
        ] {
            XCTAssertThrowsError(try StopList(list)) { error in
                guard case StopListError.invalid(let reason) = error else { return XCTFail("\(error)") }
                XCTAssertTrue(reason.contains(words), reason)
            }
        }
        XCTAssertNoThrow(try StopList((0..<StopList.limit).map { _ in stop(nil) }))
        XCTAssertNoThrow(try StopList([VehicleStop(coordinate: stop(nil).coordinate, tasks: crowd(5000))]))
    }

    func testStopsOnTheWire() throws {
        var update = VehicleUpdate()
        let place = Coordinate(latitude: 48.25, longitude: 11)
        update.stops = [VehicleStop(coordinate: place, state: .enroute, tasks: ["a", "b \u{fc}"]), VehicleStop(coordinate: place)]
        let vehicle = try VehicleName(service: .delivery, provider: "p", vehicle: "v")
        let request = try XCTUnwrap(UpdateRequest(update, of: vehicle, form: .both))
        XCTAssertEqual(request.mask, "remainingVehicleJourneySegments")
        let point = #""plannedLocation":{"point":{"latitude":48.25,"longitude":11.0}}"#
        XCTAssertEqual(
            request.body,
            #"{"remainingVehicleJourneySegments":[{"stop":{\#(point),"tasks":[{"taskId":"a"},{"taskId":"b ü"}],"state":"ENROUTE"}},"#
                + #"{"stop":{\#(point),"state":"NEW"}}]}"#)
        update.stops = []
        XCTAssertEqual(UpdateRequest(update, of: vehicle, form: .both)?.body, #"{"remainingVehicleJourneySegments":[]}"#)
        XCTAssertNil(UpdateRequest(update, of: try VehicleName(service: .onDemand, provider: "p", vehicle: "v"), form: .both))
    }
}
