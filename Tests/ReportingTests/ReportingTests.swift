import XCTest
@testable import Reporting
final class ReportingTests: XCTestCase {}
