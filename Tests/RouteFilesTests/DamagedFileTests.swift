import Foundation
import Navigation
import XCTest

@testable import RouteFiles

/// Files of every format with random damage: each is read or refused, and none ends the process.
final class DamagedFileTests: XCTestCase {
    private static let line = #"{"type":"LineString","coordinates":[[11.5,48.1],[11.5,48.101],[11.502,48.101]]}"#

    private static let files = [
        #"{"routes":[{"legs":[{"distanceMeters":"260","duration":"30.5s","staticDuration":"20s","polyline":{"geoJsonLinestring":\#(line)},"#
            + #""travelAdvisory":{"speedReadingIntervals":[{"endPolylinePointIndex":1,"speed":"SLOW"},{"startPolylinePointIndex":1,"#
            + #""endPolylinePointIndex":2,"speed":"TRAFFIC_JAM"}]},"endLocation":{"latLng":{"latitude":48.101,"longitude":11.502}},"#
            + #""steps":[{"staticDuration":"20s","polyline":{"geoJsonLinestring":\#(line)}}]},{"duration":"0s"}],"#
            + #""polyline":{"encodedPolyline":"_p~iF~ps|U_ulLnnqC_mqNvxq`@"}}]}"#,
        #"{"status":"OK","routes":[{"overview_polyline":{"points":"_p~iF~ps|U_ulLnnqC_mqNvxq`@"},"legs":[{"distance":{"value":9},"duration":{"value":7},"#
            + #""end_location":{"lat":40.7,"lng":-120.95}},{"distance":{"value":9},"duration":{"value":7}}]}]}"#,
        #"{"trip":{"units":"miles","status":0,"locations":[{"lat":48.1,"lon":11.5}],"legs":[{"shape":\#(line),"summary":{"length":0.16,"#
            + #""time":30},"maneuvers":[{"begin_shape_index":0,"end_shape_index":1,"time":10},{"begin_shape_index":1,"#
            + #""end_shape_index":2,"time":20}]}]}}"#,
        #"{"paths":[{"points":"_p~iF~ps|U_ulLnnqC_mqNvxq`@","distance":788000,"bbox":[-127,38,-120,44],"time":5000,"instructions":["#
            + #"{"interval":[0,1],"sign":0,"time":10},{"interval":[1,1],"sign":5},{"interval":[1,2],"sign":0,"time":9,"distance":3}],"#
            + #""details":{"time":[[0,1,5],[1,2,5]]},"snapped_waypoints":"_p~iF~ps|U_ulLnnqC_mqNvxq`@"}]}"#,
        #"{"jsonpayload":{"response":{"remainingvehiclejourneysegments":[{"path":[{"latitude":1,"longitude":2},{"latitude":1.001,"#
            + #""longitude":2}],"drivingdistancemeters":"111","drivingduration":"9.5s"},{"drivingduration":"0s"}]}}}"#,
        #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"coordTimes":["2026-05-01T08:00:00Z","#
            + #""2026-05-01T08:00:10Z","2026-05-01T08:00:30Z"]},"geometry":\#(line)},{"type":"Feature","geometry":{"type":"Point","#
            + #""coordinates":[11.501,48.101]}},{"type":"GeometryCollection","geometries":[{"type":"MultiLineString","coordinates":["#
            + #"[[11.502,48.101],[11.503,48.101]]]}]}]}"#,
        #"<gpx><rte><rtept lat="1" lon="2"><extensions><gh:time>9</gh:time><gpxx:rpt lat="1.1" lon="2"/></extensions></rtept></rte>"#
            + #"<trk><trkseg><trkpt lat="1e0" lon="2"><time>2026-05-01T08:00:00Z</time></trkpt></trkseg><trkseg><trkpt lat="1.001" lon="2">"#
            + #"<time>2026-05-01T08:00:10.5+01:00</time></trkpt></trkseg></trk></gpx>"#,
        #"<kml><Placemark><MultiGeometry><LineString><coordinates>1,2, 0 1.001,2</coordinates></LineString></MultiGeometry><gx:MultiTrack>"#
            + #"<gx:Track><when>2026-05-01T08:00:00Z</when><gx:coord>1.001 2 0</gx:coord><gx:coord>1.002 2 0</gx:coord></gx:Track>"#
            + #"</gx:MultiTrack></Placemark></kml>"#,
    ]

    func testTheFilesAreReadBeforeTheyAreDamaged() throws {
        for file in Self.files { XCTAssertGreaterThanOrEqual(try Route(describe(file)).count, 2) }
    }

    func testDamagedFilesAreReadOrRefused() {
        var random = Generator(state: 17)
        var readCount = 0
        for file in Self.files {
            for _ in 0..<1_500 {
                var bytes = Array(file.utf8)
                for _ in 0...Int.random(in: 0..<3, using: &random) { damage(&bytes, &random) }
                if (try? bytes.withUnsafeBytes { try RouteFile.load($0) }) != nil { readCount += 1 }
            }
        }
        XCTAssertGreaterThan(readCount, 100)
    }

    private static let fragments = ["-1", "0", "1e300", "9223372036854775807", "null", "[]", "{}", "\"\"", "2", "true", "-0.0", "99", ","]

    /// Replaces, removes, repeats or overwrites something, numbers above all.
    private func damage(_ bytes: inout [UInt8], _ random: inout Generator) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1..<12, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
        default:
            let digits = 48...57 as ClosedRange<UInt8>
            guard let start = bytes[place...].firstIndex(where: { digits.contains($0) }) else { return }
            let stop = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.count
            bytes.replaceSubrange(start..<stop, with: Self.fragments.randomElement(using: &random)?.utf8.map { $0 } ?? [])
        }
    }

    /// SplitMix64.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }
}
