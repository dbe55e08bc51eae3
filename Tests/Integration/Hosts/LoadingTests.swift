import XCTest

/// What loading a route takes of memory, in every format.
final class LoadingTests: XCTestCase {
    private struct Loading {
        let format: Substring
        /// Of what it may be.
        let peak: Double
    }

    private func loadings(points: Int) throws -> [Loading] {
        let folder = try TemporaryFolder()
        let program = folder.url.appendingPathComponent("loading")
        try Toolbox.compile([Toolbox.clone.appendingPathComponent("Tests/Scripts/loading.c")], into: program)
        let outcome = try Toolbox.run(program.path, [folder.url.path, "\(points)"])
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        return try outcome.output.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return Loading(format: words[0], peak: try XCTUnwrap(words.last.flatMap { Double($0) }))
        }
    }

    /// Arrays that double are fullest and emptiest near powers of two.
    func testItTakesAtMostEightTimesTheFileAndSixtyFourBytesAPoint() throws {
        for points in [20_000, 33_000, 65_600] {
            let loadings = try loadings(points: points)
            XCTAssertEqual(loadings.count, 17)
            for loading in loadings { XCTAssertLessThanOrEqual(loading.peak, 1, "\(loading.format), \(points) points") }
        }
    }
}
