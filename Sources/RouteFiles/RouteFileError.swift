/// Why a route file cannot be followed: what is wrong, where (a JSON path, a line and column, or a byte offset), and what to do.
public struct RouteFileError: Error, Equatable {
    public let reason: String

    public init(_ reason: String) { self.reason = reason }

    /// The same error, found inside something: "routes[0].geometry: byte 17 …".
    func inside(_ place: String) -> RouteFileError { RouteFileError("\(place): \(reason)") }
}
