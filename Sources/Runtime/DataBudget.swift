import CZlib
import FleetEngine
import Reporting

// What makes requests and answers shorter. Off unless the host wants it: Google documents neither for Fleet Engine.

/// As gzip; nil where that would not be shorter.
func gzipped(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 1 else { return nil }
    let packed = [UInt8](unsafeUninitializedCapacity: bytes.count - 1) { room, count in
        count = mp_gzip(bytes, bytes.count, room.baseAddress, room.count)
    }
    return packed.isEmpty ? nil : packed
}

extension OutgoingRequest {
    /// The target with the fields of the answer that are wanted: of an update, those that are read.
    func target(ofPartialAnswersFrom service: Service) -> String {
        method == .put || method == .patch ? "\(target)&fields=\(VehicleResponse.fields(service))" : target
    }
}
