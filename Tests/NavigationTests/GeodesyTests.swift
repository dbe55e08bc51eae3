import XCTest

@testable import Navigation

final class GeodesyTests: XCTestCase {
    /// GeodesicExact::Inverse of GeographicLib 2.1.2: latitude and longitude of both ends, metres, azimuth at the first.
    private let geographicLib: [(Double, Double, Double, Double, length: Double, azimuth: Double)] = [
        (0, 0, 0, 0.001, 111.3194908, 90.000000),
        (0, 0, 0.001, 0, 110.5742758, 0.000000),
        (47.37, 8.54, 47.3705, 8.5411, 99.9637062, 56.213624),
        (47.37, 8.54, 47.42, 8.62, 8208.3573163, 47.343184),
        (-33.86, 151.2, -33.93, 151.24, 8600.9263428, 154.532275),
        (60.17, 24.94, 60.17, 25.12, 9992.4221798, 89.921925),
        (78.22, 15.64, 78.25, 15.9, 6802.2258947, 60.374407),
        (89.9, 10, 89.9, 40, 5781.7030286, 75.000022),
        (89.9, 0, 89.9, 180, 22338.7956825, 0.000000),
        (89.85, -20, 89.9, 120, 26308.9287349, 15.836591),
        (0, 179.99, 0, -179.99, 2226.3898159, 90.000000),
        (-16.8, 179.95, -16.83, -179.97, 9150.7003753, 111.284786),
        (90, 0, 89.95, 77, 5584.6989636, 103.000000),
        (40.64, -73.78, 41.98, -87.9, 1_190_347.2867927, 281.811702),
        (51.5, -0.12, 48.85, 2.35, 343_492.8154005, 148.140664),
        (10, 10, 20, 24, 1_866_488.5059411, 52.032916),
    ]

    func testLengthsAgreeWithGeographicLib() {
        for line in geographicLib {
            let a = Coordinate(latitude: line.0, longitude: line.1)
            let b = Coordinate(latitude: line.2, longitude: line.3)
            // A micrometre for what a road has, a metre across a continent.
            let allowed = line.length < 100_000 ? 1e-6 : 1
            XCTAssertEqual(distance(from: a, to: b), line.length, accuracy: allowed, "\(line)")
            XCTAssertEqual(distance(from: b, to: a), line.length, accuracy: allowed, "\(line)")
        }
    }

    func testBearingsAgreeWithGeographicLib() {
        for line in geographicLib {
            let here = bearing(
                from: Coordinate(latitude: line.0, longitude: line.1), to: Coordinate(latitude: line.2, longitude: line.3))
            let allowed = line.length < 100_000 ? 1e-5 : 0.1
            XCTAssertEqual((here - line.azimuth + 540).truncatingRemainder(dividingBy: 360), 180, accuracy: allowed, "\(line)")
            XCTAssertTrue((0..<360).contains(here))
        }
    }

    func testTheSamePlaceIsNoDistanceAway() {
        for place in [Coordinate(latitude: 90, longitude: 10), Coordinate(latitude: -12, longitude: 180)] {
            XCTAssertEqual(distance(from: place, to: place), 0)
            XCTAssertEqual(bearing(from: place, to: place), 0)
        }
        XCTAssertEqual(
            distance(from: Coordinate(latitude: 5, longitude: 180), to: Coordinate(latitude: 5, longitude: -180)), 0, accuracy: 1e-8)
    }

    func testPositionsAreFoundAgainFromTheEarthsCentre() {
        for latitude in stride(from: -90.0, through: 90, by: 7.5) {
            for longitude in stride(from: -180.0, to: 180, by: 31) {
                let place = Coordinate(latitude: latitude, longitude: longitude)
                let found = EarthPosition.onEllipsoid(place).position.coordinate
                XCTAssertEqual(distance(from: place, to: found), 0, accuracy: 1e-8, "\(place)")
            }
        }
    }

    func testArcAndChordFractionsUndoEachOther() {
        for length in [10.0, 10_000, 1_000_000] {
            for fraction in stride(from: 0.0, through: 1, by: 0.125) {
                XCTAssertEqual(arcFraction(chordFraction(fraction, length: length), length: length), fraction, accuracy: 1e-5)
            }
        }
    }

    func testSineAndCosineOfDegreesAreThoseOfLibm() {
        for degrees in stride(from: -180.0, through: 360, by: 0.37) {
            let (sine, cosine) = sineAndCosine(degrees: degrees)
            XCTAssertEqual(sine, sin(degrees * .pi / 180), accuracy: 2e-15)
            XCTAssertEqual(cosine, cos(degrees * .pi / 180), accuracy: 2e-15)
        }
        XCTAssertEqual(sineAndCosine(degrees: 90).cosine, 0)
        XCTAssertEqual(sineAndCosine(degrees: -180).sine, 0)
        XCTAssertTrue(sineAndCosine(degrees: .infinity).sine.isNaN)
    }
}
