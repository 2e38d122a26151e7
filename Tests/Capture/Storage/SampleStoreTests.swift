import Color
import Foundation
import Metrology
import Pixels
import Synchronization
import TestSupport
import Testing
import Untrusted

@testable import Capture
@testable import Handoff
@testable import Readings

extension Sample {
    fileprivate static func example(_ id: Int) -> Sample {
        Sample(
            id: id, name: "Sample \(id)", time: Date(timeIntervalSince1970: 1_795_203_000.25), state: .live,
            readings: 16, mean: RGB(r: 62.81, g: 167.2, b: 213.97), region: .full, controls: ["gain": .number(64)])
    }
}

@Suite("The store of samples", .timeLimit(.minutes(20)))
struct SampleStoreTests {
    private let folder: TemporaryFolder
    private let recorder = LogRecorder()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func store(_ name: String = "swatchcam") -> SampleStore {
        SampleStore(folder: StateFolder(folder.path + "/" + name), log: recorder.log)
    }

    private func names(_ name: String = "swatchcam") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + name).sorted()
    }

    @Test("samples are kept from one run to the next, in a folder that is made with the first one")
    func keeps() async throws {
        do {
            let store = store()
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/swatchcam"))
            for _ in 1...3 { #expect(await store.add(Sample.example) != nil) }
            #expect(await store.rename(2, to: "Leaf")?.name == "Leaf")
            #expect(await store.remove(1) == .example(1))
            #expect(store.problem == nil)
        }
        #expect(try names() == ["samples.json"])
        let samples = store().samples
        #expect(samples.map(\.name) == ["Leaf", "Sample 3"])
        #expect(samples.last == .example(3))
    }

    @Test("every change is counted in the revision of the samples")
    func revisions() async {
        let revisions = Latest(Revisions())
        let store = SampleStore(folder: nil, revisions: revisions, log: recorder.log)
        _ = await store.add(Sample.example)
        _ = await store.rename(1, to: "x")
        _ = await store.rename(2, to: "x")
        _ = await store.remove(1)
        #expect(revisions.value.samples == 3)
    }

    @Test("changes at the same time use one thread, and each is on disk when its caller continues, with its own number")
    func concurrency() async {
        let running = Atomic(0)
        let most = Atomic(0)
        let file = folder.url.appending(path: "samples.json")
        do {
            let store = SampleStore(
                folder: StateFolder(folder.path), log: recorder.log,
                runOnThread: { work in
                    _ = most.max(running.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
                    await BlockingThread.run(named: "samples", work)
                    running.subtract(1, ordering: .relaxed)
                })
            let found = await withTaskGroup(of: Bool.self) { group in
                for _ in 1...40 {
                    group.addTask {
                        let id = await store.add(Sample.example)?.id
                        let list = try? JSONDecoder().decode(SampleList.self, from: Data(contentsOf: file))
                        return list?.samples.contains { $0.id == id } ?? false
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(found == 40)
            #expect(store.samples.map(\.id) == Array(1...40))
        }
        #expect(most.load(ordering: .relaxed) == 1)
    }

    @Test("a partly written file that a crash has left is ignored, and replaced with the next change")
    func crash() async throws {
        _ = await store().add(Sample.example)
        try folder.write("{\"samples\":[", to: "swatchcam/samples.json.new")
        do {
            let store = store()
            #expect(store.samples.count == 1 && store.problem == nil)
            _ = await store.add(Sample.example)
        }
        #expect(store().samples.count == 2)
        #expect(try names() == ["samples.json"])
    }

    /// Files that Swatchcam did not write; nil for something that is not a file.
    private static let damaged: [String: String?] = {
        let sample = String(decoding: JSONText.data(of: Sample.example(1)), as: UTF8.self)
        let second = sample.replacing("\"id\":1", with: "\"id\":2")
        func list(_ samples: [String], next: String = "9", version: Int = 1) -> String {
            "{\"version\":\(version),\"next\":\(next),\"samples\":[\(samples.joined(separator: ","))]}"
        }
        return [
            "empty": "", "cut": String(list([sample]).dropLast()), "garbage": "\u{FF}\u{0}", "list": "[]",
            "null": "null", "deep": String(repeating: "[", count: 1_000_000), "newer": list([sample], version: 2),
            "twice": list([sample, sample]), "disordered": list([second, sample]),
            "nextTooSmall": list([sample, second], next: "2"), "nextTooLarge": list([], next: "9223372036854775807"),
            "badSample": list([sample.replacing("62.81", with: "1e300")]), "folder": nil,
        ]
    }()

    @Test(
        "a file that is damaged or not Swatchcam's is put aside, with a message, and samples can be taken",
        arguments: damaged.keys.sorted())
    func invalid(file: String) async throws {
        if let content = Self.damaged[file] ?? nil {
            try folder.write(content, to: "swatchcam/samples.json")
        } else {
            try folder.makeFolder("swatchcam/samples.json")
        }
        let path = folder.path + "/swatchcam/samples"
        do {
            let store = store()
            #expect(store.samples.isEmpty)
            #expect(store.problem?.hasPrefix("\(path).json is not used, because ") == true)
            #expect(store.problem?.hasSuffix(" It was renamed to \(path).damaged-1.json.") == true)
            #expect(recorder.lines.count == 1)
            _ = await store.add(Sample.example)
            #expect(store.lossReason == nil)
        }
        #expect(try names() == ["samples.damaged-1.json", "samples.json"])
        #expect(store().samples.count == 1)
    }

    @Test("a second damaged file does not replace the first that was put aside")
    func secondDamage() throws {
        for content in ["one", "two"] {
            try folder.write(content, to: "swatchcam/samples.json")
            _ = store()
        }
        #expect(try String(contentsOfFile: folder.path + "/swatchcam/samples.damaged-1.json", encoding: .utf8) == "one")
        #expect(try String(contentsOfFile: folder.path + "/swatchcam/samples.damaged-2.json", encoding: .utf8) == "two")
    }

    @Test("a damaged file that cannot be put aside is not overwritten")
    func cannotBePutAside() async throws {
        try folder.write("precious", to: "swatchcam/samples.json")
        for number in 1...100 { try folder.write("", to: "swatchcam/samples.damaged-\(number).json") }
        let store = store()
        #expect(await store.add(Sample.example) != nil)
        #expect(store.samples.count == 1)
        #expect(store.problem?.contains("Move it away and start Swatchcam again.") == true)
        #expect(try String(contentsOfFile: folder.path + "/swatchcam/samples.json", encoding: .utf8) == "precious")
    }

    @Test("samples that cannot be written stay in memory, and one message says so until they can")
    func unwritable() async throws {
        // Not even root can create a folder in the place of a file.
        try folder.write("", to: "file")
        let store = store("file/swatchcam")
        for _ in 1...2 { _ = await store.add(Sample.example) }
        #expect(store.samples.count == 2)
        #expect(store.problem?.hasPrefix("Samples will be lost when Swatchcam stops; export them first. ") == true)
        #expect(recorder.lines.count == 1)
        try folder.remove("file")
        _ = await store.add(Sample.example)
        #expect(store.problem == nil)
        #expect(try names("file/swatchcam") == ["samples.json"])
    }

    @Test("a second program does not overwrite the samples of the first")
    func secondProgram() async throws {
        let first = store()
        _ = await first.add(Sample.example)
        let second = store()
        #expect(second.problem?.contains("is in use by another Swatchcam") == true)
        _ = await second.add { .example($0 + 100) }
        _ = await first.add(Sample.example)
        #expect(second.samples.map(\.id) == [101] && first.samples.map(\.id) == [1, 2] && first.problem == nil)
    }

    @Test("a program that found no folder does not overwrite what another has stored there since")
    func lateProgram() async throws {
        let late = store()
        do {
            _ = await store().add(Sample.example)
        }
        _ = await late.add(Sample.example)
        #expect(late.problem?.contains("is in use by another Swatchcam") == true)
        _ = await late.add(Sample.example)
        #expect(late.problem?.contains("is in use by another Swatchcam") == true)
        #expect(late.samples.count == 2)
    }

    @Test("a thousand samples are kept, and no more are added until one is deleted, whose number is not used again")
    func capacity() throws {
        var list = SampleList()
        for _ in 1...1000 { #expect(list.add(Sample.example) != nil) }
        #expect(list.isFull && list.add(Sample.example) == nil)
        #expect(list.remove(1000)?.id == 1000 && list.remove(1000) == nil)
        #expect(list.change(1000) { $0.name = "x" } == nil)
        var read = try JSONDecoder().decode(SampleList.self, from: JSONEncoder().encode(list))
        #expect(read.add(Sample.example)?.id == 1001)
        #expect(read.samples.count == 1000)
    }
}
