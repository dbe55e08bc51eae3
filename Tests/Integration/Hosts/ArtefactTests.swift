import XCTest

/// The header and the shared object that `make build` made, as a package maintainer would look at them.
final class ArtefactTests: XCTestCase {
    private func output(_ program: String, _ arguments: [String]) throws -> [Substring] {
        let outcome = try Toolbox.run(program, arguments)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        return outcome.output.split(separator: "\n")
    }

    private func dynamicSection() throws -> [Substring] { try output("readelf", ["-dW", Toolbox.built("lib/libmilepost.so").path]) }

    /// What stands in brackets in the dynamic section's entries of a kind.
    private func values(_ kind: String) throws -> [String] {
        try dynamicSection().filter { $0.contains("(\(kind))") }.compactMap { line in
            guard let open = line.lastIndex(of: "["), let close = line.lastIndex(of: "]") else { return nil }
            return String(line[line.index(after: open)..<close])
        }
    }

    func testTheHeaderCompilesAloneAndTwiceInFourDialectsWithoutAWarning() throws {
        let folder = try TemporaryFolder()
        let include = "#include <milepost.h>\n"
        for (compiler, dialect, name) in [("gcc", "c99", "h.c"), ("gcc", "c11", "h.c"), ("gcc", "c17", "h.c"), ("g++", "c++17", "h.cc")] {
            for text in [include, include + include] {
                let source = try folder.write(text, to: name)
                let flags = ["-std=\(dialect)", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
                let outcome = try Toolbox.run(compiler, flags + ["-I\(Toolbox.build.path)/include", source.path])
                XCTAssertEqual(outcome.status, 0, "\(dialect): \(outcome.errors)")
                XCTAssertEqual(outcome.errors, "")
            }
        }
    }

    func testTheInstalledHeaderIsTheSources() throws {
        XCTAssertEqual(try Data(contentsOf: Toolbox.built("include/milepost.h")), try Data(contentsOf: Toolbox.header))
    }

    /// A function of the header that nobody implements, and a symbol that leaks, both show here.
    func testTheExportedSymbolsAreTheHeadersFunctionsUnderOneVersionNode() throws {
        let declared = try functionsOfTheHeader()
        XCTAssertGreaterThan(declared.count, 40)
        let symbols = try output("nm", ["-D", "--defined-only", "--with-symbol-versions", Toolbox.built("lib/libmilepost.so").path])
        let exported = symbols.compactMap { line -> String? in
            let words = line.split(separator: " ")
            // The node itself is an absolute symbol.
            if words.suffix(2).elementsEqual(["A", "MILEPOST_0"]) { return nil }
            XCTAssertTrue(["T", "i"].contains(words.dropLast().last), String(line))
            XCTAssertTrue(line.hasSuffix("@@MILEPOST_0"), String(line))
            return words.last?.split(separator: "@").first.map(String.init)
        }
        XCTAssertEqual(exported.sorted(), declared.sorted())
    }

    /// As the compiler sees them, so no comment or macro deceives.
    private func functionsOfTheHeader() throws -> [String] {
        let text = try output("gcc", ["-E", "-P", "-xc", Toolbox.header.path]).joined(separator: " ")
        let pattern = try NSRegularExpression(pattern: #"\b(milepost_\w+)\s*\("#)
        return pattern.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap {
            Range($0.range(at: 1), in: text).map { String(text[$0]) }
        }
    }

    func testTheSonameIsTheInterfacesGeneration() throws {
        XCTAssertEqual(try values("SONAME"), ["libmilepost.so.0"])
    }

    func testItBringsNoSearchPath() throws {
        XCTAssertEqual(try values("RUNPATH"), [])
        XCTAssertEqual(try values("RPATH"), [])
    }

    func testItNeedsNoSwiftOnTheHost() throws {
        let needed = try values("NEEDED")
        XCTAssertTrue(needed.contains("libcurl.so.4"), "\(needed)")
        for library in needed {
            for word in ["swift", "foundation", "dispatch", "blocksruntime", "icu"] {
                XCTAssertFalse(library.lowercased().contains(word), library)
            }
        }
    }

    func testItIsBoundAtOnceAndStaysLoaded() throws {
        let flags = try dynamicSection().filter { $0.contains("(FLAGS_1)") }.joined()
        XCTAssertTrue(flags.contains("NOW") && flags.contains("NODELETE"), flags)
        XCTAssertFalse(try dynamicSection().contains { $0.contains("TEXTREL") })
    }

    func testTheStackIsNotExecutable() throws {
        let stack = try output("readelf", ["-lW", Toolbox.built("lib/libmilepost.so").path]).filter { $0.contains("GNU_STACK") }
        XCTAssertEqual(stack.count, 1)
        XCTAssertFalse(stack.joined().contains("RWE"))
    }

    /// The library's own imports tell what it can do to a process.
    func testItCannotEndForkPrintOrChangeThePlaceOfTheProcess() throws {
        let imported = try output("nm", ["-D", "--undefined-only", Toolbox.built("lib/libmilepost.so").path])
            .compactMap { $0.split(separator: " ").last?.split(separator: "@").first.map(String.init) }
        XCTAssertTrue(imported.contains("epoll_wait"), "\(imported)")
        let forbidden = [
            "exit", "_exit", "fork", "vfork", "system", "setlocale", "chdir", "umask", "setenv", "putenv", "signal", "select", "printf",
            "puts", "pthread_atfork",
        ]
        for name in forbidden { XCTAssertFalse(imported.contains(name), name) }
    }

    func testEveryVersionIsTheHeaders() throws {
        let header = try String(contentsOf: Toolbox.header, encoding: .utf8)
        let line = try XCTUnwrap(header.split(separator: "\n").first { $0.hasPrefix("#define MILEPOST_VERSION \"") })
        let version = String(line.split(separator: "\"")[1])
        _ = try Toolbox.built("lib/libmilepost.so.\(version)")
        let pc = try String(contentsOf: Toolbox.built("lib/pkgconfig/milepost.pc"), encoding: .utf8)
        XCTAssertTrue(pc.contains("Version: \(version)\n"), pc)
        XCTAssertEqual(try output(Toolbox.built("bin/telematics").path, ["--version"]).joined().contains(version), true)
    }
}
