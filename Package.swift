// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors everywhere; the language mode is Swift 6 by the tools version.
let swift: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let c: [CSetting] = [.unsafeFlags(["-std=c11", "-Wall", "-Wextra", "-Werror", "-fvisibility=hidden"])]
// Of the C++ library nothing but headers: no exception, no type information. RapidJSON 1.1 lets exponents overflow and adds to null pointers.
let cxx: [CXXSetting] = [
    .unsafeFlags([
        "-Wall", "-Wextra", "-Werror", "-fvisibility=hidden", "-fno-exceptions", "-fno-rtti", "-fwrapv", "-fno-delete-null-pointer-checks",
    ])
]

// What SwiftPM cannot say of a shared library: its SONAME, what it exports, and that nothing is left to resolve late.
let sharedLibrary: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-soname=libmilepost.so.0", "--version-script=\(Context.packageDirectory)/Sources/Milepost/exports.map", "--gc-sections",
            "-z", "defs", "-z", "now", "-z", "nodelete",
        ].flatMap { ["-Xlinker", $0] }),
    // gold, the default, lets some of Swift's own symbols through the version script.
    .unsafeFlags(["-use-ld=lld"]),
]

let package = Package(
    name: "milepost",
    products: [
        .library(name: "milepost", type: .dynamic, targets: ["Milepost"]),
        .executable(name: "fleet-engine-emulator", targets: ["fleet-engine-emulator"]),
        .executable(name: "milepost-bench", targets: ["milepost-bench"]),
    ],
    targets: [
        // C libraries, each behind a flat header of our own.
        .systemLibrary(name: "CMilepost", path: "include"),
        .target(name: "CSystem", cSettings: c, linkerSettings: [.linkedLibrary("m")]),
        .target(name: "CRapidJSON", cxxSettings: cxx),
        .target(name: "CExpat", cSettings: c, linkerSettings: [.linkedLibrary("expat")]),
        .target(name: "CGPS", cSettings: c, linkerSettings: [.linkedLibrary("gps")]),
        .target(name: "CCurl", cSettings: c, linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "CZlib", cSettings: c, linkerSettings: [.linkedLibrary("z")]),
        .target(name: "CSQLite", cSettings: c, linkerSettings: [.linkedLibrary("sqlite3")]),

        // The library, in the direction data flows.
        .target(name: "Navigation", dependencies: ["CSystem"], swiftSettings: swift),
        .target(name: "JSON", dependencies: ["CRapidJSON"], swiftSettings: swift),
        .target(name: "RouteFiles", dependencies: ["Navigation", "JSON", "CExpat", "CSystem"], swiftSettings: swift),
        .target(name: "FleetEngine", dependencies: ["Navigation", "JSON", "CSystem"], swiftSettings: swift),
        .target(name: "Reporting", dependencies: ["Navigation", "FleetEngine"], swiftSettings: swift),
        .target(name: "Positioning", dependencies: ["Navigation", "CGPS", "CSystem"], swiftSettings: swift),
        .target(name: "Store", dependencies: ["Navigation", "FleetEngine", "CSQLite", "CSystem"], swiftSettings: swift),
        .target(
            name: "Runtime",
            dependencies: [
                "Navigation", "JSON", "RouteFiles", "FleetEngine", "Reporting", "Positioning", "Store", "CCurl", "CZlib", "CSystem",
            ],
            swiftSettings: swift),
        .target(
            name: "Milepost", dependencies: ["Runtime", "RouteFiles", "Navigation", "Store", "CMilepost", "CSystem"],
            exclude: ["exports.map", "milepost.pc.in"], swiftSettings: swift, linkerSettings: sharedLibrary),

        // Beside the library.
        .target(
            name: "CEmulator", cSettings: c,
            linkerSettings: ["microhttpd", "gnutls", "z", "jwt", "jansson", "crypto"].map { .linkedLibrary($0) }),
        .target(name: "Emulator", dependencies: ["CEmulator"], swiftSettings: swift),
        .executableTarget(name: "fleet-engine-emulator", dependencies: ["Emulator"], swiftSettings: swift),
        .target(
            name: "CPeers", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
            linkerSettings: ["GeographicLib", "s2", "geos_c", "jansson"].map { .linkedLibrary($0) }),
        .executableTarget(
            name: "milepost-bench", dependencies: ["Navigation", "RouteFiles", "CPeers", "CSystem"], swiftSettings: swift),

        .testTarget(name: "NavigationTests", dependencies: ["Navigation"], swiftSettings: swift),
        .testTarget(name: "RouteFilesTests", dependencies: ["RouteFiles", "JSON"], swiftSettings: swift),
        .testTarget(name: "FleetEngineTests", dependencies: ["FleetEngine"], swiftSettings: swift),
        .testTarget(name: "ReportingTests", dependencies: ["Reporting", "Emulator"], swiftSettings: swift),
        .testTarget(name: "PositioningTests", dependencies: ["Positioning"], swiftSettings: swift),
        .testTarget(
            name: "RuntimeTests", dependencies: ["Runtime", "Reporting", "FleetEngine", "Navigation", "Positioning", "Store", "Emulator"],
            swiftSettings: swift),
        // A program that the tests kill while it writes.
        .executableTarget(name: "store-writer", dependencies: ["Store"], path: "Tests/StoreTests/Writer", swiftSettings: swift),
        .testTarget(
            name: "StoreTests", dependencies: ["Store", "CSystem", "store-writer"], exclude: ["Writer"], swiftSettings: swift),
        // C programs against build/, which `make build` makes.
        .testTarget(
            name: "HostTests", path: "Tests/Integration/Hosts", exclude: ["Contract", "Programs", "valgrind.supp"], swiftSettings: swift),
        .testTarget(name: "EmulatorTests", dependencies: ["Emulator", "CEmulator", "fleet-engine-emulator"], swiftSettings: swift),
        // The programs that `make build` made, whole: against the real gpsd and the emulator.
        .testTarget(
            name: "ScenarioTests", path: "Tests/Integration/Scenarios", exclude: ["tls_proxy.py", "token_server.py"], swiftSettings: swift),
    ],
    cxxLanguageStandard: .cxx17
)
