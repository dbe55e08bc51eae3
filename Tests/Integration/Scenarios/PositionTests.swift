import XCTest

/// Drives on which positions do not come as they should.
final class PositionTests: XCTestCase {
    private func unit(_ drive: Drive, _ feed: Feed) throws -> Telematics {
        try Telematics(Emulator(), gpsd: feed, route: drive.route, ["--exit-on-arrival"])
    }

    private func statuses(_ updates: [Emulator.Entry]) -> [String] { updates.compactMap(\.body?.navigationStatus) }

    func testAGpsdThatIsKilledAndComesBackIsFollowedToTheEnd() throws {
        let drive = try Drive(seed: 2, length: 900)
        // Three sentences a second: a minute and a half are driven.
        let feed = try drive.feed(speed: 40, ["--restart-after", "270"])
        let unit = try unit(drive, feed)
        XCTAssertEqual(try unit.child.exitStatus(), 0, unit.child.transcript)
        XCTAssertEqual(unit.positionStates, ["connecting", "no data", "fix", "connecting", "no data", "fix"])
        let updates = try unit.updates()
        XCTAssertEqual(statuses(updates), ["ENROUTE_TO_DESTINATION", "ARRIVED_AT_DESTINATION"])
        let times = updates.compactMap { $0.body?.lastLocation?.supplementalLocationTime }
        XCTAssertEqual(times, times.sorted())
        XCTAssertTrue(times.contains { $0 < "2024-05-14T08:01:30" } && times.contains { $0 > "2024-05-14T08:01:30" }, "\(times)")
        XCTAssertTrue(unit.child.output.text.contains("gpsd: connecting: gpsd closed the connection"))
    }

    func testGpsfakeIsFollowedToTheEnd() throws {
        let drive = try Drive(seed: 3, length: 900)
        let unit = try unit(drive, drive.gpsfake())
        XCTAssertEqual(try unit.child.exitStatus(), 0, unit.child.transcript)
        XCTAssertEqual(unit.positionStates, ["connecting", "no data", "fix"])
        let updates = try unit.updates()
        XCTAssertEqual(statuses(updates), ["ENROUTE_TO_DESTINATION", "ARRIVED_AT_DESTINATION"])
        let ends = updates.compactMap { $0.body?.currentRouteSegmentEndPoint?.position }
        XCTAssertEqual(ends.last.map { $0.distance(to: drive.legEnds[2].position) } ?? .nan, 0, accuracy: 0.5)
    }

    func testThroughATunnelThePositionIsCarriedOnAndReportedAsAnEstimate() throws {
        // A minute without a word from the receiver, which is twelve seconds here.
        let drive = try Drive(seed: 2, length: 900, faults: ["gap@90:60"])
        let feed = try drive.feed(speed: 5)
        let unit = try Telematics(Emulator(), gpsd: feed, route: drive.route, ["--exit-on-arrival", "--dead-reckoning"])
        XCTAssertEqual(try unit.child.exitStatus(), 0, unit.child.transcript)
        XCTAssertEqual(unit.routeEvents.filter { ["stale", "resumed", "left"].contains($0) }, ["stale", "resumed"], unit.child.transcript)
        XCTAssertEqual(unit.positionStates, ["connecting", "no data", "fix", "no data", "fix"])
        let updates = try unit.updates()
        XCTAssertEqual(statuses(updates), ["ENROUTE_TO_DESTINATION", "ARRIVED_AT_DESTINATION"])
        let estimates = updates.compactMap(\.body?.lastLocation).filter { $0.isRoadSnapped == true && $0.rawLocation == nil }
        XCTAssertFalse(estimates.isEmpty, unit.child.transcript)
        for estimate in estimates {
            let time = try XCTUnwrap(estimate.supplementalLocationTime)
            XCTAssertTrue(time > "2024-05-14T08:01:30" && time < "2024-05-14T08:02:30", time)
        }
        XCTAssertEqual(unit.child.output.lines.count { $0.contains("~") }, estimates.count)
        let times = updates.compactMap { $0.body?.lastLocation?.supplementalLocationTime }
        XCTAssertEqual(times, times.sorted())
        XCTAssertTrue(times.contains { $0 > "2024-05-14T08:02:30" }, "and it goes on after it")
    }

    func testLeavingTheRouteIsToldAndComingBackToo() throws {
        // Half a minute 120 m beside it.
        let drive = try Drive(seed: 4, length: 900, faults: ["jump@50:30:120"])
        let unit = try unit(drive, drive.feed(speed: 40))
        XCTAssertEqual(try unit.child.exitStatus(), 0, unit.child.transcript)
        let updates = try unit.updates()
        XCTAssertEqual(statuses(updates), ["ENROUTE_TO_DESTINATION", "OFF_ROUTE", "ENROUTE_TO_DESTINATION", "ARRIVED_AT_DESTINATION"])
        let off = try XCTUnwrap(updates.first { $0.body?.navigationStatus == "OFF_ROUTE" })
        XCTAssertEqual(off.mask, ["vehicleState", "lastLocation", "navigationStatus"], "nothing is known of what remains")
        XCTAssertNotNil(off.body?.lastLocation?.supplementalLocation)
        XCTAssertNil(off.body?.lastLocation?.location)
        let back = try XCTUnwrap(updates.last { $0.body?.navigationStatus == "ENROUTE_TO_DESTINATION" })
        XCTAssertGreaterThan(back.index, off.index)
        XCTAssertTrue(back.mask.contains("currentRouteSegment") && back.mask.contains("remainingDistanceMeters"))
        XCTAssertNotNil(back.body?.lastLocation?.location)
        XCTAssertNotNil(unit.child.output.lines.first { $0.contains(" off route ") })
    }

    func testAReceiverThatLosesItsFixIsSaidSo() throws {
        let drive = try Drive(seed: 4, length: 900, faults: ["nofix@0:10", "nofix@60:20"])
        let unit = try unit(drive, drive.feed(speed: 40))
        XCTAssertEqual(try unit.child.exitStatus(), 0, unit.child.transcript)
        XCTAssertEqual(unit.positionStates, ["connecting", "no data", "no fix", "fix", "stale", "fix"])
        XCTAssertEqual(statuses(try unit.updates()), ["ENROUTE_TO_DESTINATION", "ARRIVED_AT_DESTINATION"])
    }
}
