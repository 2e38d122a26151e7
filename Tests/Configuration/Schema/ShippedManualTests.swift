import Foundation
import Testing

@testable import Configuration

/// Tests of the manual page of `config.toml`.
@Suite("Shipped manual page of config.toml")
struct ShippedManualTests {
    static let path = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/man/swatchcam.toml.5").standardizedFileURL.path

    @Test("the manual page is what the schema generates")
    func generated() throws {
        // SWATCHCAM_WRITE_CONFIG=1 writes this file as well.
        if ProcessInfo.processInfo.environment["SWATCHCAM_WRITE_CONFIG"] != nil {
            try ConfigSchema.manual.write(toFile: Self.path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOfFile: Self.path, encoding: .utf8) == ConfigSchema.manual)
    }

    @Test("the manual page has an entry for every key in its table", arguments: ConfigSchema.keys.map(\.name))
    func entries(_ name: String) throws {
        let key = try #require(ConfigSchema.keys.first { $0.name == name })
        if key.isList {
            #expect(ConfigSchema.manual.contains("\n.Ss [[\(key.name)]]\n"))
            return
        }
        let sections = ConfigSchema.manual.components(separatedBy: "\n.Ss ")
        let section = try #require(sections.first { $0.hasPrefix("[\(key.table.joined(separator: "."))]\n") })
        #expect(section.contains("\n.It Ic \(key.isTable ? "[\(key.name)]" : key.leaf)\n"))
    }

    @Test("the manual page begins every sentence on a new line")
    func sentences() {
        #expect(ConfigSchema.mdoc("One. Two 0.1...60; three.") == "One.\nTwo 0.1...60; three.\n")
    }

    @Test(
        "the manual page escapes what roff would interpret",
        arguments: [
            (".local is a name", "\\&.local is a name\n"), ("'tis", "\\&'tis\n"), (#"a \ b"#, "a \\e b\n"),
            ("bt601-full", "bt601\\-full\n"), ("see `swatchcam check` for it", "see \\fBswatchcam check\\fP for it\n"),
        ])
    func escapesRoff(_ prose: String, _ lines: String) {
        #expect(ConfigSchema.mdoc(prose) == lines)
    }
}
