import Glibc

/// The emulator's clocks, in milliseconds; tests put their own in.
struct Clock: Sendable {
    /// Since 1970.
    var unix: @Sendable () -> Int64 = { Clock.read(CLOCK_REALTIME) }
    /// Since an arbitrary moment; never goes back.
    var monotonic: @Sendable () -> Int64 = { Clock.read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
