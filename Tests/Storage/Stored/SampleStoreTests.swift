import Color
import Foundation
import Metrology
import Pixels
import TestSupport
import Testing

@testable import Documents
@testable import Handoff
@testable import Readings
@testable import Storage

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
        #expect(try names() == ["sample-2.json", "sample-3.json", "samples.json"])
        let samples = Array(store().list.decoded)
        #expect(samples.map(\.name) == ["Leaf", "Sample 3"])
        #expect(samples.last == .example(3))
    }

    @Test("the number of a deleted sample is not used again, whichever samples remain", arguments: [1, 2])
    func numbers(remaining: Int) async {
        for id in [3, 2].prefix(3 - remaining) {
            let store = store()
            while store.list.lastID < 3 { _ = await store.add(Sample.example) }
            #expect(await store.remove(id)?.id == id)
        }
        #expect(await store().add(Sample.example)?.id == 4)
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

    /// What is in the place of the second of three samples.
    private static let damaged: [String: String] = {
        func file(_ sample: Sample) -> String {
            #"{"version":1,"value":"# + String(decoding: JSONWriter.data(sample), as: UTF8.self) + "}"
        }
        return [
            "another": file(.example(1)), "badNumber": file(.example(2)).replacing("62.81", with: "1e300"),
            "empty": "", "zeros": String(repeating: "\0", count: 400),
        ]
    }()

    @Test("what is no sample is put aside, and the others are kept", arguments: damaged.keys.sorted())
    func invalid(file: String) async throws {
        do {
            let store = store()
            for _ in 1...3 { _ = await store.add(Sample.example) }
        }
        try folder.write(Self.damaged[file] ?? "", to: "swatchcam/sample-2.json")
        do {
            let store = store()
            #expect(store.list.samples.map(\.id) == [1, 3])
            #expect(await store.add(Sample.example)?.id == 4 && store.problem == nil)
        }
        #expect(
            try names() == ["sample-1.json", "sample-2.damaged-1.json", "sample-3.json", "sample-4.json"])
    }

    @Test("the one file in which earlier versions kept all samples is put aside")
    func earlierVersion() async throws {
        try folder.write(#"{"value":{"next":7,"samples":[]},"version":1}"#, to: "swatchcam/samples.json")
        #expect(store().list.samples.isEmpty)
        #expect(try names() == ["samples.damaged-1.json"])
    }

    @Test("samples that cannot be written stay in memory, and one message says so until all are written")
    func unwritable() async throws {
        // Not even root can create a folder in the place of a file.
        try folder.write("", to: "file")
        let store = store("file/swatchcam")
        for _ in 1...2 { _ = await store.add(Sample.example) }
        #expect(store.list.samples.count == 2)
        #expect(store.problem?.hasPrefix("Samples will be lost when Swatchcam stops; export them first. ") == true)
        #expect(recorder.lines.count == 1)
        try folder.remove("file")
        _ = await store.add(Sample.example)
        #expect(store.problem == nil)
        #expect(try names("file/swatchcam") == ["sample-1.json", "sample-2.json", "sample-3.json"])
    }

    @Test("a thousand samples are kept, and no more are added until one is deleted")
    func capacity() throws {
        var list = SampleList()
        for _ in 1...1000 { #expect(list.add(Sample.example) != nil) }
        #expect(list.isFull && list.add(Sample.example) == nil)
        #expect(list.remove(1000)?.id == 1000 && list.remove(1000) == nil)
        #expect(list.change(1000) { $0.name = "x" } == nil)
        #expect(list.add(Sample.example)?.id == 1001)
    }

    @Test("samples of 40 MiB are kept, and no more are added until one is deleted")
    func fullSize() {
        var list = SampleList()
        func large(_ id: Int) -> Sample {
            var sample = Sample.example(id)
            sample.controls = [String(repeating: "x", count: 1 << 20): .number(1)]
            return sample
        }
        while list.samples.count < 100 { guard list.add(large) != nil else { break } }
        #expect(list.isFull && list.samples.count == 40)
        _ = list.remove(1)
        #expect(list.add(large) != nil && list.isFull)
    }

    @Test("a thousand samples with 96 probes of the longest names are kept")
    func size() {
        var sample = Sample.example(1)
        sample.probes = (1...96).map {
            .init(
                name: "\(String(repeating: "\u{1F308}", count: 58))\($0)",
                mean: RGB(r: 62.8125, g: 167.2345, b: 213.9777),
                linear: LinearRGB(r: 0.123456, g: 0.234567, b: 0.345678))
        }
        #expect(EncodedSample(sample).json.count * SampleList.capacity < SampleList.maxSize)
    }
}
