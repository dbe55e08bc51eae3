import XCTest

/// Route files that cannot be followed.
final class BadRouteTests: XCTestCase {
    func testABadRouteFileIsNamedWithThePlace() throws {
        let folder = try temporaryFolder()
        let drive = try Drive(seed: 5, length: 600)
        let whole = try String(contentsOfFile: drive.route, encoding: .utf8)
        let rows: [(path: String, message: String)] = [
            (folder.path("missing.json"), "No such file or directory"),
            (folder.url.path, "Is a directory"),
            (try folder.write("", "empty.json"), "the file is empty"),
            (try folder.write(String(whole.prefix(whole.count / 2)), "half.json"), ": line "),
            (try folder.write("<!DOCTYPE html>\n<html><body>502</body></html>\n", "page.json"), "this is an HTML page, not a route"),
            (
                try folder.write("{\"code\":\"NoRoute\",\"message\":\"Impossible route\"}", "none.json"),
                "the router answered NoRoute: Impossible route"
            ),
        ]
        let emulator = try Emulator()
        for row in rows {
            let unit = try Telematics(emulator, gpsd: nil, route: row.path)
            XCTAssertEqual(try unit.child.exitStatus(), 1, row.path)
            let errors = unit.child.errors.text
            XCTAssertTrue(errors.hasPrefix("telematics: --route: \(row.path): "), errors)
            XCTAssertTrue(errors.contains(row.message), errors)
            XCTAssertEqual(unit.child.output.lines, [])
            let follow = try Child(Places.program("follow"), [row.path, drive.csv])
            XCTAssertEqual(try follow.exitStatus(), 1)
            XCTAssertTrue(follow.errors.text.hasPrefix("follow: \(row.path): "), follow.errors.text)
            XCTAssertEqual(follow.output.lines, [])
        }
        XCTAssertEqual(try emulator.updates("van-1").count, 0)
    }
}
