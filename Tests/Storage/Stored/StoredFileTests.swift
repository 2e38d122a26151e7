import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Documents
@testable import Handoff
@testable import Readings
@testable import Storage

@Suite("A file of the state folder", .timeLimit(.minutes(20)))
struct StoredFileTests {
    private let folder: TemporaryFolder
    private let recorder = LogRecorder()

    init() throws { folder = try TemporaryFolder() }

    /// The file as another start of the program sees it.
    private func file(in state: StateFolder? = nil, maxSize: Int = 1000) -> StoredFile<String> {
        StoredFile(
            "value.json", for: "the value", in: state ?? StateFolder(folder.path), maxSize: maxSize,
            log: RateLimitedLogger(recorder.log)
        ) { $0 == "foreign" ? nil : $0 }
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    private func content(of name: String) throws -> String {
        try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
    }

    @Test("a value is kept from one run to the next, and without a value there is no file")
    func keeps() async throws {
        #expect(file().restored == nil)
        for value in ["earlier", "a \"b\" ü\n"] { #expect(await file().save { value } == nil) }
        #expect(file().restored == "a \"b\" ü\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/value.json")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(await file().save { nil } == nil)
        #expect(try names.isEmpty)
    }

    @Test("a value that is longer than texts in requests may be is kept if its file may have it")
    func longText() async throws {
        func file(_ length: Int) -> StoredFile<String> {
            StoredFile(
                "value.json", for: "the value", in: StateFolder(folder.path), maxTextLength: length,
                log: RateLimitedLogger(recorder.log))
        }
        let text = String(repeating: "x", count: 900)
        #expect(await file(900).save { text } == nil)
        #expect(file(900).restored == text)
        #expect(file(899).restored == nil)
    }

    @Test("a value is written again if its file was deleted, or after a write that failed")
    func again() async throws {
        let file = file(maxSize: 1000)
        #expect(await file.save { "x" } == nil)
        try folder.remove("value.json")
        #expect(await file.save { "x" } == nil)
        #expect(try names == ["value.json"])
        // A failed write may have changed the file.
        #expect(await file.save { String(repeating: "x", count: 1000) } != nil)
        try folder.write("half", to: "value.json")
        #expect(await file.save { "x" } == nil)
        #expect(self.file().restored == "x")
    }

    @Test(
        "an instance has the same id at each start, another one beside a program that has the folder, and never a bad one"
    )
    func instance() async throws {
        func instance(_ state: StateFolder?) -> StoredValue<String> {
            StoredValue("instance", in: state, log: recorder.log, accept: InstanceID.accept, orMake: InstanceID.make)
        }
        let state = StateFolder(folder.path)
        let first = instance(state)
        await first.save()
        let id = try #require(first.latest.value)
        #expect(InstanceID.accept(id) == id)
        #expect(instance(state).latest.value == id)
        #expect(instance(StateFolder(folder.path)).latest.value != id)
        #expect(instance(nil).latest.value != id)
        try folder.write(#"{"value":"0123456789a+","version":1}"#, to: "instance.json")
        #expect(instance(state).latest.value.flatMap(InstanceID.accept) != nil)
    }

    @Test("a folder in the place of the file is not deleted with what is in it")
    func occupied() async throws {
        let file = file()
        #expect(await file.save { "x" } == nil)
        try folder.remove("value.json")
        try folder.write("mine", to: "value.json/important")
        #expect(await file.save { nil }?.contains("Is a directory") == true)
        #expect(try content(of: "value.json/important") == "mine")
    }

    @Test("changes at the same time share writes, and each is on the disk when its caller continues")
    func concurrency() async throws {
        let newest = Latest(0)
        let file = StoredFile<Int>(
            "value.json", for: "the value", in: StateFolder(folder.path), log: RateLimitedLogger(recorder.log))
        let kept = await withTaskGroup(of: Bool.self) { group in
            for _ in 1...40 {
                group.addTask { [folder] in
                    let mine = newest.update { $0 += 1 }
                    await file.save { newest.value }
                    let stored = StoredFile<Int>.value(of: "value.json", in: StateFolder(folder.path))
                    return stored.map { $0 >= mine } ?? false
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(kept == 40)
    }

    /// What is in the place of the file; nil for something that is not a file.
    private static let obstacles: [String: String?] = [
        "empty": "", "cut": #"{"value":"x","version":1"#, "garbage": "\u{FF}\u{0}", "list": "[]", "null": "null",
        "number": #"{"value":7,"version":1}"#, "newer": #"{"value":"x","version":2}"#,
        "foreign": #"{"value":"foreign","version":1}"#, "old": #"{"camera":"x"}"#,
        "more": #"{"value":"x","version":1,"more":2}"#, "zeros": String(repeating: "\0", count: 400),
        "deep": String(repeating: "[", count: 900),
        "long": #"{"value":"x","version":1}"# + String(repeating: " ", count: 1000),
        "pipe": nil,
    ]

    @Test(
        "anything else in the place of the file is put aside and reported, and a value can be kept",
        arguments: obstacles.keys.sorted())
    func obstacle(kind: String) async throws {
        let content = Self.obstacles[kind] ?? nil
        if let content { try folder.write(content, to: "value.json") } else { try folder.makePipe("value.json") }
        let path = folder.path + "/value"
        do {
            let state = StateFolder(folder.path)
            let file = file(in: state)
            #expect(file.restored == nil)
            let notice = try #require(state.notice)
            #expect(notice.hasPrefix("\(path).json is not used, because "))
            #expect(notice.hasSuffix(" It was renamed to \(path).damaged-1.json."))
            #expect(await file.save { "new" } == nil)
        }
        #expect(try names == ["value.damaged-1.json", "value.json"])
        if let content { #expect(try self.content(of: "value.damaged-1.json") == content) }
        #expect(file().restored == "new")
    }

    @Test("a link is not followed, neither to read nor to write")
    func link() async throws {
        try folder.write(#"{"value":"x","version":1}"#, to: "innocent")
        try folder.link("value.json", to: "innocent")
        // An earlier run or another user may have left this.
        try folder.link("value.json.new", to: "innocent")
        let file = file()
        #expect(file.restored == nil)
        #expect(await file.save { "new" } == nil)
        #expect(try content(of: "innocent") == #"{"value":"x","version":1}"#)
        #expect(try names == ["innocent", "value.damaged-1.json", "value.json"])
    }

    @Test("a second damaged file does not replace the first that was put aside")
    func secondDamage() throws {
        for content in ["one", "two"] {
            try folder.write(content, to: "value.json")
            _ = file()
        }
        #expect(try content(of: "value.damaged-1.json") == "one")
        #expect(try content(of: "value.damaged-2.json") == "two")
    }

    @Test("a damaged file that cannot be put aside is not overwritten, and the answer says so")
    func cannotBePutAside() async throws {
        try folder.write("precious", to: "value.json")
        for number in 1...100 { try folder.write("", to: "value.damaged-\(number).json") }
        let problem = await file().save { "new" }
        #expect(problem?.hasPrefix("The value will not be remembered for the next start: ") == true)
        #expect(problem?.hasSuffix("Move it away and start Swatchcam again.") == true)
        #expect(try content(of: "value.json") == "precious")
    }

    @Test("a value that is too long for the file is not kept, and the file stays as it is")
    func length() async throws {
        let file = file()
        await file.save { "short" }
        #expect(
            await file.save { String(repeating: "x", count: 1000) }
                == "The value will not be remembered for the next start: \(folder.path)/value.json would be longer than 1000 bytes."
        )
        #expect(StoredFile<String>.value(of: "value.json", in: StateFolder(folder.path)) == "short")
        #expect(await file.save { "short" } == nil)
    }

    @Test("a value that cannot be written is reported once, until it can be")
    func unwritable() async throws {
        // Not even root can create a folder in the place of a file.
        try folder.write("", to: "file")
        let file = file(in: StateFolder(folder.path + "/file/swatchcam"))
        for value in ["a", "b"] { #expect(await file.save { value } != nil) }
        #expect(recorder.lines.count == 1 && file.problem != nil)
        try folder.remove("file")
        #expect(await file.save { "b" } == nil)
        #expect(file.problem == nil)
    }

    @Test("a second program reads the value of the first, and leaves it as it is")
    func secondProgram() async throws {
        let first = file()
        await first.save { "first" }
        let second = file()
        #expect(second.restored == "first" && second.problem == nil)
        #expect(
            await second.save { "second" }
                == "The value will not be remembered for the next start: \(folder.path) is in use by "
                + "another Swatchcam. Give this one a folder of its own with XDG_STATE_HOME.")
        #expect(await second.save { "first" } == nil)
        #expect(await first.save { "third" } == nil)
    }

    @Test("a second program does not put aside what the first has there, whatever it is")
    func foreignFolder() throws {
        let first = StateFolder(folder.path)
        #expect(try first.claim())
        try folder.write("being written", to: "value.json")
        #expect(file().restored == nil)
        #expect(try names == ["value.json"])
        withExtendedLifetime(first) {}
    }

    @Test("a program that found no folder leaves the file that another has stored there since")
    func lateProgram() async throws {
        let late = file(in: StateFolder(folder.path + "/swatchcam"))
        do { await file(in: StateFolder(folder.path + "/swatchcam")).save { "other" } }
        #expect(await late.save { "late" }?.contains("is in use by another Swatchcam") == true)
        #expect(file(in: StateFolder(folder.path + "/swatchcam")).restored == "other")
    }

    @Test("writes are some time apart, and a value that the file has delays no later one")
    func interval() async {
        let waits = Latest([Duration]())
        let clock = ManualClock()
        let clocks = clock.clocks.sleeping { wait in
            waits.update { $0.append(wait) }
            clock.advance(by: wait)
        }
        let file = StoredFile<Int>(
            "value.json", for: "the value", in: StateFolder(folder.path), interval: 0.25, clocks: clocks,
            log: RateLimitedLogger(recorder.log))
        for value in [1, 2, 2, 3] { await file.save { value } }
        #expect(waits.value == [.milliseconds(250), .milliseconds(250)])
    }

    @Test(
        "the folder is that of the service, the user or the system",
        arguments: [
            (["STATE_DIRECTORY": "/s/a:/s/b", "XDG_STATE_HOME": "/x", "HOME": "/h"], "/s/a"),
            (["XDG_STATE_HOME": "/x", "HOME": "/h"], "/x/swatchcam"),
            (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/swatchcam"),
            ([:], "/var/lib/swatchcam"),
        ])
    func place(environment: [String: String], folder: String) {
        #expect(StateFolder(environment: environment).path == folder)
    }
}
