import CGPS
import Navigation

/// Why the libgps in use cannot be trusted, and what to do about it.
public struct LibgpsMismatch: Error, Equatable {
    public let reason: String
}

/// Whether the libgps in use is the one compiled against.
///
/// Neither libgps's SONAME nor its API number tells its layout, so a wrong one would read garbage. Two checks: the releases, where both are
/// known, and one known report that must come out whole.
public enum Libgps {
    /// The release in use, such as "3.22"; "" when it does not say.
    public static var version: String { String(cString: mp_gps_running_version()) }

    public static func check() throws(LibgpsMismatch) {
        try check(built: String(cString: mp_gps_built_version()), running: version)
        try checkLayout()
    }

    /// Equal as far as `built` goes: "3.22" takes "3.22" and "3.22.1", not "3.2" or "3.221".
    static func check(built: String, running: String) throws(LibgpsMismatch) {
        guard !built.isEmpty, !running.isEmpty else { return }
        let rest = running.utf8.dropFirst(built.utf8.count)
        let isDigit = rest.first.map { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ?? false
        guard running.utf8.starts(with: built.utf8), !isDigit else {
            throw LibgpsMismatch(
                reason: "libgps \(running) is in use, but Milepost was built against \(built): build it again, or install libgps \(built)")
        }
    }

    private static func checkLayout() throws(LibgpsMismatch) {
        let line = #"""
            {"class":"TPV","device":"/dev/probe","status":6,"mode":3,"time":"2024-05-14T08:00:00.250Z","lat":1.5,"lon":2.5,"altHAE":3.5,\#
            "epv":4.5,"track":5.5,"speed":6.5,"eps":7.5,"epd":8.5,"eph":9.5}
            """#
        let report = Array(line.utf8).withUnsafeBufferPointer { TPVParser().parse($0) }
        guard let fix = report?.fix, report?.mode == 3, report?.device == Device(path: Array("/dev/probe".utf8)),
            report?.time == TPV.Time(seconds: 1_715_673_600, nanoseconds: 250_000_000), fix.isEstimated,
            fix.coordinate.latitude == 1.5, fix.coordinate.longitude == 2.5, fix.altitude == 3.5, fix.altitudeAccuracy == 4.5,
            fix.heading == 5.5, fix.speed == 6.5, fix.speedAccuracy == 7.5, fix.headingAccuracy == 8.5, fix.accuracy == 9.5
        else {
            throw LibgpsMismatch(reason: "the libgps in use does not read a known report as its gps.h said: build Milepost again with it")
        }
    }
}
