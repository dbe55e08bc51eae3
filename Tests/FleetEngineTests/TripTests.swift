import XCTest

@testable import FleetEngine

/// A trip as a consumer reads it.
final class TripTests: XCTestCase {
    private func trip(_ body: String) -> Trip? { Trip(body: Array(body.utf8), id: "mine") }

    func testEverythingAConsumerIsToldIsRead() throws {
        let trip = try XCTUnwrap(
            trip(
                """
                {"name":"providers/p/trips/mine","tripStatus":"ENROUTE_TO_PICKUP","lastLocation":{"location":{"latitude":48.5,"longitude":-9},
                "heading":90,"speed":7.5,"updateTime":"2026-01-31T12:00:00Z","serverTime":"2026-01-31T12:00:01.500Z"},
                "remainingDistanceMeters":1200,"remainingTimeToFirstWaypoint":"90.5s","etaToFirstWaypoint":"2026-01-31T12:05:00Z",
                "currentRouteSegmentVersion":"2026-01-31T11:59:00.123456Z",
                "remainingWaypoints":[
                {"tripId":"other","waypointType":"DROP_OFF_WAYPOINT_TYPE","location":{"point":{"latitude":48.6,"longitude":-9}}},
                {"tripId":"mine","waypointType":"PICKUP_WAYPOINT_TYPE","location":{"point":{"latitude":48.7,"longitude":-9}},
                "distanceMeters":800,"eta":"2026-01-31T12:07:00Z"}]}
                """))
        XCTAssertEqual(trip.status, .enrouteToPickup)
        let location = try XCTUnwrap(trip.location)
        XCTAssertEqual(
            [location.coordinate.latitude, location.coordinate.longitude, location.heading, location.speed], [48.5, -9, 90, 7.5])
        XCTAssertEqual(location.time, 1_769_860_800_000)
        XCTAssertEqual(location.serverTime, 1_769_860_801_500)
        XCTAssertEqual(trip.remainingDistance, 1200)
        XCTAssertEqual(trip.remainingDuration, 91, "rounded up")
        XCTAssertEqual(trip.eta, 1_769_861_100_000)
        XCTAssertEqual(trip.segmentVersion, "2026-01-31T11:59:00.123456Z")
        XCTAssertEqual(trip.waypoints.map(\.kind), [.dropoff, .pickup])
        XCTAssertEqual(trip.waypoints.map(\.isOwn), [false, true])
        XCTAssertEqual(trip.waypoints.map(\.distance), [nil, 800])
        XCTAssertEqual(trip.waypoints.map(\.eta), [nil, 1_769_861_220_000])
    }

    func testZerosLeftOutOfAPositionAreZerosAndAPositionGivenByTheAppCounts() throws {
        let equator = try XCTUnwrap(trip(#"{"name":"n","lastLocation":{"location":{"longitude":9}}}"#)?.location)
        XCTAssertEqual(equator.coordinate.latitude, 0)
        XCTAssertTrue(equator.heading.isNaN && equator.speed.isNaN)
        let given = #"{"supplementalLocation":{"latitude":1},"supplementalLocationTime":"2026-01-31T12:00:00Z"}"#
        let own = try XCTUnwrap(trip(#"{"name":"n","lastLocation":\#(given)}"#)?.location)
        XCTAssertEqual(own.coordinate.latitude, 1)
        XCTAssertEqual(own.time, 1_769_860_800_000)
        XCTAssertNil(trip(#"{"name":"n","lastLocation":{"location":{"latitude":91}}}"#)?.location)
    }

    /// As Google's logs show: the last distance and arrival stay in the answers after the end.
    func testWhatIsLeftOfATripThatIsOverIsLeftOut() throws {
        let frozen = #""remainingDistanceMeters":267,"etaToFirstWaypoint":"2026-01-31T12:05:00Z","remainingTimeToFirstWaypoint":"0s""#
        for (name, status) in [("COMPLETE", TripStatus.complete), ("CANCELED", .canceled)] {
            let over = try XCTUnwrap(trip(#"{"name":"n","tripStatus":"\#(name)",\#(frozen)}"#))
            XCTAssertEqual(over.status, status)
            XCTAssertTrue(over.status.isOver)
            XCTAssertNil(over.remainingDistance)
            XCTAssertNil(over.remainingDuration)
            XCTAssertNil(over.eta)
        }
    }

    func testWhatIsNoTripIsNone() {
        for body in ["", "[]", "{}", "<html>", #"{"name":7}"#, #"{"name":"n""#, String(repeating: "[", count: 10_000)] {
            XCTAssertNil(trip(body), body)
        }
        XCTAssertEqual(trip(#"{"name":"n"}"#)?.status, .unknown)
        XCTAssertEqual(trip(#"{"name":"n","tripStatus":"SOMETHING_NEW","remainingWaypoints":[7,{}]}"#)?.status, .unknown)
    }

    func testTheRequestAsksForTheViewOfOthersAndNotForAKnownSegmentAgain() {
        let query = "view=JOURNEY_SHARING_V1S&routeFormatType=ENCODED_POLYLINE_TYPE"
        XCTAssertEqual(TripRequest.target(provider: "p", trip: "a b", knownSegment: nil), "/v1/providers/p/trips/a%20b?\(query)")
        XCTAssertEqual(
            TripRequest.target(provider: "p", trip: "t", knownSegment: "2026-01-31T12:00:00Z"),
            "/v1/providers/p/trips/t?\(query)&currentRouteSegmentVersion=2026-01-31T12%3A00%3A00Z")
    }
}
