import FleetEngine
import Glibc
import Navigation
import Store

// A program that writes to a store until it is killed, and says on its standard output what has become durable, a line each, once it has.

let arguments = CommandLine.arguments
guard arguments.count == 4, let number = Int(arguments[3]) else { exit(64) }

switch arguments[1] {
case "write": try write(to: arguments[2], from: number)
case "hold": try hold(arguments[2])
case "begin": try begin(arguments[2], fileLimit: number)
case "fill": try fill(arguments[2], fileLimit: number)
default: exit(64)
}

/// Appends, sends, confirms and saves for ever; `first` seeds the order and numbers the fixes, by their times.
func write(to directory: String, from first: Int) throws {
    say("opening")
    let store = try Store.open(in: directory, limits: BacklogLimits(age: .infinity))
    var random = SplitMix64(state: UInt64(first))
    var number = first
    var sent: Batch?
    for step in 0... {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
            for _ in 0..<Int.random(in: 1...30, using: &random) {
                number += 1
                store.backlog.append(fix(number), at: 0)
            }
            if Bool.random(using: &random) { store.backlog.flush(at: 0) }
            if store.backlog.deadline == .max { say("durable \(number)") }
        case 2:
            sent = store.backlog.batch(atMost: Int.random(in: 1...50, using: &random), at: 0)
            if let sent { say("sent \(sent.id) \(sent.attempt) \(numbers(sent))") }
        case 3:
            if let batch = sent {
                store.backlog.confirm(batch, at: 0)
                say("confirmed \(batch.id)")
                sent = nil
            }
        case 4:
            try store.desired.save(state(first + step))
            say("state \(first + step)")
        default:
            try store.desired.save(route: bytes(first + step))
            try store.desired.save(tracker: bytes(first + step))
            say("route \(first + step)")
        }
        if let failure = store.backlog.failure { throw failure }
    }
}

/// Holds the store until its standard input ends.
func hold(_ directory: String) throws {
    let store = try Store.open(in: directory)
    say("held \(store.backlog.count)")
    _ = readLine()
}

/// Opens a store where no file may be longer than `fileLimit`, and goes on in memory.
func begin(_ directory: String, fileLimit: Int) throws {
    signal(SIGXFSZ, SIG_IGN)
    setFileLimit(rlim_t(fileLimit))
    do {
        _ = try Store.open(in: directory)
        say("opened none")
    } catch {
        say("failed \(error.kind)")
    }
    let store = try Store(inMemory: BacklogLimits())
    for number in 1...3 { store.backlog.append(fix(number), at: 0) }
    if let batch = store.backlog.batch(atMost: 3, at: 0) { say("sent \(numbers(batch))") }
}

/// Appends with no file longer than `fileLimit`, far beyond where that fails, then lets the files grow.
func fill(_ directory: String, fileLimit: Int) throws {
    signal(SIGXFSZ, SIG_IGN)
    let store = try Store.open(in: directory)
    setFileLimit(rlim_t(fileLimit))
    var number = 0
    while store.backlog.failure == nil || number < 3000 {
        number += 1
        store.backlog.append(fix(number), at: Int64(number) * 1_000_000_000)
    }
    let isSaved = (try? store.desired.save(state(1))) != nil
    say("failed \(store.backlog.failure.map { "\($0.kind)" } ?? "") \(isSaved) \(store.backlog.count)")
    var sent = 0
    while let batch = store.backlog.batch(atMost: 100, at: 0), sent < 200 {
        sent += batch.fixes.count
        store.backlog.confirm(batch, at: 0)
    }
    say("sent \(sent)")
    setFileLimit(rlim_t.max)
    store.backlog.flush(at: 0)
    say("recovered \(store.backlog.failure == nil) \(store.backlog.count)")
}

/// Writes a line at once.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = Glibc.write(1, bytes, bytes.count)
}

func setFileLimit(_ bytes: rlim_t) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = min(bytes, limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
}

func fix(_ number: Int) -> Fix {
    var fix = Fix(coordinate: Coordinate(latitude: Double(number % 90), longitude: Double(number % 180)))
    fix.time = Double(number)
    return fix
}

func numbers(_ batch: Batch) -> String { batch.fixes.map { String(Int($0.time)) }.joined(separator: ",") }

/// All of its values follow from the number.
func state(_ number: Int) -> DesiredState {
    var state = DesiredState()
    state.vehicle = "v\(number)"
    state.interval = 5 + number % 56
    state.isTracking = number % 2 == 0
    state.isOfflineDue = number % 2 == 1
    state.stops = (0..<number % 4).map { _ in
        .init(coordinate: Coordinate(latitude: 1, longitude: 2), state: .new, tasks: ["t\(number)"])
    }
    return state
}

func bytes(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number % 20_000 + 1) }

/// Steele, Lea and Flood's generator of 2014.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
