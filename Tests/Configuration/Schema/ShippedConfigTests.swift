import Foundation
import Testing

@testable import Configuration

/// Tests of the shipped `config.toml`.
@Suite("Shipped config.toml")
struct ShippedConfigTests {
    static let path = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../config.toml").standardizedFileURL.path
    private static let unit = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Resources/systemd/swatchcam.service").standardizedFileURL.path

    @Test("config.toml is what the schema generates")
    func generated() throws {
        // SWATCHCAM_WRITE_CONFIG=1 writes the file again after a change of the schema.
        if ProcessInfo.processInfo.environment["SWATCHCAM_WRITE_CONFIG"] != nil {
            try ConfigSchema.document.write(toFile: Self.path, atomically: true, encoding: .utf8)
        }
        #expect(try ConfigFile.text(at: Self.path, isStart: true) == ConfigSchema.document)
    }

    @Test("config.toml contains the defaults")
    func defaults() throws {
        #expect(try Settings(explicit: Self.path, options: ConfigOverrides()).file == Config())
    }

    @Test("config.toml sets every key that has a default")
    func everyKey() throws {
        let document = try TOMLDocument(parsing: ConfigSchema.document, file: "config.toml")
        for key in ConfigSchema.keys {
            #expect((document.positions.key(at: key.path) != nil) == (key.defaultValue != nil), "\(key.name)")
        }
    }

    @Test(
        "config.toml documents the default and the range right above each key", arguments: ConfigSchema.keys.map(\.name)
    )
    func documented(_ name: String) throws {
        let key = try #require(ConfigSchema.keys.first { $0.name == name })
        let lines = ConfigSchema.document.split(separator: "\n")
        // Keys of two tables may have the same name.
        let heading = "[\(key.table.joined(separator: "."))]"
        let table = try key.isList ? lines.startIndex : #require(lines.firstIndex(of: heading[...]))
        let index = try #require(
            lines[table...].firstIndex {
                $0.hasPrefix("\(key.leaf) = ") || $0.hasPrefix("#\(key.leaf) = ") || $0 == "#[\(key.name)]"
                    || $0 == "#[[\(key.name)]]"
            })
        #expect(lines[index - 1].hasPrefix("# Default: "))
        #expect(lines[index - 1].contains(key.allowedValues))
        #expect(lines[index - 2].hasPrefix("# "))
    }

    @Test("the folder that config.toml suggests for the history is one that the systemd service makes and may write to")
    func historyFolder() throws {
        let key = try #require(ConfigSchema.keys.first { $0.name == "history.folder" })
        let unit = try String(contentsOfFile: Self.unit, encoding: .utf8)
        let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("StateDirectory=") })
        let folders = line.dropFirst("StateDirectory=".count).split(separator: " ").map { "\"/var/lib/\($0)\"" }
        // The first is where the program keeps its state.
        #expect(folders.first == "\"/var/lib/swatchcam\"")
        #expect(folders.contains(key.example ?? ""))
    }

    @Test("config.toml has no line of more than 120 characters")
    func lineLength() {
        #expect(ConfigSchema.document.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }
}
