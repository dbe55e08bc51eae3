import XCTest
@testable import Navigation
final class NavigationTests: XCTestCase {}
