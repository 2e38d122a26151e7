import Foundation
import Testing

@testable import Handoff
@testable import Swatchcam

@Suite("Console")
struct ConsoleTests {
    @Test("data is written to stdout, and a message to stderr, as lines that cannot control a terminal")
    func lines() throws {
        let recorded = try RecordedConsole()
        try recorded.console.write("one\ntwo\u{1B}[2J")
        #expect((recorded.output, recorded.errors) == ("one\ntwo\u{FFFD}[2J\n", ""))
        recorded.console.printError("three\nfour\u{1B}[2J")
        #expect((recorded.output, recorded.errors) == ("one\ntwo\u{FFFD}[2J\n", "three\nfour\u{FFFD}[2J\n"))
    }

    @Test("a JSON document is written to stdout with its terminal controls escaped and a line feed after it")
    func json() throws {
        let recorded = try RecordedConsole()
        try recorded.console.write(json: Data("{\"a\": \"\u{9B}\"}".utf8))
        #expect(recorded.output == "{\"a\": \"\\u009b\"}\n")
    }

    @Test("data that cannot be written is a failure with exit status 74")
    func unwritable() throws {
        let file = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
        let console = Console(output: file.fileDescriptor, errors: file.fileDescriptor)
        let failure = #expect(throws: Failure.self) { try console.write("line") }
        #expect(failure?.status.rawValue == 74)
        #expect(failure?.message == "cannot write to standard output: No space left on device")
    }

    @Test("a lack of file descriptors is an internal error with exit status 70")
    func noDescriptor() throws {
        let failure = #expect(throws: Failure.self) {
            try Failure.requiring { () throws(HandoffError) -> Int in throw .noDescriptor(errno: EMFILE) }
        }
        #expect(failure?.status.rawValue == 70)
        #expect(try Failure.requiring { () throws(HandoffError) -> Int in 7 } == 7)
    }
}
