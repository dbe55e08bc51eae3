/// Doubles as the whole numbers of protobuf's int32.
public enum WholeNumber {
    /// The nearest whole number, clamped to Int32; nil for NaN.
    public static func rounded(_ value: Double) -> Int32? {
        value.isNaN ? nil : Int32(min(max(value.rounded(), Double(Int32.min)), Double(Int32.max)))
    }
}
