import Emulator
import Foundation
import FoundationNetworking
import XCTest

@testable import Reporting

/// The emulator of Fleet Engine behind a bench: requests of a reporter on a fake clock go over real HTTP and are answered before the clock goes on.
final class EmulatedServer {
    private static let root = "/v1/providers/p"
    private let emulator: Emulator
    private let session = URLSession(configuration: .ephemeral)

    /// The bench's vehicle, "v", is there as one of either service.
    init() throws {
        var options = EmulatorOptions()
        options.provider = "p"
        options.vehicles = ["v"]
        options.deliveryVehicles = ["v"]
        emulator = try Emulator(options)
    }

    deinit {
        session.invalidateAndCancel()
        emulator.stop()
    }

    struct Answer: @unchecked Sendable {
        var status = 0
        var body = Data()
        var json: Any? { try? JSONSerialization.jsonObject(with: body) }
        var object: [String: Any] { json as? [String: Any] ?? [:] }
    }

    /// A bench whose requests come here with a token of that account: "driver", "delivery-driver" …
    func bench(_ bench: Bench, _ account: String) throws -> Bench {
        let token = try token("\(account)/v")
        bench.provider = { _ in .success(FetchedToken(token: token, goodFor: nil)) }
        bench.server = { [self] request in
            let answer = send(request.method.rawValue, request.target, request.bearer, request.body)
            return .answer(status: answer.status, body: Array(answer.body), retryAfter: nil)
        }
        return bench
    }

    /// The emulator's own controls.
    @discardableResult
    func control(_ method: String, _ path: String, _ body: String? = nil) -> Any? { send(method, "/control/" + path, nil, body).json }

    func token(_ path: String) throws -> String {
        try XCTUnwrap(send("GET", "/token/" + path).object["token"] as? String)
    }

    /// What the backend does, or sees.
    @discardableResult
    func admin(_ method: String, _ path: String, _ body: String? = nil) throws -> [String: Any] {
        let answer = send(method, Self.root + "/" + path, try token("admin"), body)
        XCTAssertEqual(answer.status, 200, String(decoding: answer.body, as: UTF8.self))
        return answer.object
    }

    /// The vehicle as the server holds it.
    func vehicle(_ collection: String = "vehicles") throws -> [String: Any] { try admin("GET", collection + "/v") }

    struct Update {
        var mask: [String]
        var body: [String: Any]
        var status: Int
        var remarks: [String]
    }

    /// The reporter's updates, oldest first.
    func updates(_ collection: String = "vehicles") throws -> [Update] {
        let entries = try XCTUnwrap(send("GET", "/control/history?under=\(Self.root)/\(collection)/v").json as? [[String: Any]])
        return entries.filter { $0["method"] as? String != "GET" }.map { entry in
            Update(
                mask: entry["mask"] as? [String] ?? [], body: entry["body"] as? [String: Any] ?? [:], status: entry["status"] as? Int ?? 0,
                remarks: entry["remarks"] as? [String] ?? [])
        }
    }

    private func send(_ method: String, _ target: String, _ bearer: String? = nil, _ body: String? = nil) -> Answer {
        guard let url = URL(string: emulator.url + target) else { return Answer() }
        var request = URLRequest(url: url, timeoutInterval: 30)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        if let bearer { request.setValue("Bearer " + bearer, forHTTPHeaderField: "Authorization") }
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var answer = Answer()
        session.dataTask(with: request) { data, response, _ in
            answer = Answer(status: (response as? HTTPURLResponse)?.statusCode ?? 0, body: data ?? Data())
            done.signal()
        }.resume()
        done.wait()
        return answer
    }
}
