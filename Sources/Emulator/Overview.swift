/// GET /: a page for people.
extension Emulator {
    static let endpoints = """
        Fleet Engine, provider PROVIDER (errors in Google's form):
          POST /v1/providers/PROVIDER/vehicles?vehicleId=ID                          GET PUT DELETE …/vehicles/ID
          POST /v1/providers/PROVIDER/trips?tripId=ID                                GET PUT DELETE …/trips/ID
          POST /v1/providers/PROVIDER/deliveryVehicles?deliveryVehicleId=ID          GET PATCH DELETE …/deliveryVehicles/ID
          POST /v1/providers/PROVIDER/tasks?taskId=ID                                GET PATCH DELETE …/tasks/ID
          GET …/deliveryVehicles and …/tasks [?pageSize=N&pageToken=T&filter=F]      GET …/taskTrackingInfo/TRACKING-ID
          PUT and PATCH need updateMask. Creating, deleting, listing and updating a trip need an admin's token.

        Tokens, as {"token": JWT, "expiresInSeconds": seconds from now, "expirationTimestamp": Unix seconds}:
          GET /token/driver/VEHICLE[?tripId=ID]
          GET /token/delivery-driver/VEHICLE[?taskId=ID]…        GET /token/untrusted-delivery-driver/VEHICLE (no stops)
          GET /token/consumer/TRIP        GET /token/delivery-consumer/TRACKING-ID        GET /token/admin

        Control:
          GET /control/history[?since=INDEX][&under=PATH][&atLeast=N[&timeoutMs=MS]]
                                          every request as JSON; with atLeast, as soon as there are N (10 s at most, or timeoutMs)
          DELETE /control/history         forget it, count from 0 again
          GET /control/vehicles           all vehicles as stored
          GET /control/locations[?vehicle=ID]
                                          every accepted position once, lastLocation's and pastLocations', with how often it came
          GET /control/statistics[?under=NAME]
                                          requests, updates, bytes and positions of each resource
          POST /control/clock             {"advanceMs":MS} moves the emulator's time on, {"tokenSkewMs":MS} that of token checks
          POST /control/limits            {"requestsPerMinute":N,"resourceRequestsPerMinute":N,"pastLocations":N,"bodyBytes":N}; null: none
          POST /control/faults            a JSON array; each element spoils the next PUT or PATCH, or the next "times" requests that have
                                          its "method" and whose path begins with its "path":
                                          {"status":503 or "code":"UNAVAILABLE","message":…,"body":…,"retryAfter":S,"retryInfo":S,"reason":…}
                                          {"garbage":true} {"truncate":BYTES} {"drop":"before"} {"drop":"after"} {"hang":true} {"delayMs":MS}
                                          {"location":"discard"} {"location":{"latitude":…,"longitude":…}}
          DELETE /control/faults          take back those that are left
          POST /control/release           answer requests that hang
          POST /control/keys/rotate       a new signing key: tokens made before are refused

        """

    func overview() -> String {
        let now = now
        let vehicles = state.withLock { $0.fleet.vehicles(now: now) }
        var page = "fleet-engine-emulator, provider \(options.provider)\n\n" + Self.endpoints + "\n"
        let rows =
            [["vehicle", "state", "navigation", "latitude", "longitude", "m left", "arrives", "reported"]] + vehicles.map { row($0, now) }
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            page += cells.joined(separator: "  ") + "\n"
        }
        return page
    }

    private func row(_ vehicle: Vehicle, _ now: Int64) -> [String] {
        let shown = vehicle.shown(now: now).object ?? [:]
        let location = shown["lastLocation"]?.object
        let point = location?["location"]?.object
        let values = [
            shown["vehicleState"], shown["navigationStatus"], point.map { $0["latitude"] ?? .integer(0) },
            point.map { $0["longitude"] ?? .integer(0) }, shown["remainingDistanceMeters"],
            shown["etaToFirstWaypoint"] ?? shown["remainingDuration"], location?["serverTime"],
        ]
        return ["\(vehicle.key.kind.collection)/\(vehicle.key.id)"]
            + values.map { $0.map { $0.string ?? $0.text } ?? "-" }
    }
}
