import Navigation
import XCTest

@testable import FleetEngine

final class UpdateRequestTests: XCTestCase {
    private func request(_ update: VehicleUpdate, _ service: Service = .onDemand, _ form: LocationForm = .both) throws -> UpdateRequest? {
        UpdateRequest(update, of: try VehicleName(service: service, provider: "p", vehicle: "v 1"), form: form)
    }

    private var fix: Fix {
        var fix = Fix(coordinate: Coordinate(latitude: 48.123456789, longitude: -11.5))
        fix.time = 1_738_774_952.543
        fix.accuracy = 3.5
        fix.speed = 12.34567
        fix.heading = 359.6
        fix.altitude = -4.25
        fix.speedAccuracy = 0.5
        fix.headingAccuracy = 2
        fix.altitudeAccuracy = 6
        return fix
    }

    private let motion =
        #""heading":0,"headingAccuracy":2.0,"speed":12.346,"speedAccuracy":0.5,"altitude":-4.25,"altitudeAccuracy":6.0"#
    private let supplemental =
        #""supplementalLocation":{"latitude":48.1234568,"longitude":-11.5},"supplementalLocationTime":"2025-02-05T17:02:32.543Z","#
        + #""supplementalLocationSensor":"CUSTOMER_SUPPLIED_LOCATION","supplementalLocationAccuracy":3.5"#
    private let snapped =
        #""location":{"latitude":48.1,"longitude":-11.6},"updateTime":"2025-02-05T17:02:32.543Z","#
        + #""locationSensor":"ROAD_SNAPPED_LOCATION_PROVIDER","isRoadSnapped":true,"rawLocation":{"latitude":48.1234568,"longitude":-11.5},"#
        + #""rawLocationTime":"2025-02-05T17:02:32.543Z","rawLocationSensor":"GPS","rawLocationAccuracy":3.5"#

    private func location(_ form: LocationForm, snapped: Coordinate?, age: Int32 = 0) throws -> String? {
        var update = VehicleUpdate()
        update.location = ReportedLocation(fix: fix, snapped: snapped, timeSinceUpdate: age)
        return try request(update, .delivery, form)?.body
    }

    func testLocationForms() throws {
        let road = Coordinate(latitude: 48.1, longitude: -11.6)
        XCTAssertEqual(try location(.both, snapped: nil), #"{"lastLocation":{\#(supplemental),\#(motion)}}"#)
        XCTAssertEqual(try location(.both, snapped: road), #"{"lastLocation":{\#(supplemental),\#(snapped),\#(motion)}}"#)
        XCTAssertEqual(try location(.supplemental, snapped: road), #"{"lastLocation":{\#(supplemental),\#(motion)}}"#)
        XCTAssertEqual(try location(.sensor, snapped: road), #"{"lastLocation":{\#(snapped),\#(motion)}}"#)
        XCTAssertEqual(
            try location(.sensor, snapped: nil, age: 7),
            #"{"lastLocation":{"location":{"latitude":48.1234568,"longitude":-11.5},"updateTime":"2025-02-05T17:02:32.543Z","#
                + #""locationSensor":"GPS","latlngAccuracy":3.5,\#(motion),"timeSinceUpdate":7}}"#)
    }

    func testPastFixesAreAListOfLocationsWithoutThoseThatWouldBeRefused() throws {
        var update = VehicleUpdate()
        update.pastFixes = [5.0, .nan, 6].map { time in
            var fix = Fix(coordinate: Coordinate(latitude: 1, longitude: 2))
            fix.time = time
            return fix
        }
        update.pastFixes.append(Fix(coordinate: Coordinate(latitude: 91, longitude: 2)))
        let place = #"ocation":{"latitude":1.0,"longitude":2.0},"#
        let own = { (time: String) in
            #"{"supplementalL\#(place)"supplementalLocationTime":"\#(time)","supplementalLocationSensor":"CUSTOMER_SUPPLIED_LOCATION"}"#
        }
        let measured = { (time: String) in #"{"l\#(place)"updateTime":"\#(time)","locationSensor":"GPS"}"# }
        let times = ["1970-01-01T00:00:05.000Z", "1970-01-01T00:00:06.000Z"]
        for service in [Service.onDemand, .delivery] {
            for (form, location) in [(LocationForm.both, own), (.supplemental, own), (.sensor, measured)] {
                let request = try request(update, service, form)
                XCTAssertEqual(request?.mask, "pastLocations")
                XCTAssertEqual(request?.body, #"{"pastLocations":[\#(times.map(location).joined(separator: ","))]}"#)
            }
        }
        update.pastFixes = [Fix(coordinate: Coordinate(latitude: 1, longitude: 2))]
        XCTAssertNil(try request(update, .delivery))
    }

    func testUnknownAndNonsensicalValuesAreLeftOut() throws {
        var update = VehicleUpdate()
        update.location = ReportedLocation(fix: Fix(coordinate: Coordinate(latitude: 0, longitude: 0)), snapped: nil, timeSinceUpdate: -5)
        let bare =
            #"{"lastLocation":{"supplementalLocation":{"latitude":0.0,"longitude":0.0},"supplementalLocationSensor":"CUSTOMER_SUPPLIED_LOCATION"}}"#
        XCTAssertEqual(try request(update, .delivery)?.body, bare)
        update.location?.fix.time = 1e300
        update.location?.fix.accuracy = -1
        update.location?.fix.speed = .infinity
        update.location?.fix.heading = 1e30
        update.location?.fix.altitude = 1e307
        update.location?.snapped = Coordinate(latitude: .nan, longitude: 0)
        XCTAssertEqual(try request(update, .delivery)?.body, bare)
        update.location?.fix.coordinate.latitude = .nan
        XCTAssertNil(try request(update, .delivery))
    }

    func testASlightlyNegativeSpeedIsAStandstill() throws {
        var update = VehicleUpdate()
        update.location = ReportedLocation(fix: fix, snapped: nil, timeSinceUpdate: 0)
        update.location?.fix.speed = -0.02
        XCTAssertTrue(try XCTUnwrap(request(update)).body.contains(#""speed":0.0,"#))
    }

    func testAnOnDemandUpdateInFull() throws {
        var update = VehicleUpdate()
        update.vehicleState = .online
        update.location = ReportedLocation(fix: Fix(coordinate: Coordinate(latitude: 1, longitude: 2)), snapped: nil, timeSinceUpdate: 0)
        update.remainingDistance = 266
        update.remainingDuration = 52
        update.navigationStatus = .enroute
        update.segment = RouteSegment(encoded: "AhY=", end: Coordinate(latitude: 3, longitude: 4.5))
        let request = try XCTUnwrap(request(update, .onDemand, .supplemental))
        let mask =
            "vehicleState,lastLocation,remainingTimeSeconds,remainingDistanceMeters,navigationStatus,currentRouteSegment,"
            + "currentRouteSegmentEndPoint"
        XCTAssertEqual(request.method, .put)
        XCTAssertEqual(request.mask, mask)
        XCTAssertEqual(request.target, "/v1/providers/p/vehicles/v%201?updateMask=\(mask)")
        XCTAssertEqual(
            request.body,
            #"{"vehicleState":"ONLINE","lastLocation":{"supplementalLocation":{"latitude":1.0,"longitude":2.0},"#
                + #""supplementalLocationSensor":"CUSTOMER_SUPPLIED_LOCATION"},"remainingTimeSeconds":52,"remainingDistanceMeters":266,"#
                + #""navigationStatus":"ENROUTE_TO_DESTINATION","currentRouteSegment":"AhY=","#
                + #""currentRouteSegmentEndPoint":{"location":{"point":{"latitude":3.0,"longitude":4.5}}}}"#)
    }

    func testADeliveryUpdateInFull() throws {
        var update = VehicleUpdate()
        update.vehicleState = .online
        update.remainingDistance = 0
        update.remainingDuration = 123
        update.navigationStatus = .arrived
        update.segment = RouteSegment(encoded: "AhY=", end: Coordinate(latitude: 3, longitude: 4.5))
        let request = try XCTUnwrap(request(update, .delivery))
        XCTAssertEqual(request.method, .patch)
        XCTAssertEqual(
            request.target,
            "/v1/providers/p/deliveryVehicles/v%201?updateMask=remainingDuration,remainingDistanceMeters,navigationStatus,currentRouteSegment,"
                + "currentRouteSegmentEndPoint")
        XCTAssertEqual(
            request.body,
            #"{"remainingDuration":"123s","remainingDistanceMeters":0,"navigationStatus":"ARRIVED_AT_DESTINATION","#
                + #""currentRouteSegment":"AhY=","currentRouteSegmentEndPoint":{"latitude":3.0,"longitude":4.5}}"#)
    }

    func testARouteIsTakenBackWithoutAnEndPoint() throws {
        var update = VehicleUpdate()
        update.navigationStatus = .noGuidance
        update.segment = .cleared
        XCTAssertEqual(try request(update)?.mask, "navigationStatus,currentRouteSegment")
        XCTAssertEqual(try request(update)?.body, #"{"navigationStatus":"NO_GUIDANCE","currentRouteSegment":""}"#)
    }

    func testNothingToTellIsNoRequest() throws {
        XCTAssertNil(try request(VehicleUpdate()))
        var update = VehicleUpdate()
        update.vehicleState = .offline
        XCTAssertNil(try request(update, .delivery))
        XCTAssertEqual(try request(update)?.body, #"{"vehicleState":"OFFLINE"}"#)
    }
}
