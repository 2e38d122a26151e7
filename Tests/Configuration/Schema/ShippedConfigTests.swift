import Foundation
import Testing

@testable import Configuration

/// Tests of the shipped `config.toml` and its manual page.
@Suite("Shipped config.toml")
struct ShippedConfigTests {
    static let path = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../config.toml").standardizedFileURL.path
    private static let manual = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/man/swatchcam.toml.5").standardizedFileURL.path
    private static let unit = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Resources/systemd/swatchcam.service").standardizedFileURL.path

    @Test("config.toml and its manual page are what the schema generates")
    func generated() throws {
        // SWATCHCAM_WRITE_CONFIG=1 writes the files again after a change of the schema.
        if ProcessInfo.processInfo.environment["SWATCHCAM_WRITE_CONFIG"] != nil {
            try ConfigSchema.document.write(toFile: Self.path, atomically: true, encoding: .utf8)
            try ConfigSchema.manual.write(toFile: Self.manual, atomically: true, encoding: .utf8)
        }
        #expect(try ConfigFile.text(at: Self.path, isStart: true) == ConfigSchema.document)
        #expect(try String(contentsOfFile: Self.manual, encoding: .utf8) == ConfigSchema.manual)
    }

    @Test("config.toml contains the defaults")
    func defaults() throws {
        #expect(try Settings(explicit: Self.path, options: ConfigOverrides()).file == Config())
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
}
