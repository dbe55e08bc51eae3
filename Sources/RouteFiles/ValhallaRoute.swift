import JSON
import Navigation

/// A route from Valhalla's own answer. Lengths are in the answer's units, kilometres or miles.
enum ValhallaRoute {
    private static let metresPerMile = 1_609.344

    static func matches(_ root: JSONNode) -> Bool { root["trip"] != nil || root["error_code"] != nil }

    static func describe(_ root: JSONNode) throws(RouteFileError) -> RouteDescription {
        if let error = root["error"]?.string { throw RouteFileError("the router answered no route: \(error): ask again") }
        guard let trip = root["trip"] else { throw RouteFileError("trip is missing: the router found no route") }
        if let status = trip["status"]?.integer, status != 0 {
            throw RouteFileError("the router answered status \(status): \(trip["status_message"]?.string ?? "no message"): ask again")
        }
        var legs: [DeclaredLeg] = []
        var shapes: [OSRMShape] = []
        let metresPerUnit = try metresPerUnit(trip["units"]?.string)
        let list = trip["legs"]
        for index in 0..<(list?.count ?? 0) {
            guard let leg = list?[index] else { continue }
            legs.append(try declared(leg, metresPerUnit: metresPerUnit, at: "trip.legs[\(index)]."))
            shapes.append(try shape(of: leg, at: "trip.legs[\(index)]."))
        }
        if legs.isEmpty { throw RouteFileError("trip.legs holds no leg: the router found no route") }
        let digits = try precision(of: shapes.compactMap { $0.encoded }, trip: trip, length: OSRMRoute.sum(legs.map { $0.length }))
        for index in legs.indices {
            let points = try shapes[index].points(precision: digits)
            legs[index].pieces = try pieces(of: list?[index]?["maneuvers"], points: points, at: "trip.legs[\(index)].")
        }
        return try JoinedLegs(legs, at: "trip.legs").description(at: "trip.legs")
    }

    private static func declared(_ leg: JSONNode, metresPerUnit: Double, at prefix: String) throws(RouteFileError) -> DeclaredLeg {
        guard let summary = leg["summary"] else { return DeclaredLeg() }
        let length = try OSRMRoute.amount(summary, "length", in: "units", at: "\(prefix)summary.")
        let duration = try OSRMRoute.amount(summary, "time", in: "seconds", at: "\(prefix)summary.")
        return DeclaredLeg(length: length.map { $0 * metresPerUnit }, duration: duration)
    }

    private static func metresPerUnit(_ units: String?) throws(RouteFileError) -> Double {
        switch units {
        case nil, "kilometers", "km": 1_000
        case "miles", "mi": metresPerMile
        default: throw RouteFileError("trip.units is neither kilometers nor miles: ask the router again")
        }
    }

    private static func shape(of leg: JSONNode, at prefix: String) throws(RouteFileError) -> OSRMShape {
        guard let shape = leg["shape"] else {
            throw RouteFileError("\(prefix)shape is missing: ask the router without shape_format=no_shape")
        }
        return try OSRMShape(shape, at: "\(prefix)shape")
    }

    /// 6 unless shape_format asked for 5, which the answer does not tell.
    private static func precision(of shapes: [EncodedPolyline], trip: JSONNode, length: Double?) throws(RouteFileError) -> Int {
        guard !shapes.isEmpty, let length, length >= 1 else { return 6 }
        let locations = trip["locations"]
        return try PolylinePrecision(
            distance: length, start: position(locations?[0]), end: position(locations?[max((locations?.count ?? 0) - 1, 0)])
        ).of(shapes, at: "trip.legs[].shape")
    }

    private static func position(_ location: JSONNode?) -> Coordinate? {
        guard let latitude = location?["lat"]?.number, let longitude = location?["lon"]?.number else { return nil }
        return Ground.position(latitude: latitude, longitude: longitude, continues: true)
    }

    /// A leg's line in the pieces of its manoeuvres; in one piece where they do not cover it.
    private static func pieces(of manoeuvres: JSONNode?, points: [Coordinate], at prefix: String) throws(RouteFileError) -> [DeclaredLeg
        .Piece]
    {
        var pieces: [DeclaredLeg.Piece] = []
        var end = 0
        for index in 0..<(manoeuvres?.count ?? 0) {
            guard let manoeuvre = manoeuvres?[index], let first = manoeuvre["begin_shape_index"]?.integer,
                let last = manoeuvre["end_shape_index"]?.integer, first == end, last >= first, last < points.count
            else { return [DeclaredLeg.Piece(points: points[...])] }
            let duration = try OSRMRoute.amount(manoeuvre, "time", in: "seconds", at: "\(prefix)maneuvers[\(index)].")
            end = Int(last)
            pieces.append(DeclaredLeg.Piece(points: points[Int(first)...end], duration: duration))
        }
        return end == points.count - 1 ? pieces : [DeclaredLeg.Piece(points: points[...])]
    }
}
