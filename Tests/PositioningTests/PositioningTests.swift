import XCTest
@testable import Positioning
final class PositioningTests: XCTestCase {}
