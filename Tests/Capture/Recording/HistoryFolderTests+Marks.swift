import Foundation
import TestSupport
import Testing

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

/// The marks in the folder of the history.
extension HistoryFolderTests {
    /// The rows of the table of marks of a day.
    private func marks(_ day: String) throws -> [String] {
        let file = "\(folder.path)/swatchcam-2026-11-\(day).marks.csv"
        return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\r\n").dropFirst().map(String.init)
    }

    @Test("marks are written to their own table, after the settings that readings depend on")
    func marks() async throws {
        choose(folder.path)
        try await recording {
            await until { TableFolder(folder.path).isLocked }
            history.mark(.lost, "Camera \"A\" is lost")
        }
        let lines = try marks("20")
        let prefix = "2026-11-20T00:00:00.000Z"
        #expect(lines.first == "\(prefix),settings,\"Swatchcam 1.2.3\"")
        #expect(lines[1].hasPrefix("\(prefix),settings,\"camera: HD Pro Webcam C920 (usb-"))
        #expect(lines.count == 6)
        #expect(lines.last == "\(prefix),lost,\"Camera \"\"A\"\" is lost\"")
    }

    /// The texts of the marks in the history.
    private var texts: [String] { history.rows(.standard).marks.map(\.text) }

    /// Sets a mark for a client, and returns it; nil if it is refused.
    private func set(_ text: String, by client: String = "192.0.2.1") async -> Mark? {
        try? await markRequests.submit(text, by: client).get()
    }

    @Test("a client's mark is in the history and in the table when the client is told so, without waiting for a pause")
    func clientMark() async throws {
        choose(folder.path)
        try await recording {
            let mark = await set("Reagent added")
            #expect(mark?.text == "Reagent added" && mark?.time == Self.midnight)
            #expect(texts == ["Reagent added"])
            let lines = try marks("20")
            #expect(lines.last == "2026-11-20T00:00:00.000Z,user,\"Reagent added\"")
        }
    }

    @Test("a mark that was deleted is neither in the history nor read back from the table")
    func deletedMark() async throws {
        choose(folder.path)
        try await recording {
            let mark = try #require(await set("Wrong beaker"))
            _ = await set("Reagent added")
            #expect(await markRequests.delete(mark, by: "192.0.2.2").map(\.text) == .success("Wrong beaker"))
            #expect(texts == ["Reagent added"])
            let lines = try marks("20")
            #expect(lines.last == "2026-11-20T00:00:00.000Z,deleted,\"Wrong beaker\"")
        }
    }

    @Test("every mark that a client is told about is written, however many are set at once and whatever it does next")
    func manyClientMarks() async throws {
        choose(folder.path)
        try await recording {
            let kept = await withTaskGroup(of: Mark?.self) { group in
                for number in 0..<2000 {
                    group.addTask { await self.set("\(number)", by: "192.0.2.\(number % 200)") }
                }
                return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
            }
            let written = try marks("20").filter { $0.contains(",user,") }
            #expect(!kept.isEmpty && written.count == kept.count)
            #expect(Set(written) == Set(kept.map { String(MarkCSV.line($0).dropLast()) }))
        }
    }

    @Test("a mark that cannot be written is not set, and the client is told why; later ones are set")
    func unwritableMark() async throws {
        let path = folder.path + "/later"
        choose(path)
        try await recording {
            let reason = "The folder \(path) cannot be written to: No such file or directory."
            #expect(await markRequests.submit("one", by: "") == .failure(.notWritten(reason)))
            #expect(texts.isEmpty)
            try folder.makeFolder("later")
            #expect(await set("two") != nil)
            #expect(texts == ["two"])
        }
    }

    @Test("without a folder, a client's mark is set at once")
    func noFolder() async throws {
        try await recording {
            #expect(await set("one")?.client == "192.0.2.1")
            #expect(texts == ["one"])
        }
    }

    @Test("marks that wait when the folder is changed are written to the next one")
    func markDuringChange() async throws {
        let paths = try ["one", "two"].map { try folder.makeFolder($0) }
        choose(paths[0])
        try await recording {
            await until { TableFolder(paths[0]).isLocked }
            choose(paths[1])
            #expect(await set("x") != nil)
        }
        // If the mark came before the change, the recording may end without a table in the second folder.
        let tables = paths.compactMap { path in
            try? String(contentsOfFile: path + "/swatchcam-2026-11-20.marks.csv", encoding: .utf8)
        }
        #expect(tables.count { $0.contains(",user,\"x\"") } == 1)
    }

    @Test("when recording has ended, marks are refused")
    func markAfterTheEnd() async throws {
        choose(folder.path)
        try await recording {}
        #expect(await markRequests.submit("x", by: "") == .failure(.stopping))
    }

    @Test("a flood of marks by clients costs no day, and the day's tables stay within the limit")
    func flood() async throws {
        for day in 10...19 {
            try folder.write(String(repeating: "x", count: 85_000), to: "swatchcam-2026-11-\(day).csv")
            try folder.write(String(repeating: "x", count: 8000), to: "swatchcam-2026-11-\(day).marks.csv")
        }
        config.update { $0.effective.history = .init(folder: folder.path, maxSize: 1) }
        try await recording {
            for number in 0..<1000 {
                _ = await markRequests.submit(String(repeating: "x", count: 200), by: "192.0.2.\(number % 200)")
            }
            await until { pauses.value >= 3 }
        }
        #expect(recorder.lines.filter { $0.hasPrefix("Deleted") }.isEmpty)
        let size =
            try FileManager.default.attributesOfItem(
                atPath: folder.path + "/swatchcam-2026-11-20.marks.csv")[.size] as? Int
        #expect(try #require(size) <= 10_000)
    }

    @Test("if there are too many changes to record, a notice says so until the next day")
    func tooManyChanges() async throws {
        config.update { $0.effective.history = .init(folder: folder.path, maxSize: 1) }
        try await recording {
            await until { TableFolder(folder.path).isLocked }
            for _ in 0..<200 { history.mark(.controls, String(repeating: "x", count: 100)) }
            for _ in 1...2 {
                await untilWritten()
                #expect(notices.all.first?.message.hasPrefix("Not all of today's changes are recorded") == true)
            }
            clock.set(Self.midnight + 86_400)
            await until { notices.all.isEmpty }
        }
    }
}
