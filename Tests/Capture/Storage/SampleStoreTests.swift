import Color
import Foundation
import Metrology
import Pixels
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

    /// Files that Swatchcam did not write.
    private static let damaged: [String: String] = {
        let sample = String(decoding: JSONText.data(of: Sample.example(1)), as: UTF8.self)
        let second = sample.replacing("\"id\":1", with: "\"id\":2")
        func list(_ samples: [String], next: String = "9") -> String {
            "{\"version\":1,\"value\":{\"next\":\(next),\"samples\":[\(samples.joined(separator: ","))]}}"
        }
        return [
            "twice": list([sample, sample]), "disordered": list([second, sample]),
            "nextTooSmall": list([sample, second], next: "2"), "nextTooLarge": list([], next: "9223372036854775807"),
            "badSample": list([sample.replacing("62.81", with: "1e300")]),
        ]
    }()

    @Test("a list that is no list of samples is put aside, and samples can be taken", arguments: damaged.keys.sorted())
    func invalid(file: String) async throws {
        try folder.write(Self.damaged[file] ?? "", to: "swatchcam/samples.json")
        do {
            let store = store()
            #expect(store.samples.isEmpty)
            #expect(await store.add(Sample.example)?.id == 1 && store.problem == nil)
        }
        #expect(try names() == ["samples.damaged-1.json", "samples.json"])
        #expect(store().samples.count == 1)
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
