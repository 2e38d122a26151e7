import Foundation
import Testing

@testable import Configuration

@Suite("The configuration in the description of the API")
struct ConfigurationSchemaTests {
    private static let schemas = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/openapi.json").standardizedFileURL

    @Test("every key of config.toml is a property of the answer to GET /api/config")
    func keys() throws {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.schemas))
        func member(_ path: [String]) -> Any? {
            path.reduce(json as Any?) { value, name in (value as? [String: Any])?[name] }
        }
        let root = ["components", "schemas", "Configuration", "properties", "config"]
        let missing = ConfigSchema.keys.map(\.path).filter { path in
            member(root + path.flatMap { ["properties", $0] }) == nil
        }
        #expect(missing == [])
    }
}
