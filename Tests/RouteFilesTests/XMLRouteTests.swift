import Foundation
import XCTest

@testable import RouteFiles

/// What GPX and KML share: a stream that is trusted in nothing.
final class XMLRouteTests: XCTestCase {
    func testBrokenXMLIsRefusedWithLineAndColumn() {
        assertContains(refusal("<gpx>\n<trk></gpx>"), "line 2, column 8: not XML")
        assertContains(refusal("<gpx><trk>"), "is the file complete?")
        assertContains(refusal("<gpx/><gpx/>"), "not XML")
    }

    func testEveryTruncationIsRefused() {
        let whole = Array(#"<gpx version="1.1"><trk><trkseg><trkpt lat="1" lon="2"/><trkpt lat="1.1" lon="2"/></trkseg></trk></gpx>"#.utf8)
        for length in 0..<whole.count { XCTAssertFalse(refusal(Data(whole.prefix(length))).isEmpty) }
    }

    func testDocumentTypesAndWithThemEntitiesAreRefused() {
        let bomb =
            #"<!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><gpx><trk><name>&b;</name></trk></gpx>"#
        assertContains(refusal(bomb), "line 1: a document type")
        assertContains(refusal("<?xml version=\"1.0\"?>\n<!DOCTYPE kml SYSTEM \"file:///etc/passwd\"><kml/>"), "line 2: a document type")
        assertContains(refusal("<gpx><name>&b;</name></gpx>"), "undefined entity")
    }

    func testDeepNestingIsRefused() {
        let deep = "<kml>" + String(repeating: "<Folder>", count: 100_000)
        assertContains(refusal(deep), "line 1: elements nested deeper than \(XMLRoute.maximumDepth) levels")
    }

    func testOtherXMLIsRefused() {
        assertContains(refusal("<TrainingCenterDatabase/>"), "this is XML, but neither GPX nor KML")
        assertContains(refusal("<!-- only a remark -->"), "not XML")
    }

    func testAByteOrderMarkAndOtherEncodingsAreRead() throws {
        let gpx = #"<gpx><trk><name>Ü</name><trkseg><trkpt lat="1" lon="2"/><trkpt lat="1.1" lon="2"/></trkseg></trk></gpx>"#
        XCTAssertEqual(try describe("\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + gpx).points.count, 2)
        let latin = try XCTUnwrap(("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + gpx).data(using: .isoLatin1))
        XCTAssertEqual(try describe(latin).points.count, 2)
    }
}
