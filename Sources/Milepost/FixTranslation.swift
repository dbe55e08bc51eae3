import CMilepost
import Navigation
import Runtime

extension Fix {
    /// A fix of the host's; ranges are checked by the fix gate.
    init(_ c: milepost_fix) {
        self.init(coordinate: Coordinate(latitude: c.latitude_deg, longitude: c.longitude_deg))
        let value = { (bit: Int, value: Double) in c.fields & UInt32(bit) != 0 ? value : .nan }
        time = value(MILEPOST_FIX_TIME, Double(c.time_unix_ms) / 1000)
        accuracy = value(MILEPOST_FIX_ACCURACY, c.accuracy_m)
        speed = value(MILEPOST_FIX_SPEED, c.speed_mps)
        heading = value(MILEPOST_FIX_HEADING, c.heading_deg)
        altitude = value(MILEPOST_FIX_ALTITUDE, c.altitude_m)
        speedAccuracy = value(MILEPOST_FIX_SPEED_ACCURACY, c.speed_accuracy_mps)
        headingAccuracy = value(MILEPOST_FIX_HEADING_ACCURACY, c.heading_accuracy_deg)
        altitudeAccuracy = value(MILEPOST_FIX_ALTITUDE_ACCURACY, c.altitude_accuracy_m)
        isEstimated = c.fields & UInt32(MILEPOST_FIX_ESTIMATED) != 0
        isSimulated = c.fields & UInt32(MILEPOST_FIX_SIMULATED) != 0
    }
}

extension milepost_fix {
    init(_ fix: Fix) {
        self.init()
        size = UInt32(MemoryLayout<milepost_fix>.size)
        latitude_deg = fix.coordinate.latitude
        longitude_deg = fix.coordinate.longitude
        time_unix_ms = unixMilliseconds(fix.time) ?? 0
        accuracy_m = fix.accuracy
        speed_mps = fix.speed
        heading_deg = fix.heading
        altitude_m = fix.altitude
        speed_accuracy_mps = fix.speedAccuracy
        heading_accuracy_deg = fix.headingAccuracy
        altitude_accuracy_m = fix.altitudeAccuracy
        let present = [
            (MILEPOST_FIX_TIME, fix.time), (MILEPOST_FIX_ACCURACY, fix.accuracy), (MILEPOST_FIX_SPEED, fix.speed),
            (MILEPOST_FIX_HEADING, fix.heading), (MILEPOST_FIX_ALTITUDE, fix.altitude), (MILEPOST_FIX_SPEED_ACCURACY, fix.speedAccuracy),
            (MILEPOST_FIX_HEADING_ACCURACY, fix.headingAccuracy), (MILEPOST_FIX_ALTITUDE_ACCURACY, fix.altitudeAccuracy),
        ]
        for (bit, value) in present where value.isFinite { fields |= UInt32(bit) }
        if fix.isEstimated { fields |= UInt32(MILEPOST_FIX_ESTIMATED) }
        if fix.isSimulated { fields |= UInt32(MILEPOST_FIX_SIMULATED) }
    }
}

/// Seconds since 1970 as milliseconds; nil when absent or beyond what a date can be.
func unixMilliseconds(_ seconds: Double) -> Int64? {
    let milliseconds = (seconds * 1000).rounded()
    return milliseconds.isFinite && abs(milliseconds) < 9e15 ? Int64(milliseconds) : nil
}
