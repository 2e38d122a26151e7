import Foundation
import Readings
import TestSupport
import Testing

@testable import Storage

@Suite("Pictures of events")
struct EventPicturesTests {
    private static let start = Date(timeIntervalSince1970: 1_795_132_800)

    private let folder: TemporaryFolder
    private var pictures: EventPictures

    init() throws {
        folder = try TemporaryFolder()
        pictures = EventPictures(in: StateFolder(folder.path + "/state"))
    }

    /// Stores a picture of 100 bytes at a second since the start, and returns its name.
    @discardableResult
    private func store(at second: Double, now: Double? = nil, upTo maxSize: Int = 1000) throws -> String? {
        try pictures.store(
            Data(repeating: 0xFF, count: 100), at: Self.start + second, now: Self.start + (now ?? second), upTo: maxSize
        )
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/state/events")) ?? []).sorted()
    }

    @Test("a picture is kept under the moment of its event, and found by that name")
    func name() throws {
        #expect(try store(at: 10.25) == "20261120T000010.250Z.jpg")
        #expect(pictures.picture(named: "20261120T000010.250Z.jpg") == Data(repeating: 0xFF, count: 100))
        #expect(pictures.picture(named: "20261120T000010.251Z.jpg") == nil)
    }

    @Test("the oldest pictures give way to newer ones, also after a restart")
    mutating func size() throws {
        for second in [2.0, 1, 3] { try store(at: second, upTo: 300) }
        try store(at: 4, upTo: 300)
        #expect(names.map { $0.prefix(15) } == ["20261120T000002", "20261120T000003", "20261120T000004"])
        pictures = EventPictures(in: StateFolder(folder.path + "/state"))
        try pictures.prune(now: Self.start, upTo: 100)
        #expect(names == ["20261120T000004.000Z.jpg"])
        try pictures.prune(now: Self.start, upTo: 0)
        #expect(names.isEmpty)
    }

    @Test("a picture that has no room alone is not kept")
    func tooLarge() throws {
        #expect(try store(at: 1, upTo: 99) == nil)
        #expect(names.isEmpty)
    }

    @Test("pictures of more than 31 days ago are removed")
    func age() throws {
        try store(at: 0)
        try store(at: 1)
        try pictures.prune(now: Self.start + History.maxAge + 0.5, upTo: 1000)
        #expect(names == ["20261120T000001.000Z.jpg"])
    }

    @Test("other files in the folder stay, and are not handed out")
    func others() throws {
        try folder.write("secret", to: "state/secret.jpg")
        try folder.write("mine", to: "state/events/mine.jpg")
        try folder.link("state/events/20261120T000009.000Z.jpg", to: folder.path + "/state/secret.jpg")
        try store(at: 1)
        try pictures.prune(now: Self.start, upTo: 0)
        #expect(names == ["20261120T000009.000Z.jpg", "mine.jpg"])
        for name in ["mine.jpg", "../secret.jpg", "20261120T000009.000Z.jpg", "20261120T000001.000Z.jpg/", "", "."] {
            #expect(pictures.picture(named: name) == nil)
        }
    }

    @Test("what a power cut has left of a picture is removed")
    func powerCut() throws {
        try folder.write("half", to: "state/events/20261120T000001.000Z.jpg.new")
        try pictures.prune(now: Self.start, upTo: 1000)
        #expect(names.isEmpty)
    }

    @Test("without a folder, nothing is kept")
    func noFolder() throws {
        let pictures = EventPictures(in: nil)
        #expect(!pictures.canStore)
        #expect(try pictures.store(Data(), at: Self.start, now: Self.start, upTo: 1000) == nil)
    }

    @Test("a folder that cannot be written to is named in a sentence")
    func unwritable() throws {
        try folder.write("", to: "state/events")
        #expect(throws: EventPictures.Problem.self) { try store(at: 1) }
    }
}
