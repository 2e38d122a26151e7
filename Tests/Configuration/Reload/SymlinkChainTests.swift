import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Inotify

@Suite("Symlink chain")
struct SymlinkChainTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(["a/config.toml": "", "b/config.toml": ""])
    }

    /// Returns the folders of the chain and the names in them, below the temporary folder.
    private func steps(to name: String) -> [String] {
        SymlinkChain(to: folder.path + "/" + name).steps.map { "\($0.folder)/\($0.name)" }
            .filter { $0.hasPrefix(folder.path + "/") }
            .map { String($0.dropFirst(folder.path.count + 1)) }
    }

    @Test("a chain has a step for every name in the path, even if it does not exist")
    func plain() {
        #expect(steps(to: "a/config.toml") == ["a", "a/config.toml"])
        #expect(steps(to: "./a/.././/b/config.toml") == ["a", "b", "b/config.toml"])
        #expect(steps(to: "no/such/file") == ["no", "no/such", "no/such/file"])
        #expect(SymlinkChain(to: "/a/b").steps.map(\.folder) == ["/", "/a"])
        #expect(SymlinkChain(to: "/a/b").steps.map(\.isLast) == [false, true])
    }

    @Test("a path is split at every slash, even before a name that begins with a combining mark")
    func combiningMark() {
        let chain = SymlinkChain(to: "/\u{301}a/\u{20DD}/config.toml")
        #expect(chain.steps.map(\.folder) == ["/", "/\u{301}a", "/\u{301}a/\u{20DD}"])
        #expect(chain.steps.map(\.name) == ["\u{301}a", "\u{20DD}", "config.toml"])
    }

    @Test("a relative path begins in the current folder")
    func relative() {
        let here = FileManager.default.currentDirectoryPath
        #expect(SymlinkChain(to: "config.toml") == SymlinkChain(to: here + "/config.toml"))
    }

    @Test("a chain follows links to files, to folders and to other links")
    func links() throws {
        try folder.link("config.toml", to: "current/config.toml")
        try folder.link("current", to: "a")
        let chain = SymlinkChain(to: folder.path + "/config.toml")
        #expect(steps(to: "config.toml") == ["config.toml", "current", "a", "a/config.toml"])
        #expect(chain.target == folder.path + "/a/config.toml")
        #expect(chain.steps.suffix(4).map(\.isLast) == [true, false, false, true])
        try folder.link("other", to: folder.path + "/b/../current/config.toml")
        #expect(steps(to: "other") == ["other", "b", "current", "a", "a/config.toml"])
    }

    @Test("a chain of links that form a circle or grow without end is cut off")
    func circle() throws {
        try folder.link("one", to: "two")
        try folder.link("two", to: "one")
        // 16 links are followed; the 17th is taken for a file.
        let names = folder.path.split(separator: "/").count
        #expect(SymlinkChain(to: folder.path + "/one").steps.count == names + 17)
        try folder.link("deeper", to: "deeper/deeper")
        #expect(SymlinkChain(to: folder.path + "/deeper").steps.count == names + 17 + 16)
    }

    @Test("a chain has at most 64 steps")
    func long() {
        let path = String(repeating: "/none", count: 64)
        #expect(SymlinkChain(to: path).steps.count == 64)
        #expect(SymlinkChain(to: path).steps.last?.isLast == true)
        #expect(SymlinkChain(to: path + "/none").steps.count == 64)
    }

    @Test("each folder is watched for the one name in it; the last one for the file's content and permissions, too")
    func folders() {
        let folders = SymlinkChain(to: "/none/file").folders
        #expect(folders.map(\.path) == ["/", "/none"])
        #expect(folders.map(\.events) == [.entries, [.entries, .contents, .attributes]])
        #expect(folders.map { $0.isOfInterest("none") } == [true, false])
        #expect(folders.map { $0.isOfInterest("file") } == [false, true])
    }
}
