import XCTest

/// A whole drive with the real gpsd, by three units at once: on its own thread, driven by the host's loop, and a delivery vehicle's.
final class DriveTests: XCTestCase {
    /// What came of one unit's drive.
    private struct Journey: Sendable {
        var exitStatus: Int32
        var lines: [String]
        var updates: [Emulator.Entry]
        var tokensAsked: Int

        /// Updates with a position.
        var reports: [Emulator.Entry] { updates.filter { $0.mask.contains("lastLocation") } }
    }

    private struct Drives: Sendable {
        let drive: Drive
        let onDemand: Journey
        let hostDriven: Journey
        let delivery: Journey

        init() throws {
            let drive = try Drive(seed: 1, length: 1100)
            // These values stay for good.
            defer { drive.folder.remove() }
            let emulator = try Emulator(vehicles: ["van-1", "van-2", "van-3"])
            let feed = try drive.feed(speed: 10)
            func unit(_ vehicle: String, _ service: Telematics.Service, _ more: [String] = []) throws -> Telematics {
                try Telematics(
                    emulator, vehicle: vehicle, service, gpsd: feed, route: drive.route,
                    ["--exit-on-arrival", "--expect-updates", "6"] + more)
            }
            let units = [
                try unit("van-1", .onDemand), try unit("van-2", .onDemand, ["--own-loop"]), try unit("van-3", .delivery),
            ]
            let journeys = try units.map { unit in
                Journey(
                    exitStatus: try unit.child.exitStatus(), lines: unit.child.output.lines, updates: try unit.updates(),
                    tokensAsked: try emulator.tokensAsked(unit.vehicle, unit.service).count)
            }
            self.drive = drive
            (onDemand, hostDriven, delivery) = (journeys[0], journeys[1], journeys[2])
        }
    }

    private static let drives = Result { try Drives() }
    private var drives: Drives { get throws { try Self.drives.get() } }

    func testAnOnDemandVehicleIsToldOfFromStartToArrival() throws { try assertOnDemand(try drives.onDemand) }

    func testAHostDrivenLoopTellsTheSame() throws { try assertOnDemand(try drives.hostDriven) }

    private func assertOnDemand(_ journey: Journey) throws {
        let drive = try drives.drive
        XCTAssertEqual(journey.exitStatus, 0, journey.lines.joined(separator: "\n"))
        assertStateAndStatusComeFirst(journey)
        try assertLegsAreTold(journey)
        for report in journey.reports { try assertPosition(report) }
        XCTAssertTrue(journey.updates.allSatisfy { $0.method == "PUT" && $0.status == 200 && $0.remarks.isEmpty })
        XCTAssertEqual(journey.updates.compactMap(\.body?.navigationStatus), ["ENROUTE_TO_DESTINATION", "ARRIVED_AT_DESTINATION"])
        for report in journey.reports { XCTAssertEqual(report.body?.vehicleState, "ONLINE") }
        XCTAssertTrue(journey.updates.allSatisfy { $0.body?.remainingDuration == nil })
        try assertRemaining(journey) { try XCTUnwrap($0.remainingTimeSeconds) }
        let last = try XCTUnwrap(journey.updates.last)
        XCTAssertEqual(last.mask, ["vehicleState"])
        XCTAssertEqual(last.body?.vehicleState, "OFFLINE")
        XCTAssertNil(last.body?.lastLocation)
        XCTAssertEqual(journey.reports.last?.index, journey.updates.dropLast().last?.index, "the arrival is the last but one")
        XCTAssertEqual(journey.reports.last?.body?.navigationStatus, "ARRIVED_AT_DESTINATION")
        XCTAssertGreaterThan(drive.length, 800)
    }

    func testADeliveryVehicleIsToldOfByPatchWithoutAState() throws {
        let journey = try drives.delivery
        XCTAssertEqual(journey.exitStatus, 0, journey.lines.joined(separator: "\n"))
        XCTAssertTrue(journey.updates.allSatisfy { $0.method == "PATCH" && $0.status == 200 && $0.remarks.isEmpty })
        XCTAssertTrue(journey.updates.allSatisfy { !$0.mask.contains("vehicleState") && !$0.mask.contains("remainingTimeSeconds") })
        XCTAssertEqual(journey.updates.first?.mask, ["navigationStatus"])
        XCTAssertEqual(journey.updates.compactMap(\.body?.navigationStatus), ["ENROUTE_TO_DESTINATION", "ARRIVED_AT_DESTINATION"])
        try assertLegsAreTold(journey)
        for report in journey.reports { try assertPosition(report) }
        try assertRemaining(journey) { try XCTUnwrap(Int(XCTUnwrap($0.remainingDuration).dropLast())) }
        XCTAssertTrue(journey.reports.allSatisfy { $0.body?.remainingDuration?.hasSuffix("s") == true })
        XCTAssertEqual(journey.updates.last?.body?.navigationStatus, "ARRIVED_AT_DESTINATION", "nothing follows the arrival")
    }

    /// Nothing else waits for the first position.
    private func assertStateAndStatusComeFirst(_ journey: Journey) {
        let before = journey.updates.prefix { !$0.mask.contains("lastLocation") }
        XCTAssertEqual(Set(before.flatMap(\.mask)), ["vehicleState", "navigationStatus"])
        XCTAssertEqual(before.compactMap(\.body?.vehicleState).last, "ONLINE")
        XCTAssertEqual(before.compactMap(\.body?.navigationStatus), ["ENROUTE_TO_DESTINATION"])
    }

    /// A segment goes out with the first position and with each new leg, each with the waypoint it ends at.
    private func assertLegsAreTold(_ journey: Journey) throws {
        let segments = journey.updates.filter { $0.mask.contains("currentRouteSegment") }
        XCTAssertEqual(segments.first?.index, journey.reports.first?.index)
        XCTAssertEqual(segments.count, try drives.drive.legEnds.count)
        for (segment, end) in zip(segments, try drives.drive.legEnds) {
            XCTAssertTrue(segment.mask.contains("currentRouteSegmentEndPoint") && segment.mask.contains("lastLocation"))
            XCTAssertLessThan(try XCTUnwrap(segment.body?.currentRouteSegmentEndPoint?.position).distance(to: end.position), 0.5)
            // Base64url of an S2 polyline: the version is its first byte.
            XCTAssertEqual(segment.body?.currentRouteSegment?.prefix(2), "Ah")
        }
    }

    /// The fix is one of the drive's, sent as measured and beside it as snapped onto the route.
    private func assertPosition(_ report: Emulator.Entry) throws {
        let location = try XCTUnwrap(report.body?.lastLocation)
        let time = try XCTUnwrap(location.supplementalLocationTime)
        let measured = try XCTUnwrap(drives.drive.fixes[time]?.position, "no fix at \(time)")
        XCTAssertLessThan(try XCTUnwrap(location.supplementalLocation).distance(to: measured), 0.1)
        XCTAssertEqual(location.supplementalLocationSensor, "CUSTOMER_SUPPLIED_LOCATION")
        guard report.body?.navigationStatus != "ARRIVED_AT_DESTINATION" else {
            XCTAssertNil(location.location, "after the arrival the vehicle may go on elsewhere")
            return
        }
        XCTAssertEqual(location.rawLocation, location.supplementalLocation)
        XCTAssertEqual([location.rawLocationTime, location.updateTime], [time, time])
        XCTAssertEqual(location.locationSensor, "ROAD_SNAPPED_LOCATION_PROVIDER")
        XCTAssertEqual(location.isRoadSnapped, true)
        XCTAssertLessThan(try XCTUnwrap(location.location).distance(to: measured), 15)
    }

    /// To the leg's end there is as far to go as there truly was, and within a leg ever less, in metres and in seconds.
    private func assertRemaining(_ journey: Journey, seconds: (Vehicle) throws -> Int) throws {
        var leg = -1
        var last: (metres: Int, seconds: Int)?
        var decreases = 0
        for report in journey.reports {
            let vehicle = try XCTUnwrap(report.body)
            if vehicle.currentRouteSegment != nil { (leg, last) = (leg + 1, nil) }
            let now = (metres: try XCTUnwrap(vehicle.remainingDistanceMeters), seconds: try seconds(vehicle))
            let along = try XCTUnwrap(drives.drive.truth[XCTUnwrap(vehicle.lastLocation?.supplementalLocationTime)])
            XCTAssertEqual(Double(now.metres), max(0, try drives.drive.legEnds[leg].along - along), accuracy: 15)
            if let last {
                XCTAssertLessThan(now.metres, last.metres)
                XCTAssertLessThan(now.seconds, last.seconds)
                decreases += 1
            }
            last = now
        }
        XCTAssertGreaterThanOrEqual(decreases, 2, "no leg was reported twice")
    }

    func testOnlyChangesGoOutBeforeTheInterval() throws {
        for journey in [try drives.onDemand, try drives.hostDriven, try drives.delivery] {
            var periodic = 0
            for (former, update) in zip(journey.updates, journey.updates.dropFirst()) {
                let tellsChange =
                    update.mask.contains { $0 == "navigationStatus" || $0 == "currentRouteSegment" } || update.mask == ["vehicleState"]
                if tellsChange { continue }
                // As received: the former may have been a little longer under way.
                XCTAssertGreaterThanOrEqual(update.monotonicMs - former.monotonicMs, 4_500)
                periodic += 1
            }
            XCTAssertGreaterThanOrEqual(periodic, 1)
        }
    }

    func testOneTokenServesTheWholeDrive() throws {
        for journey in [try drives.onDemand, try drives.hostDriven, try drives.delivery] {
            XCTAssertEqual(journey.tokensAsked, 1)
            XCTAssertEqual(Set(journey.updates.map(\.tokenHash)).count, 1)
        }
    }

    func testEachUpdateIsALineAndTheLastIsASummary() throws {
        for journey in [try drives.onDemand, try drives.hostDriven, try drives.delivery] {
            XCTAssertEqual(journey.lines.first, "route: 11 points, 3 waypoints, 838 m")
            let served = journey.lines.filter { $0.contains("HTTP 200") }
            XCTAssertEqual(served.count, journey.updates.count)
            for (line, update) in zip(served, journey.updates) { try assertLine(line, tells: update) }
            let summary = try XCTUnwrap(journey.lines.last)
            XCTAssertTrue(summary.hasPrefix("\(journey.updates.count) updates taken, 0 failed; "), summary)
            XCTAssertTrue(summary.hasSuffix(" m along the route, arrived; last update confirmed"), summary)
            let metres = try XCTUnwrap(summary.split(separator: " ").dropLast(8).compactMap { Double($0) }.last)
            XCTAssertEqual(metres, try drives.drive.length, accuracy: 50)
        }
    }

    private func assertLine(_ line: String, tells update: Emulator.Entry) throws {
        let vehicle = try XCTUnwrap(update.body)
        if let state = vehicle.vehicleState { XCTAssertTrue(line.hasSuffix(", " + state), line) }
        if let metres = vehicle.remainingDistanceMeters { XCTAssertTrue(line.contains(" \(metres) m "), line) }
        if let position = vehicle.lastLocation?.supplementalLocation {
            XCTAssertTrue(line.contains(String(format: "%.5f,%.5f", position.latitude, position.longitude)), line)
        }
        let words = ["ENROUTE_TO_DESTINATION": " en route ", "ARRIVED_AT_DESTINATION": " arrived "]
        if let status = vehicle.navigationStatus { XCTAssertTrue(line.contains(try XCTUnwrap(words[status])), line) }
        if let seconds = vehicle.remainingTimeSeconds {
            XCTAssertTrue(line.contains(String(format: " %d:%02d ", seconds / 60, seconds % 60)), line)
            XCTAssertTrue(line.contains("HTTP 200, ETA "), line)
        }
    }
}
