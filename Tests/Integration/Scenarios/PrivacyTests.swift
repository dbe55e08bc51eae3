import Foundation
import XCTest

/// share/milepost/privacy.json says what leaves the vehicle. It is held against what servers received: nothing comes that is not listed, and
/// what is listed as sent by default comes.
final class PrivacyTests: XCTestCase {
    private struct List: Decodable {
        struct Request: Decodable {
            var request: String
            var services: [String]
            var sent: String
            var stop: String
        }

        struct Parameter: Decodable {
            var name: String
            var sent: String
            var stop: String
        }

        struct Field: Decodable {
            var path: String
            var services: [String]
            var what: String
            var sent: String
            var when: String
            var stop: String
        }

        struct Header: Decodable {
            var name: String
            var to: [String]
            var what: String
            var stop: String
        }

        var requests: [Request]
        var query: [Parameter]
        var fields: [Field]
        var headers: [Header]
    }

    private static let file = "share/milepost/privacy.json"

    private func list() throws -> List {
        try JSONDecoder().decode(List.self, from: Data(contentsOf: Places.root.appendingPathComponent(Self.file)))
    }

    private func name(_ service: Telematics.Service) -> String { service == .onDemand ? "on-demand" : "delivery" }

    /// What the emulator received, by its own account.
    private struct Received {
        var requests: Set<String> = []
        var query: Set<String> = []
        var fields: Set<String> = []

        init(_ emulator: Emulator, vehicle: String) throws {
            let answer = try HTTP.send("GET", port: emulator.port, "/control/history")
            let entries = try XCTUnwrap(JSONSerialization.jsonObject(with: answer.body) as? [[String: Any]])
            for entry in entries {
                let path = try XCTUnwrap(entry["path"] as? String)
                let isToken = path.hasPrefix("/token/")
                let general = path.replacingOccurrences(of: "providers/\(Emulator.provider)", with: "providers/{provider}")
                    .replacingOccurrences(of: vehicle, with: "{vehicle}")
                requests.insert(isToken ? "GET of the token URL" : "\(entry["method"] ?? "") \(general)")
                // What the URL of the token server holds is the host's.
                if isToken { continue }
                query.formUnion((entry["query"] as? [String: Any] ?? [:]).keys)
                Self.addLeaves(of: entry["body"] ?? NSNull(), at: "", to: &fields)
                for path in entry["mask"] as? [String] ?? [] {
                    XCTAssertTrue(fields.contains { $0 == path || $0.hasPrefix(path + ".") || $0.hasPrefix(path + "[]") }, path)
                }
            }
        }

        /// Dotted paths of what is no object; elements of a list as `[]`.
        private static func addLeaves(of value: Any, at path: String, to leaves: inout Set<String>) {
            switch value {
            case let object as [String: Any]:
                for (key, member) in object { addLeaves(of: member, at: path.isEmpty ? key : "\(path).\(key)", to: &leaves) }
            case let elements as [Any]:
                for element in elements { addLeaves(of: element, at: path + "[]", to: &leaves) }
            case is NSNull: break
            default: leaves.insert(path)
            }
        }
    }

    private func assertListed(_ seen: Set<String>, in listed: [String], _ section: String, _ service: Telematics.Service) {
        for path in seen.subtracting(listed).sorted() {
            XCTFail("\(name(service)): \(path) leaves the vehicle and is not listed: add it to \"\(section)\" in \(Self.file)")
        }
    }

    private func assertSeen(_ listed: [String], in seen: Set<String>, _ section: String, _ service: Telematics.Service) {
        for path in Set(listed).subtracting(seen).sorted() {
            XCTFail("\(name(service)): \(path) is listed in \"\(section)\" of \(Self.file) as sent by default, and did not come")
        }
    }

    /// A whole drive has begun.
    private func begin(_ service: Telematics.Service, _ options: [String] = []) throws -> Telematics {
        let drive = try Drive(seed: 5, length: 600)
        return try Telematics(
            Emulator(vehicles: ["privacy-van"]), vehicle: "privacy-van", service, gpsd: drive.feed(speed: 10), route: drive.route,
            options + ["--exit-on-arrival"])
    }

    /// What came by its end.
    private func received(from unit: Telematics) throws -> Received {
        XCTAssertEqual(try unit.child.exitStatus(), 0, unit.child.transcript)
        return try Received(unit.emulator, vehicle: unit.vehicle)
    }

    func testWhatADriveSendsIsWhatIsListed() throws {
        let list = try list()
        for unit in try Telematics.Service.allCases.map({ try begin($0) }) {
            let service = unit.service
            let received = try received(from: unit)
            let requests = list.requests.filter { $0.services.contains(name(service)) }
            assertListed(received.requests, in: requests.map(\.request), "requests", service)
            assertSeen(requests.filter { $0.sent == "by default" }.map(\.request), in: received.requests, "requests", service)
            assertListed(received.query, in: list.query.map(\.name), "query", service)
            assertSeen(list.query.filter { $0.sent == "by default" }.map(\.name), in: received.query, "query", service)
            let fields = list.fields.filter { $0.services.contains(name(service)) }
            assertListed(received.fields, in: fields.map(\.path), "fields", service)
            assertSeen(fields.filter { $0.sent == "by default" }.map(\.path), in: received.fields, "fields", service)
        }
    }

    /// Each option that the list names does stop what it is said to.
    func testWhatAnOptionStopsDoesNotCome() throws {
        let list = try list()
        let rows = [
            ("milepost_config_set_share_route(config, 0)", ["--no-route-sharing"]),
            ("milepost_config_set_location_form(config, MILEPOST_LOCATION_SENSOR)", ["--location", "sensor"]),
            ("milepost_config_set_location_form(config, MILEPOST_LOCATION_SUPPLEMENTAL)", ["--location", "supplemental"]),
        ]
        let units = try rows.map { try begin(.onDemand, $0.1 + ["--partial-responses"]) }
        for ((stop, _), unit) in zip(rows, units) {
            let received = try received(from: unit)
            let stopped = list.fields.filter { $0.stop == stop }.map(\.path)
            XCTAssertFalse(stopped.isEmpty, stop)
            XCTAssertEqual(received.fields.intersection(stopped), [], stop)
            assertListed(received.fields, in: list.fields.map(\.path), "fields", .onDemand)
            assertListed(received.query, in: list.query.map(\.name), "query", .onDemand)
        }
    }

    func testNoHeaderComesThatIsNotListed() throws {
        let list = try list()
        for to in ["endpoint", "token server"] {
            let listener = try Listener()
            let isEndpoint = to == "endpoint"
            let unit = try Telematics(
                Emulator(), gpsd: nil, endpoint: isEndpoint ? listener.url : nil,
                tokens: isEndpoint ? ["--token", "a-token"] : ["--token-url", listener.url + "/token"], ["--compress-requests"])
            let head = try listener.head()
            let names = Set(head.dropFirst().compactMap { $0.split(separator: ":").first.map { $0.lowercased() } })
            assertListed(names, in: list.headers.filter { $0.to.contains(to) }.map { $0.name.lowercased() }, "headers", .onDemand)
            XCTAssertEqual(names.contains("authorization"), isEndpoint, "\(head)")
            unit.child.send(SIGKILL)
        }
    }

    /// What stops something is a call of the interface.
    func testEveryEntrySaysHowToStopIt() throws {
        let list = try list()
        let header = try String(contentsOf: Places.root.appendingPathComponent("include/milepost.h"), encoding: .utf8)
        let stops = list.requests.map(\.stop) + list.query.map(\.stop) + list.fields.map(\.stop) + list.headers.map(\.stop)
        for stop in Set(stops) {
            let names = stop.matches(of: /milepost_\w+|MILEPOST_\w+/).map { String($0.output) }
            XCTAssertFalse(names.isEmpty, stop)
            for name in names { XCTAssertTrue(header.contains(name), "\(name) is not in milepost.h") }
        }
        for field in list.fields {
            XCTAssertTrue(["by default", "where known", "with an option"].contains(field.sent), field.path)
            XCTAssertFalse(field.what.isEmpty || field.when.isEmpty, field.path)
        }
        XCTAssertEqual(Set(list.fields.map { "\($0.path) \($0.services)" }).count, list.fields.count)
    }
}

/// Takes one connection and reads the head of one request.
private final class Listener {
    let url: String
    private let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)

    init() throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 1) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isListening else { throw Failure("no port") }
        url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    }

    deinit { close(socket) }

    func head() throws -> [String] {
        let connection = accept(socket, nil, nil)
        defer { close(connection) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !bytes.contains([13, 10, 13, 10]) {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { throw Failure("no request") }
            bytes += buffer[..<count]
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n")
    }
}
