import XCTest

@testable import Navigation

/// Arrival times in simulated traffic. The bounds leave room for chance: the drives are few.
final class TrafficTests: XCTestCase {
    /// Of the remaining seconds, from the start until a minute is left.
    private struct Score {
        /// Mean absolute errors, per cent: of the estimate, and of the route's durations alone.
        var error = 0.0
        var bare = 0.0
        /// Per cent of the arrivals within the band, above and below it.
        var inside = 0.0
        var early = 0.0
        var late = 0.0
    }

    private func score(
        seed: UInt64, drives: Int = 150, speed: Double? = nil, _ change: (inout TrafficSimulator) -> Void = { _ in }
    ) throws -> Score {
        var simulator = TrafficSimulator(seed: seed)
        change(&simulator)
        var score = Score()
        for _ in 0..<drives {
            let drive = try simulator.drive()
            var one = Score()
            var count = 0.0
            var tracker = Tracker(route: drive.route, speed: speed)
            var receiver = Receiver(noise: 3)
            for (time, along, speed) in drive.samples(every: 5) where drive.duration - time > 60 {
                let left = drive.duration - time
                tracker.update(receiver.fix(at: (along, 0), speed: speed, heading: 90, after: 5))
                let seconds = tracker.progress.remainingDuration
                let band = tracker.remainingBand
                XCTAssertTrue(band.low <= seconds && seconds <= band.high)
                count += 1
                one.error += abs(seconds / left - 1)
                one.bare += abs(((drive.route.duration ?? .nan) - drive.route.seconds(along: along)) / left - 1)
                if left < band.low { one.early += 1 } else if left > band.high { one.late += 1 } else { one.inside += 1 }
            }
            for part in [\Score.error, \.bare, \.inside, \.early, \.late] {
                score[keyPath: part] += 100 * one[keyPath: part] / count / Double(drives)
            }
        }
        return score
    }

    private func assertHonest(_ score: Score, line: UInt = #line) {
        XCTAssertEqual(score.inside, 80, accuracy: 8, line: line)
        XCTAssertLessThan(score.early, 17, line: line)
        XCTAssertLessThan(score.late, 17, line: line)
    }

    func testEightOfTenArrivalsAreWithinTheBand() throws {
        assertHonest(try score(seed: 11) { $0.kilometres = 2.5...60 })
        assertHonest(
            try score(seed: 12) {
                $0.kilometres = 2.5...60
                $0.hasShape = false
            })
        assertHonest(
            try score(seed: 13, speed: 10) {
                $0.kilometres = 2.5...60
                $0.hasDurations = false
            })
    }

    func testThePaceOfADriveThatIsOffByAThirdIsNoticed() throws {
        for (seed, pace) in [(21, 1.3), (22, 1 / 1.3)] as [(UInt64, Double)] {
            let score = try score(seed: seed) { $0.pace = pace }
            XCTAssertLessThan(score.error, score.bare - 3, "at \(pace)")
        }
    }

    func testWhereTheDurationsAreRightThePaceDoesNoHarm() throws {
        for hasShape in [true, false] {
            let score = try score(seed: 31) {
                $0.bias = 0
                $0.hasShape = hasShape
            }
            XCTAssertLessThan(score.error, score.bare + 1, "shape: \(hasShape)")
        }
    }

    func testADriveOfHoursIsLearnedFromEvenWhereOnlyLegsHaveDurations() throws {
        let score = try score(seed: 41, drives: 20) {
            $0.pace = 1.3
            $0.kilometres = 80...150
            $0.hasShape = false
        }
        XCTAssertLessThan(score.error, score.bare - 1)
    }
}
