import Testing

@testable import Configuration

/// Tests that a cut-off text gives a configuration or a list of problems, and never a crash. The fuzz target of the
/// configuration does so with random texts.
@Suite("Truncated configurations")
struct TruncatedConfigTests {
    private static let seeds = [
        // Without its comments, where most truncations would change nothing.
        ConfigSchema.document.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n"),
        "camera = { device = \"x\", width = 1 }\nreadings.region = [0, 0,\n 0.5, 1]\n[\"web\"]\nport = 1",
        "[camera.controls]\ngain = 0x10\n\"white balance\" = '''a\nb'''\nx = true\n[[a.b]]\nc = 1.5e3\n",
        "a = 1979-05-27T07:32:00.5-07:00\nb = 07:32:00\nc = \"\\u00e9\\U0001F600\"\nd = -inf\n",
    ]

    @Test("a truncated file gives a configuration or described problems, and a place for each key", arguments: seeds)
    func truncations(seed: String) {
        for length in 0..<seed.utf8.count {
            for problem in problems(of: Array(seed.utf8.prefix(length))) {
                let description = problem.description
                #expect(!problem.message.isEmpty && description.count < 700, "\(length)")
                #expect(!description.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(length)")
                // The position finder must find everything that the parser accepts.
                #expect(problem.key == nil || problem.position != nil, "\(length)")
            }
        }
    }

    /// Returns the problems; none if the bytes are a valid configuration.
    private func problems(of bytes: [UInt8]) -> [ConfigProblem] {
        do {
            let text = try ConfigFile.text(in: bytes, file: "config.toml")
            let document = try TOMLDocument(parsing: text, file: "config.toml")
            _ = try ConfigSchema.decode(document, path: "/nowhere/config.toml")
            return []
        } catch {
            return error.problems
        }
    }
}
