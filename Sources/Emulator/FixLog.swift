/// The positions that a vehicle's accepted updates brought, each once by the time at which it was taken. The newest 20,000 are kept.
struct FixLog: Sendable {
    struct Fix: Sendable {
        /// When it was taken, in UTC.
        var time: String
        var latitude, longitude: Double
        /// Whether it first came among pastLocations.
        var isPast: Bool
        /// How often it came.
        var count = 1
    }

    private static let capacity = 20_000

    private(set) var fixes: [Fix] = []
    private var places: [String: Int] = [:]
    /// Of all time.
    private(set) var distinct = 0
    private(set) var duplicates = 0
    private(set) var past = 0
    /// Positions that did not say when they were taken.
    private(set) var untimed = 0

    /// An update that has been carried out.
    mutating func note(_ body: JSONObject, _ mask: FieldMask) {
        if mask.names("pastLocations") {
            for location in body["pastLocations"]?.array ?? [] { note(location.object ?? [:], isPast: true) }
        }
        if mask.paths.contains(["lastLocation"]), let location = body["lastLocation"]?.object { note(location, isPast: false) }
    }

    /// A VehicleLocation that has been read. Which of its positions counts does not matter: they describe one fix.
    mutating func note(_ location: JSONObject, isPast: Bool) {
        if isPast { past += 1 }
        let forms = [
            ("rawLocation", "rawLocationTime"), ("supplementalLocation", "supplementalLocationTime"), ("location", "updateTime"),
        ]
        guard let form = forms.first(where: { location[$0.0] != nil && location[$0.1] != nil }),
            let time = location[form.1]?.string, let point = location[form.0]?.object
        else {
            untimed += 1
            return
        }
        if let place = places[time] {
            duplicates += 1
            fixes[place].count += 1
            return
        }
        distinct += 1
        places[time] = fixes.count
        fixes.append(
            Fix(time: time, latitude: point["latitude"]?.number ?? 0, longitude: point["longitude"]?.number ?? 0, isPast: isPast))
        if fixes.count > Self.capacity { forgetOldest() }
    }

    /// A quarter at a time, so that dropping costs little.
    private mutating func forgetOldest() {
        fixes.removeFirst(Self.capacity / 4)
        places = [:]
        for (place, fix) in fixes.enumerated() { places[fix.time] = place }
    }

    /// The counts, and the fixes themselves if wanted.
    func shown(withFixes: Bool) -> JSONObject {
        var object: JSONObject = [
            "distinct": .integer(Int64(distinct)), "duplicates": .integer(Int64(duplicates)), "past": .integer(Int64(past)),
            "untimed": .integer(Int64(untimed)),
        ]
        guard withFixes else { return object }
        let list = fixes.map { fix in
            JSON.object([
                "time": .string(fix.time), "latitude": .real(fix.latitude), "longitude": .real(fix.longitude), "past": .bool(fix.isPast),
                "count": .integer(Int64(fix.count)),
            ])
        }
        object.append("fixes", .array(list))
        return object
    }
}
