import CSystem

/// What the turns of a leg cost, of which no more is known than its line.
struct TurnDelays {
    let positions: [GridPosition]
    let along: [Double]
    /// The leg's first and last vertex.
    let start: Int
    let end: Int

    /// Metres before and after a vertex over which a turn is judged: more than the rounding of a corner and the noise of a recorded track, less than a block.
    private static var reach: Double { 20 }
    /// The square of the cosine of 30 degrees: less is no turn, it would cost 0.1 s.
    private static var straight: Double { 0.75 }

    init(positions: [GridPosition], along: [Double], from start: Int, to end: Int) {
        self.positions = positions
        self.along = along
        self.start = start
        self.end = end
    }

    /// Sets the seconds of each turn at the vertex where the line turns most, and gives their sum. A bend that goes on is a turn again after ``reach``.
    func note(in seconds: inout [Double]) -> Double {
        var sum = 0.0
        var turn: (vertex: Int, cosine: Double)?
        var before = start
        var after = start
        for vertex in start + 1..<max(end, start + 1) {
            while along[before + 1] <= along[vertex] - Self.reach { before += 1 }
            while after < end && along[after] < along[vertex] + Self.reach { after += 1 }
            let cosine = cosine(before: before, vertex, after: after)
            if let done = turn, cosine == nil || along[vertex] - along[done.vertex] > Self.reach {
                seconds[done.vertex] = Self.delay(cosine: done.cosine)
                sum += seconds[done.vertex]
                turn = nil
            }
            if let cosine, cosine < turn?.cosine ?? 1 { turn = (vertex, cosine) }
        }
        guard let turn else { return sum }
        seconds[turn.vertex] = Self.delay(cosine: turn.cosine)
        return sum + seconds[turn.vertex]
    }

    /// Of the angle by which the line turns at a vertex; nil where it goes on straight. `before` begins the segment in which the turn begins, `after` ends the
    /// one in which it ends.
    private func cosine(before: Int, _ vertex: Int, after: Int) -> Double? {
        let here = positions[vertex].vector
        let there = here - place(before, at: along[vertex] - Self.reach)
        let onward = place(after - 1, at: along[vertex] + Self.reach) - here
        let product = (there * onward).sum()
        let squares = (there * there).sum() * (onward * onward).sum()
        return product > 0 && product * product >= Self.straight * squares || squares == 0 ? nil : product / squares.squareRoot()
    }

    /// So many metres from the start, on a segment or at its nearer end.
    private func place(_ segment: Int, at metres: Double) -> SIMD3<Double> {
        let from = positions[segment].vector
        let length = along[segment + 1] - along[segment]
        let fraction = length > 0 ? min(max((metres - along[segment]) / length, 0), 1) : 0
        return from + (positions[segment + 1].vector - from) * fraction
    }

    /// Half of 7.5 s for a right angle, nearly all of it for a U-turn: the turn function of OSRM's profile for cars (Project-OSRM/osrm-backend,
    /// profiles/car.lua, process_turn), where left and right are alike.
    private static func delay(cosine: Double) -> Double {
        let degrees = mp_atan2(max(1 - cosine * cosine, 0).squareRoot(), cosine) * (180 / Double.pi)
        return 7.5 / (1 + mp_exp(6.5 - 13 * degrees / 180))
    }
}

extension GridPosition {
    fileprivate var vector: SIMD3<Double> { SIMD3(Double(x), Double(y), Double(z)) }
}
