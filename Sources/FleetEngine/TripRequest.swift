/// GetTrip: what a consumer asks.
public enum TripRequest {
    /// From the leading "/v1" on, with the query, percent-encoded. knownSegment: the version of the route segment already answered, so that it is not
    /// sent again. The view is the one Google gives to clients that are not its own SDK.
    public static func target(provider: String, trip: String, knownSegment: String?) -> String {
        let path = "/v1/providers/\(ResourceName.percentEncoded(provider))/trips/\(ResourceName.percentEncoded(trip))"
        let query = "view=JOURNEY_SHARING_V1S&routeFormatType=ENCODED_POLYLINE_TYPE"
        return "\(path)?\(query)" + (knownSegment.map { "&currentRouteSegmentVersion=\(ResourceName.percentEncoded($0))" } ?? "")
    }
}
