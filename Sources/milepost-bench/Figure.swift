import Foundation

/// One measured figure, and what it has to reach.
struct Figure {
    enum Target {
        case atMost(Double)
        case atLeast(Double)
        /// For comparison only.
        case none
    }

    let name: String
    let value: Double
    let unit: String
    let target: Target

    init(_ name: String, _ value: Double, _ unit: String, _ target: Target = .none) {
        self.name = name
        self.value = value
        self.unit = unit
        self.target = target
    }

    var isReached: Bool {
        switch target {
        case .atMost(let limit): value <= limit
        case .atLeast(let limit): value >= limit
        case .none: true
        }
    }

    /// `name value unit target ok|short`
    var line: String {
        let goal =
            switch target {
            case .atMost(let limit): "<=\(Self.text(limit))"
            case .atLeast(let limit): ">=\(Self.text(limit))"
            case .none: "-"
            }
        return "\(name) \(Self.text(value)) \(unit) \(goal) \(isReached ? "ok" : "short")"
    }

    private static func text(_ value: Double) -> String { String(format: "%.4g", value) }
}
