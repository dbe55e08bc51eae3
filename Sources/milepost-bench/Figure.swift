import Foundation

/// One measured figure, and what it has to reach.
struct Figure {
    enum Target {
        case atMost(Double)
        case atLeast(Double)
    }

    let name: String
    let value: Double
    let unit: String
    let target: Target

    var isReached: Bool {
        switch target {
        case .atMost(let limit): value <= limit
        case .atLeast(let limit): value >= limit
        }
    }

    /// `name value unit target ok|short`
    var line: String {
        let goal =
            switch target {
            case .atMost(let limit): "<=\(Self.text(limit))"
            case .atLeast(let limit): ">=\(Self.text(limit))"
            }
        return "\(name) \(Self.text(value)) \(unit) \(goal) \(isReached ? "ok" : "short")"
    }

    private static func text(_ value: Double) -> String { String(format: "%.4g", value) }
}
