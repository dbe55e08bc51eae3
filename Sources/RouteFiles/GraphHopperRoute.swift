import JSON
import Navigation

/// A route from GraphHopper's own answer. Times are milliseconds. Waypoints are instructions, not legs. Of several paths the first is taken.
struct GraphHopperRoute {
    private static let prefix = "paths[0]."
    /// The sign of the instruction at a waypoint (Instruction.REACHED_VIA).
    private static let viaSign: Int64 = 5
    private static let millisecondsPerSecond = 1_000.0

    private let path: JSONNode
    private let instructions: [Instruction]

    static func matches(_ root: JSONNode) -> Bool { root["paths"] != nil }

    static func describe(_ root: JSONNode) throws(RouteFileError) -> RouteDescription {
        guard let path = root["paths"]?[0], path.kind == .object else { throw RouteFileError("paths holds no path: the router found none") }
        return try GraphHopperRoute(path).description()
    }

    private init(_ path: JSONNode) throws(RouteFileError) {
        self.path = path
        let list = path["instructions"]
        var instructions: [Instruction] = []
        for index in 0..<(list?.count ?? 0) {
            guard let node = list?[index] else { continue }
            instructions.append(try Instruction(node, at: "\(Self.prefix)instructions[\(index)]."))
        }
        self.instructions = instructions
    }

    private struct Instruction {
        let first: Int
        let last: Int
        let isWaypoint: Bool
        /// Metres.
        let length: Double
        /// Seconds.
        let duration: Double

        init(_ node: JSONNode, at prefix: String) throws(RouteFileError) {
            guard let first = node["interval"]?[0]?.integer, let last = node["interval"]?[1]?.integer, first >= 0, last >= first,
                last < Route.maxPoints
            else { throw RouteFileError("\(prefix)interval is not [from, to]: ask the router again") }
            self.first = Int(first)
            self.last = Int(last)
            isWaypoint = node["sign"]?.integer == GraphHopperRoute.viaSign
            length = try OSRMRoute.amount(node, "distance", in: "metres", at: prefix) ?? 0
            duration = try (OSRMRoute.amount(node, "time", in: "milliseconds", at: prefix) ?? 0) / millisecondsPerSecond
        }
    }

    private func description() throws(RouteFileError) -> RouteDescription {
        let line = try GraphHopperLine(path, pointCount: instructions.last.map { $0.last + 1 }, at: Self.prefix)
        guard let last = instructions.last, last.last == line.points.count - 1 else {
            if instructions.contains(where: { $0.isWaypoint }) {
                throw RouteFileError("\(Self.prefix)instructions count other points than there are: ask the router again")
            }
            return try withoutInstructions(line)
        }
        var legs = [DeclaredLeg(length: 0, duration: 0)]
        for (index, instruction) in instructions.enumerated() {
            guard instruction.first == (index == 0 ? 0 : instructions[index - 1].last), instruction.last < line.points.count else {
                throw RouteFileError("\(Self.prefix)instructions[\(index)].interval does not follow the one before: ask the router again")
            }
            if instruction.isWaypoint { legs.append(DeclaredLeg(length: 0, duration: 0)) }
            let leg = legs.count - 1
            legs[leg].length = (legs[leg].length ?? 0) + instruction.length
            legs[leg].duration = (legs[leg].duration ?? 0) + instruction.duration
            legs[leg].pieces.append(
                DeclaredLeg.Piece(points: line.points[instruction.first...instruction.last], duration: instruction.duration))
        }
        var description = try JoinedLegs(legs, at: "\(Self.prefix)instructions").description(at: "\(Self.prefix)instructions")
        description.segmentDurations = detailedTimes(along: description.points) ?? description.segmentDurations
        return description
    }

    /// Asked with instructions=false: the snapped waypoints say where legs end.
    private func withoutInstructions(_ line: GraphHopperLine) throws(RouteFileError) -> RouteDescription {
        let duration = try OSRMRoute.amount(path, "time", in: "milliseconds", at: Self.prefix).map { $0 / Self.millisecondsPerSecond }
        let length = try OSRMRoute.amount(path, "distance", in: "metres", at: Self.prefix)
        let stops = line.waypoints.dropFirst().dropLast().enumerated().map {
            LegSplit.Stop(position: $1, name: "\(Self.prefix)snapped_waypoints[\($0 + 1)]")
        }
        guard !stops.isEmpty else {
            return RouteDescription(
                points: line.points, legEnds: [line.points.count - 1], legDurations: duration.map { [$0] }, legLengths: length.map { [$0] },
                segmentDurations: detailedTimes(along: line.points))
        }
        let split = try LegSplit(line.points, stops: stops, legLengths: nil, at: "\(Self.prefix)points")
        return RouteDescription(
            points: split.points, legEnds: split.legEnds, legDurations: duration.map { Self.spread($0, over: split) })
    }

    /// A duration in parts proportional to the legs' lengths.
    private static func spread(_ duration: Double, over split: LegSplit) -> [Double] {
        let starts = [0] + split.legEnds.dropLast()
        let lengths = zip(starts, split.legEnds).map { Ground.length(split.points[$0...$1]) }
        let total = lengths.reduce(0, +)
        return lengths.map { total > 0 ? duration * $0 / total : 0 }
    }

    /// Seconds of each segment from the path detail `time`; nil unless it covers the line.
    private func detailedTimes(along points: [Coordinate]) -> [Double]? {
        guard let list = path["details"]?["time"], list.count > 0 else { return nil }
        var times: [Double] = []
        for index in 0..<list.count {
            guard let first = list[index]?[0]?.integer, let last = list[index]?[1]?.integer, let time = list[index]?[2]?.number,
                first == times.count, last > first, last < points.count, (0...OSRMRoute.maximumAmount).contains(time)
            else { return nil }
            appendSpread(time / Self.millisecondsPerSecond, over: points[Int(first)...Int(last)], to: &times)
        }
        return times.count == points.count - 1 ? times : nil
    }
}
