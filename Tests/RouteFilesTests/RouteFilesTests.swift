import XCTest
@testable import RouteFiles
final class RouteFilesTests: XCTestCase {}
