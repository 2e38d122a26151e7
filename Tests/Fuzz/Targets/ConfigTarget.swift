import Foundation

@testable import Configuration
@testable import Dashboard

/// A target for the text of `config.toml`, which must give a configuration or a list of problems, each with a sentence
/// and a place in the text.
enum ConfigTarget: FuzzTarget {
    static let name = "config"

    static var seeds: [String: [UInt8]] {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../config.toml").path
        let shipped = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let values = shipped.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let texts = [
            "values": values.joined(separator: "\n"),
            "tables": "camera = { device = \"x\", width = 1 }\nreadings.region = [0, 0,\n 0.5, 1]\n[\"web\"]\n",
            "controls": "[camera.controls]\ngain = 0x10\n\"white balance\" = '''a\nb'''\nx = true\n",
            "lists":
                "web.allowed_hosts = [\"a.local\", 'b']\nweb.frame_ancestors = [\"http://h:1\"]\n[[a.b]]\nc = 1.5e3\n",
            "dates": "a = 1979-05-27T07:32:00.5-07:00\nb = 07:32:00\nc = \"\\u00e9\\U0001F600\"\nd = -inf\n",
            "mark": "\u{FEFF}log.level = \"info\"\r\n",
        ]
        return texts.mapValues { Array($0.utf8) }.merging(["utf16": [0xFF, 0xFE, 0x5B, 0x00]]) { text, _ in text }
    }

    static func run(_ bytes: [UInt8]) async throws(Finding) {
        switch decoded(bytes) {
        case .success(let config):
            try checkRewriting(config)
            try checkEdits(config)
        case .failure(let error):
            try check(!error.problems.isEmpty, "an error without a problem")
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            let text = String(decoding: bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...], as: UTF8.self)
            let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(\.count)
            for problem in error.problems { try checkProblem(problem, lines: lines) }
        }
    }

    private static func decoded(_ bytes: [UInt8]) -> Result<Config, ConfigError> {
        Result { () throws(ConfigError) in
            let text = try ConfigFile.text(in: bytes, file: "config.toml")
            let document = try TOMLDocument(parsing: text, file: "config.toml")
            return try ConfigSchema.decode(document, path: "/nowhere/config.toml")
        }
    }

    /// Checks that a problem has a sentence and a place in the text.
    /// - Parameter lines: The number of scalars in each line of the text.
    private static func checkProblem(_ problem: ConfigProblem, lines: [Int]) throws(Finding) {
        let line = problem.description
        try check(!problem.message.isEmpty, "a problem without a sentence")
        try check(line.utf8.count < 3000, "a line of \(line.utf8.count) bytes")
        try check(
            !line.unicodeScalars.contains { $0.properties.generalCategory == .control },
            "a control character in \(line.debugDescription)")
        try check(problem.key == nil || problem.position != nil, "no place for \(line)")
        guard let position = problem.position else { return }
        let isInText = lines.indices.contains(position.line - 1) && 1...lines[position.line - 1] + 1 ~= position.column
        try check(isInText, "no such place: \(line)")
    }

    /// Checks that a configuration's values, written again, give the same configuration.
    private static func checkRewriting(_ config: Config) throws(Finding) {
        var copy = Config()
        for key in ConfigSchema.keys {
            guard let value = key.value(config) else { continue }
            do {
                try key.set(value, "/nowhere", &copy)
            } catch {
                throw Finding(sentence: "\(key.name) does not take its own value: \(error)")
            }
        }
        try check(copy == config, "a configuration is not the same when written again")
        let json = ConfigSchema.json(config, path: nil)
        try check((try? JSONSerialization.jsonObject(with: json)) != nil, "no JSON")
    }

    /// Checks that an edit changes what differs and keeps everything else.
    private static func checkEdits(_ config: Config) throws(Finding) {
        for (before, after) in [(Config(), config), (config, Config())] {
            var settings = Settings(before)
            settings.edit(to: after, path: "config.toml", text: "")
            let late = settings.restartMessage ?? ""
            for key in ConfigSchema.keys {
                let expected = late.contains("\(key.name): restart Swatchcam") ? before : after
                try check(!key.differs(settings.effective, expected), "\(key.name) is not as the edit left it")
            }
            try check(
                (settings.lastEdit?.summary == nil) == (settings.effective == before),
                "an edit that is not reported, or reported although it changes nothing")
        }
    }
}
