import Navigation

/// The compressed form of an S2 polyline (s2geometry, s2polyline.cc and s2point_compression.cc), in which Google's Driver SDK sends a route segment.
public enum S2Polyline {
    /// base64url with padding. Each point moves to the centre of its cell, 1.86 m at most; points that share a cell with the one before, which the
    /// format forbids, and invalid coordinates are left out. A line inside one cell starts in the cell beside it, for a line has two ends; without any valid
    /// point it is the empty line.
    public static func encode(_ points: [Coordinate]) -> String {
        let cells = cells(of: points)
        var bytes: [UInt8] = [2, S2Cell.level]
        appendVarint(UInt64(cells.count), to: &bytes)
        appendFaces(of: cells, to: &bytes)
        appendPositions(of: cells, to: &bytes)
        // No point lies off its cell's centre.
        appendVarint(0, to: &bytes)
        return Base64URL.encode(bytes)
    }

    private static func cells(of points: [Coordinate]) -> [S2Cell] {
        var cells: [S2Cell] = []
        cells.reserveCapacity(points.count)
        for point in points where point.isValid {
            let cell = S2Cell(point)
            if cells.last != cell { cells.append(cell) }
        }
        if cells.count == 1, var beside = cells.first {
            beside.column += beside.column == 0 ? 1 : -1
            cells.insert(beside, at: 0)
        }
        return cells
    }

    /// Runs of vertices on one face: 6 * length + face.
    private static func appendFaces(of cells: [S2Cell], to bytes: inout [UInt8]) {
        var start = 0
        while start < cells.count {
            let face = cells[start].face
            let end = cells[start...].firstIndex { $0.face != face } ?? cells.count
            appendVarint(UInt64(6 * (end - start) + face), to: &bytes)
            start = end
        }
    }

    /// The first position whole, the second as a difference, the others as differences of differences.
    private static func appendPositions(of cells: [S2Cell], to bytes: inout [UInt8]) {
        guard let first = cells.first else { return }
        let bits = interleaved(UInt32(first.column), UInt32(first.row))
        for byte in 0..<6 { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * byte))) }
        var lastStep = (column: Int32(0), row: Int32(0))
        for (from, to) in zip(cells, cells.dropFirst()) {
            let step = (column: to.column - from.column, row: to.row - from.row)
            let change = interleaved(zigZag(step.column - lastStep.column), zigZag(step.row - lastStep.row))
            appendVarint(change, to: &bytes)
            lastStep = step
        }
    }

    private static func zigZag(_ value: Int32) -> UInt32 { UInt32(bitPattern: value << 1 ^ value >> 31) }

    /// The bits of `even` at the even places, those of `odd` at the odd ones.
    private static func interleaved(_ even: UInt32, _ odd: UInt32) -> UInt64 { spread(even) | spread(odd) << 1 }

    private static func spread(_ value: UInt32) -> UInt64 {
        var bits = UInt64(value)
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }

    private static func appendVarint(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
