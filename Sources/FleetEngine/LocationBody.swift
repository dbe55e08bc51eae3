import JSON
import Navigation

extension ReportedLocation {
    /// VehicleLocation and DeliveryVehicleLocation, which are alike. Deprecated and output-only fields never appear.
    func body(_ form: LocationForm) -> JSONBuilder {
        let body = JSONBuilder.object()
        switch (form, snapped) {
        case (.supplemental, _): setSupplemental(in: body)
        case (.both, let snapped):
            setSupplemental(in: body)
            if let snapped { setSnapped(snapped, in: body) }
        case (.sensor, let snapped?): setSnapped(snapped, in: body)
        case (.sensor, nil): setMeasured(in: body)
        }
        setMotion(in: body)
        if timeSinceUpdate > 0 { body.set("timeSinceUpdate", Int(timeSinceUpdate)) }
        return body
    }

    private func setSupplemental(in body: JSONBuilder) {
        body.set("supplementalLocation", fix.coordinate.body)
        if let time { body.set("supplementalLocationTime", time) }
        body.set("supplementalLocationSensor", "CUSTOMER_SUPPLIED_LOCATION")
        body.setMeasure("supplementalLocationAccuracy", fix.accuracy)
    }

    private func setSnapped(_ snapped: Coordinate, in body: JSONBuilder) {
        body.set("location", snapped.body)
        if let time { body.set("updateTime", time) }
        body.set("locationSensor", "ROAD_SNAPPED_LOCATION_PROVIDER")
        body.set("isRoadSnapped", true)
        // A position that was carried on along the route was not measured.
        if fix.isEstimated && fix.coordinate == snapped { return }
        body.set("rawLocation", fix.coordinate.body)
        if let time { body.set("rawLocationTime", time) }
        body.set("rawLocationSensor", "GPS")
        body.setMeasure("rawLocationAccuracy", fix.accuracy)
    }

    private func setMeasured(in body: JSONBuilder) {
        body.set("location", fix.coordinate.body)
        if let time { body.set("updateTime", time) }
        body.set("locationSensor", "GPS")
        body.setMeasure("latlngAccuracy", fix.accuracy)
    }

    private func setMotion(in body: JSONBuilder) {
        // Fleet Engine wants whole degrees below 360.
        if let heading = WholeNumber.rounded(fix.heading), (0...360).contains(heading) { body.set("heading", Int(heading % 360)) }
        body.setMeasure("headingAccuracy", fix.headingAccuracy)
        // Receivers report slightly negative speeds at rest.
        body.setMeasure("speed", fix.speed < 0 ? 0 : fix.speed)
        body.setMeasure("speedAccuracy", fix.speedAccuracy)
        body.set("altitude", (fix.altitude * 1000).rounded() / 1000)
        body.setMeasure("altitudeAccuracy", fix.altitudeAccuracy)
    }

    /// Of the fix, to the millisecond; nil when it has none that a timestamp can hold.
    private var time: String? {
        let milliseconds = (fix.time * 1000).rounded()
        return abs(milliseconds) < 1e15 ? RFC3339.text(milliseconds: Int64(milliseconds)) : nil
    }
}

extension Coordinate {
    /// LatLng, to 7 decimals: about a centimetre.
    var body: JSONBuilder {
        let body = JSONBuilder.object()
        body.set("latitude", (latitude * 1e7).rounded() / 1e7)
        body.set("longitude", (longitude * 1e7).rounded() / 1e7)
        return body
    }
}

extension JSONBuilder {
    /// A measure that is never negative, to three decimals; left out when it is not known.
    fileprivate func setMeasure(_ key: StaticString, _ value: Double) {
        if value >= 0 { set(key, (value * 1000).rounded() / 1000) }
    }
}
