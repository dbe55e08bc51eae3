import XCTest
@testable import FleetEngine
final class FleetEngineTests: XCTestCase {}
