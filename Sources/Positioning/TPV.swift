import CGPS
import Navigation

/// One report of a receiver: gpsd's class TPV.
struct TPV {
    /// A moment as gpsd says it: with the device it names an epoch.
    struct Time: Equatable {
        var seconds: Int64
        var nanoseconds: Int32
    }

    /// 0 unknown, 1 no fix, 2 and 3 a position.
    var mode: Int
    var time: Time?
    /// Holds a position only where `hasPosition`.
    var fix: Fix
    var device: Device

    /// The mode decides, never the status; a report cut short may lack a coordinate; 0,0 is what some receivers say at their start.
    var hasPosition: Bool {
        mode >= 2 && fix.coordinate.isValid && (fix.coordinate.latitude != 0 || fix.coordinate.longitude != 0)
    }
}

/// A receiver's path as gpsd names it; empty when a report names none.
struct Device: Equatable {
    var path: [UInt8]
    var text: String { path.isEmpty ? "a receiver without a name" : String(decoding: path, as: UTF8.self) }
}

/// gps_unpack, one line at a time.
final class TPVParser {
    private let gps: OpaquePointer?
    private var report = FlatReport()

    init() { gps = mp_gps_create() }
    deinit { mp_gps_destroy(gps) }

    /// Nil when the line is not one whole object.
    func parse(_ line: UnsafeBufferPointer<UInt8>) -> TPV? {
        guard let gps, report.copy(line) else { return nil }
        var values = mp_tpv()
        report.text.withUnsafeBytes { bytes in
            if let text = bytes.bindMemory(to: CChar.self).baseAddress { mp_gps_parse_tpv(gps, text, &values) }
        }
        return TPV(values)
    }
}

extension TPV {
    fileprivate init(_ report: mp_tpv) {
        mode = Int(report.mode)
        fix = Fix(coordinate: Coordinate(latitude: report.latitude_deg, longitude: report.longitude_deg))
        fix.speed = report.speed_mps
        fix.heading = report.track_deg
        fix.altitude = report.altitude_hae_m
        fix.accuracy = report.eph_m
        fix.speedAccuracy = report.eps_mps
        fix.headingAccuracy = report.epd_deg
        fix.altitudeAccuracy = report.epv_m
        fix.isEstimated = report.status == 5 || report.status == 6
        fix.isSimulated = report.status == 8
        if report.has_time {
            time = Time(seconds: report.time_s, nanoseconds: report.time_ns)
            fix.time = Double(report.time_s) + Double(report.time_ns) / 1e9
        }
        var path: [UInt8] = []
        if var byte = report.device {
            while byte.pointee != 0 {
                path.append(UInt8(bitPattern: byte.pointee))
                byte += 1
            }
        }
        device = Device(path: path)
    }
}
