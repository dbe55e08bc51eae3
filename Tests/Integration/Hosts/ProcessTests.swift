import XCTest

/// What the library does to the process that loads it, and to its memory.
final class ProcessTests: XCTestCase {
    /// Compiles one of Programs/ and runs it against an emulator that knows its vehicles.
    private func run(_ name: String, under tool: [String] = [], linked: Bool = true, _ arguments: [String] = []) throws -> Toolbox.Outcome {
        let folder = try TemporaryFolder()
        let program = folder.url.appendingPathComponent(name)
        let source = Toolbox.hosts.appendingPathComponent("Programs/\(name).c")
        try Toolbox.compile([source], into: program, flags: linked ? [] : ["-Wl,--as-needed", "-ldl"])
        let emulator = try Emulator(["--vehicle", "van-1", "--delivery-vehicle", "depot-1"])
        defer { emulator.stop() }
        let command = tool + [program.path] + arguments + [emulator.url]
        return try Toolbox.run(command[0], Array(command.dropFirst()))
    }

    private func valgrind() -> [String] {
        [
            "valgrind", "--quiet", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect",
            "--show-leak-kinds=definite,indirect", "--suppressions=\(Toolbox.hosts.path)/valgrind.supp",
        ]
    }

    func testLoadingUsingAndUnloadingLeaveTheProcessAsItWas() throws {
        let outcome = try run("effects", linked: false, [Toolbox.built("lib/libmilepost.so.0").path])
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(outcome.output, "")
        XCTAssertEqual(outcome.errors, "")
    }

    func testAVehiclesDayLeaksNothingAndTouchesNothingItMayNot() throws {
        let outcome = try run("drive", under: valgrind())
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(outcome.errors, "")
        XCTAssertEqual(outcome.output.components(separatedBy: "taken:").count - 1, 26, outcome.output)
    }

    /// Every case that says what happens around the end of a reporter, where memory is in most danger.
    func testStopAndDestroyTouchNothingThatIsGone() throws {
        let folder = try TemporaryFolder()
        let program = folder.url.appendingPathComponent("contract")
        try Toolbox.compileContract(into: program)
        let cases = [
            "nothing_is_begun_after_the_time_of_a_stop", "tracking_is_off_at_first_and_online_needs_it",
            "a_token_never_given_holds_up_neither_stop_nor_destroy", "a_token_after_destroy_is_harmless", "come_and_go_inside_callbacks",
            "destroy_while_gpsds_name_is_looked_up_leaves_nothing_behind", "the_host_may_reuse_and_free_what_it_passed_in",
            "a_bad_route_is_refused_with_what_and_where",
        ]
        for name in cases {
            let outcome = try Toolbox.run(valgrind()[0], Array(valgrind().dropFirst()) + [program.path, name])
            XCTAssertEqual(outcome.status, 0, "\(name): \(outcome.errors)")
        }
    }

    func testFollowLeaksNothing() throws {
        let folder = try TemporaryFolder()
        let route = try folder.write(
            #"{"type":"LineString","coordinates":[[11,48],[11,48.01],[11,48.02]]}"#, to: "route.geojson")
        let rows = (0..<30).map { "2026-09-21T14:13:\($0 + 10)Z,\(48 + 0.0005 * Double($0)),11,4,11,0" }
        let fixes = try folder.write(
            (["time,lat,lon,accuracy_m,speed_mps,heading_deg"] + rows + ["not a fix"]).joined(separator: "\n") + "\n", to: "fixes.csv")
        let command = valgrind() + [try Toolbox.built("bin/follow").path, route.path, fixes.path]
        let outcome = try Toolbox.run(command[0], Array(command.dropFirst()))
        XCTAssertNotEqual(outcome.status, 99, outcome.errors)
        XCTAssertEqual(outcome.output.split(separator: "\n").count, 30, outcome.errors)
        XCTAssertFalse(outcome.errors.contains("=="), outcome.errors)
    }

    /// The library is not instrumented, but its locks are seen: that what a host touches in callbacks is ordered by them, without a lock of its own.
    func testTheThreadSanitizerFindsTheHostsMemoryHandedOverInOrder() throws {
        let folder = try TemporaryFolder()
        let program = folder.url.appendingPathComponent("contract")
        try Toolbox.compileContract(into: program, flags: ["-fsanitize=thread"])
        let cases = [
            "a_removed_listener_is_never_called_however_many_come_and_go", "remove_waits_for_a_call_on_another_thread",
            "a_token_may_be_given_later_from_another_thread_but_only_once", "fixes_are_pushed_from_many_threads",
            "every_call_may_come_from_any_thread", "starts_and_stops_may_meet", "it_starts_again_after_a_stop",
        ]
        // The Swift runtime looks types up without a lock, with atomic operations that the sanitizer cannot see.
        let suppressions = try folder.write("race_top:bcmp\n", to: "suppressions")
        for name in cases {
            let outcome = try Toolbox.run(
                program.path, [name], environment: ["TSAN_OPTIONS": "exitcode=98 print_suppressions=0 suppressions=\(suppressions.path)"])
            if outcome.errors.contains("unexpected memory mapping") {
                throw XCTSkip("this kernel's address layout is not one that the compiler's thread sanitizer knows")
            }
            XCTAssertEqual(outcome.status, 0, "\(name): \(outcome.errors)")
            XCTAssertEqual(outcome.errors, "", name)
        }
    }
}
