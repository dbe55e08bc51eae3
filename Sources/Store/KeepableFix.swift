import Navigation

extension Fix {
    /// What is worth keeping of it: measures that are not finite count as absent. nil without a time or a valid position, for which Fleet Engine would
    /// refuse the whole update.
    var keepable: Fix? {
        guard coordinate.isValid, time.isFinite else { return nil }
        var fix = self
        fix.accuracy = accuracy.finite
        fix.speed = speed.finite
        fix.heading = heading.finite
        fix.altitude = altitude.finite
        fix.speedAccuracy = speedAccuracy.finite
        fix.headingAccuracy = headingAccuracy.finite
        fix.altitudeAccuracy = altitudeAccuracy.finite
        return fix
    }
}

extension Double {
    fileprivate var finite: Double { isFinite ? self : .nan }
}
