import CSystem
import Navigation

/// The host's wall clock, which a unit may have started without.
enum HostClock {
    /// 2026-11-01, this release: a clock that shows an earlier time has not been set.
    private static let release = 1_793_491_200.0

    /// Seconds since 1970; NaN while the clock cannot be right.
    static var now: Double {
        let now = Double(mp_clock_unix_ns()) / 1e9
        return now >= release ? now : .nan
    }
}

extension Fix {
    /// With the time of its arrival where the receiver gave none: Fleet Engine takes no position without a time.
    func stamped(by now: Double) -> Fix {
        var fix = self
        if fix.time.isNaN { fix.time = now }
        return fix
    }
}
