import ArgumentParser
import Assets
import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Swatchcam

@Suite("The command assets")
struct AssetsCommandTests {
    private let folder: TemporaryFolder
    private let recorded: RecordedConsole

    init() throws {
        folder = try TemporaryFolder()
        recorded = try RecordedConsole()
    }

    private func write(to path: String) throws {
        try AssetsCommand.parse(["--output", path]).run(on: recorded.console)
    }

    @Test("every template and resource is written as the program contains it, scripts as single modules")
    func files() throws {
        try write(to: folder.path + "/new/pages")
        for name in ["Templates", "Resources"] {
            let written = folder.url.appending(path: "new/pages/\(name)")
            let paths = try FileManager.default.subpathsOfDirectory(atPath: written.path).filter {
                !written.appending(path: $0).hasDirectoryPath
            }
            let files = Assets.files(in: name)
            #expect(Set(paths).isSuperset(of: files.keys))
            for (file, content) in files {
                #expect(try Data(contentsOf: written.appending(path: file)) == content)
            }
        }
        let module = folder.path + "/new/pages/Resources/dashboard/readout/readout.js"
        #expect(FileManager.default.fileExists(atPath: module))
    }

    @Test("the lines that it prints make a configuration that uses the folders")
    func lines() throws {
        try write(to: folder.path)
        let config = try ConfigFile.config(in: recorded.output, path: folder.path + "/config.toml")
        #expect(config.web.templates == folder.path + "/Templates")
        #expect(config.web.resources == folder.path + "/Resources")
    }

    /// Returns the message of a failure to write.
    private func problem(with path: String) throws -> String {
        let failure = try #require(throws: Failure.self) { try write(to: path) }
        #expect(failure.status == .inputOutput)
        return failure.message
    }

    @Test("a folder that exists is left as it is, and nothing is written", arguments: ["Templates", "Resources"])
    func existing(name: String) throws {
        try folder.write("mine", to: name)
        let message = try problem(with: folder.path)
        #expect(message == "\(folder.path)/\(name) exists. Name another folder, or move it away.")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
        #expect(recorded.output.isEmpty)
    }

    @Test("a folder that cannot be made is reported with the reason")
    func unwritable() throws {
        try folder.write("", to: "file")
        let message = try problem(with: folder.path + "/file")
        #expect(message.hasPrefix("cannot write \(folder.path)/file/") && message.hasSuffix("Not a directory"))
    }
}
