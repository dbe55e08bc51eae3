import XCTest

/// `make install`, and what an outside program makes of it.
final class InstallTests: XCTestCase {
    private nonisolated(unsafe) static var folder: TemporaryFolder?
    /// Installs what is built, once; `-o build` keeps make from building it again.
    private static let root = Result { () throws -> URL in
        _ = try Toolbox.built("bin/follow")
        let made = try TemporaryFolder()
        let outcome = try Toolbox.run(
            "make", ["-C", Toolbox.clone.path, "-o", "build", "install", "DESTDIR=\(made.url.path)", "PREFIX=/usr"])
        guard outcome.status == 0 else { throw Toolbox.Problem(outcome.errors) }
        folder = made
        return made.url.appendingPathComponent("usr")
    }

    override class func tearDown() { folder = nil }

    func testItInstallsHeaderLibraryLinksPackageFileAndPrograms() throws {
        let root = try Self.root.get()
        for file in [
            "include/milepost.h", "share/milepost/privacy.json", "lib/pkgconfig/milepost.pc", "bin/telematics", "bin/follow",
            "bin/fleet-engine-emulator",
        ] {
            XCTAssertTrue(FileManager.default.fileExists(atPath: root.appendingPathComponent(file).path), file)
        }
        let link = { (name: String) in
            try FileManager.default.destinationOfSymbolicLink(atPath: root.appendingPathComponent("lib/\(name)").path)
        }
        XCTAssertEqual(try link("libmilepost.so"), "libmilepost.so.0")
        XCTAssertTrue(try link("libmilepost.so.0").hasPrefix("libmilepost.so.0."))
        XCTAssertEqual(try Toolbox.run("\(root.path)/bin/follow", ["--help"]).status, 0)
    }

    /// Compiles as the documentation says, with nothing but pkg-config's flags, and gives the program.
    private func build(_ source: URL, in folder: TemporaryFolder) throws -> URL {
        let root = try Self.root.get()
        let command = "cc \(source.path) -o app $(pkg-config --cflags --libs milepost)"
        let outcome = try Toolbox.run(
            "sh", ["-c", command], in: folder.url, environment: ["PKG_CONFIG_PATH": "\(root.path)/lib/pkgconfig"])
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(outcome.errors, "")
        return folder.url.appendingPathComponent("app")
    }

    private func run(_ program: URL, _ arguments: [String] = [], in folder: TemporaryFolder) throws -> Toolbox.Outcome {
        try Toolbox.run(program.path, arguments, in: folder.url, environment: ["LD_LIBRARY_PATH": "\(Self.root.get().path)/lib"])
    }

    func testAnOutsideProgramBuildsWithPkgConfigAndRuns() throws {
        let folder = try TemporaryFolder()
        let source = try folder.write(
            """
            #include <milepost.h>
            #include <stdio.h>
            int main(void) { return puts(milepost_version()) < 0; }
            """, to: "app.c")
        let outcome = try run(build(source, in: folder), in: folder)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(outcome.output.split(separator: ".").count, 3, outcome.output)
    }

    /// Against an emulator with a port of its own and a route file; that the end of standard input comes at once makes it a short drive.
    func testTheReadmesExampleWorksWhenPasted() throws {
        let readme = try String(contentsOf: Toolbox.clone.appendingPathComponent("README.md"), encoding: .utf8)
        let blocks = readme.components(separatedBy: "```c\n").dropFirst()
        XCTAssertEqual(blocks.count, 1)
        let text = try XCTUnwrap(blocks.first?.components(separatedBy: "```").first)
        let emulator = try Emulator(["--vehicle", "van-17"])
        defer { emulator.stop() }
        let adapted = text.replacingOccurrences(of: "http://127.0.0.1:8088", with: emulator.url)
        XCTAssertNotEqual(adapted, text)
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url.appendingPathComponent("drive"), withIntermediateDirectories: true)
        _ = try folder.write(#"{"type":"LineString","coordinates":[[11,48],[11,48.01]]}"#, to: "drive/route.json")
        let outcome = try run(build(folder.write(adapted, to: "app.c"), in: folder), in: folder)
        XCTAssertEqual(outcome.status, 0)
        XCTAssertEqual(outcome.errors, "")
    }
}
