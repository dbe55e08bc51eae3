import FleetEngine
import Navigation
import XCTest

final class ResponseTests: XCTestCase {
    private func error(_ status: Int, _ body: String) -> ErrorResponse { ErrorResponse(httpStatus: status, body: Array(body.utf8)) }

    func testReadsGooglesErrorObject() {
        let read = error(404, #"{"error":{"code":404,"message":"Resources\nnot found: x","status":"NOT_FOUND"}}"#)
        XCTAssertEqual(read.code, .notFound)
        XCTAssertEqual(read.message, "Resources not found: x")
        XCTAssertNil(read.retryDelay)
        XCTAssertEqual(error(400, #"{"error":{"status":"FAILED_PRECONDITION","message":"m"}}"#).code, .failedPrecondition)
    }

    func testReadsHowLongToWait() {
        for (delay, seconds) in [("30s", 30), ("3.5s", 4), ("7.000s", 7), ("0s", 0)] {
            let details =
                #"[{"@type":"type.googleapis.com/google.rpc.Help"},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"\#(delay)"}]"#
            XCTAssertEqual(error(429, #"{"error":{"status":"RESOURCE_EXHAUSTED","details":\#(details)}}"#).retryDelay, seconds)
        }
        for delay in ["", "s", "5", "-5s", "99999999999999999999s", "1.xs"] {
            let details = #"[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"\#(delay)"}]"#
            XCTAssertNil(error(429, #"{"error":{"details":\#(details)}}"#).retryDelay, delay)
        }
    }

    func testReadsTheReasonAndWhichFieldsAreWrong() {
        let info = #"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"RATE_LIMIT_EXCEEDED","domain":"googleapis.com"}"#
        let fields =
            #"{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"vehicle.name","description":"is\nbad"},{"field":"x"},{}]}"#
        let quota =
            #"{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"subject":"project:p","description":"used up"}]}"#
        let retry = #"{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"3s"}"#
        let read = error(400, #"{"error":{"status":"INVALID_ARGUMENT","details":[\#(info),7,{},\#(fields),\#(quota),\#(retry)]}}"#)
        XCTAssertEqual(read.reason, "RATE_LIMIT_EXCEEDED")
        XCTAssertEqual(read.details, "RATE_LIMIT_EXCEEDED (googleapis.com); vehicle.name: is bad; x; project:p: used up")
        XCTAssertEqual(read.retryDelay, 3)
        for body in ["", #"{"error":{"details":{}}}"#, #"{"error":{"details":[\#(retry)]}}"#, #"{"error":{"details":"x"}}"#] {
            XCTAssertEqual(error(400, body).reason, "")
            XCTAssertEqual(error(400, body).details, "", body)
        }
        let long = #"{"@type":"x/google.rpc.ErrorInfo","reason":"\#(String(repeating: "é", count: 9000))"}"#
        XCTAssertEqual(error(400, #"{"error":{"details":[\#(long)]}}"#).details, String(repeating: "é", count: 150))
    }

    func testReadsWhereTheServerShowsAVehicle() {
        let place = { VehicleResponse(body: Array(($0 as String).utf8)).location }
        XCTAssertEqual(
            place(#"{"lastLocation":{"location":{"latitude":48.5,"longitude":-11}}}"#), Coordinate(latitude: 48.5, longitude: -11))
        XCTAssertEqual(place(#"{"lastLocation":{"location":{"longitude":11}}}"#), Coordinate(latitude: 0, longitude: 11), "0 is left out")
        for body in [
            "", "{}", #"{"lastLocation":{}}"#, #"{"lastLocation":{"location":7}}"#, #"{"lastLocation":{"location":{"latitude":91}}}"#,
        ] {
            XCTAssertNil(place(body), body)
        }
    }

    func testWithoutAnErrorObjectTheHTTPStatusDecides() {
        let codes: [(Int, CanonicalCode)] = [
            (400, .invalidArgument), (401, .unauthenticated), (403, .permissionDenied), (404, .notFound), (409, .aborted), (418, .unknown),
            (429, .resourceExhausted), (499, .cancelled), (500, .internalError), (501, .unimplemented), (502, .unavailable),
            (503, .unavailable),
            (504, .deadlineExceeded), (302, .unknown), (-1, .unknown),
        ]
        let bodies = [
            "", "<html>Bad Gateway</html>", "[]", "{}", "null", #"{"error":"x"}"#, #"{"error":{"status":7,"message":[]}}"#, "{\"error\":",
        ]
        for (status, code) in codes {
            for body in bodies {
                let read = error(status, body)
                XCTAssertEqual(read.code, code, body)
                XCTAssertEqual(read.message, "the server answered HTTP \(status) without saying why")
            }
        }
    }

    func testHugeAndHostileBodiesAreCutOrIgnored() {
        XCTAssertEqual(
            error(500, #"{"error":{"message":"\#(String(repeating: "é", count: 9000))"}}"#).message, String(repeating: "é", count: 150))
        XCTAssertEqual(
            error(500, #"{"error":{"message":"\#(String(repeating: "x", count: 70_000))"}}"#).message,
            "the server answered HTTP 500 without saying why")
        XCTAssertEqual(error(500, String(repeating: "[", count: 60_000)).code, .internalError)
        XCTAssertEqual(ErrorResponse(httpStatus: 503, body: [0xFF, 0xFE, 0]).code, .unavailable)
    }

    func testReadsTheArrivalTimeFromAVehicle() {
        let eta = { VehicleResponse(body: Array(($0 as String).utf8)).etaToFirstWaypoint }
        XCTAssertEqual(eta(#"{"name":"x","etaToFirstWaypoint":"2025-02-05T17:02:32.543Z"}"#), 1_738_774_952_543)
        for body in ["", "{}", "<html>", #"{"etaToFirstWaypoint":"soon"}"#, #"{"etaToFirstWaypoint":5}"#, "[1]"] {
            XCTAssertNil(eta(body), body)
        }
    }
}
