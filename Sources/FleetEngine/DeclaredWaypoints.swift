import JSON
import Navigation

/// Where the backend has a vehicle stop: an on-demand vehicle's waypoints, a delivery vehicle's stops.
public enum DeclaredWaypoints {
    /// Bodies longer than this are not read.
    private static let bodyLimit = 1 << 20

    /// In order, from the body of a vehicle; nil for one whose place is not told, and altogether when the body is no vehicle.
    public static func read(_ body: [UInt8], _ service: Service) -> [Coordinate?]? {
        JSONDocument.read(body, limit: bodyLimit) { root in
            guard root["name"]?.string != nil else { return nil }
            switch service {
            case .onDemand: return places(root["waypoints"]) { $0["location"] }
            case .delivery: return places(root["remainingVehicleJourneySegments"]) { $0["stop"]?["plannedLocation"] }
            }
        }
    }

    private static func places(_ list: JSONNode?, _ location: (JSONNode) -> JSONNode?) -> [Coordinate?] {
        guard let list else { return [] }
        return (0..<list.count).map { index in list[index].flatMap(location)?["point"]?.coordinate }
    }
}
