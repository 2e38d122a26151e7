import Foundation
import Testing

@testable import Swatchcam

@Suite("JSON on a terminal")
struct TerminalSafeJSONTests {
    @Test(
        "terminal-safe JSON has no scalar that controls a terminal, and means the same",
        arguments: [
            "\u{9B}2J", "\u{7F}", "\u{202E}abc\u{2066}", "\u{E0041}", "\u{10FFFF}", "a\u{2028}b", "ü 亮 📷 \\ \"",
            "\u{200D}",
        ])
    func strings(text: String) throws {
        let json = String(decoding: try JSONEncoder().encode([text]), as: UTF8.self)
        let safe = json.terminalSafeJSON
        #expect(safe.unicodeScalars.allSatisfy { $0.properties.generalCategory.isShown })
        #expect(try JSONDecoder().decode([String].self, from: Data(safe.utf8)) == [text])
    }

    @Test("terminal-safe JSON keeps its line feeds, and has spaces for other control characters")
    func whitespace() {
        #expect("{\n  \"a\":\t1,\r\n\"b\": 2 }\u{1B}".terminalSafeJSON == "{\n  \"a\": 1, \n\"b\": 2 } ")
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isShown: Bool {
        ![.control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned].contains(self)
    }
}
