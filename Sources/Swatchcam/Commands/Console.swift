import Foundation
import Handoff
import Untrusted
import V4L2

/// Data goes to stdout, messages to stderr; nothing in them steers a terminal.
enum Console {
    /// Writes one or more lines of data, at once: a reader at the other end of a pipe waits for them.
    /// - Throws: `Failure` when nobody reads any more.
    static func write(_ lines: String) throws(Failure) {
        try write(Data((lines.sanitizedLines + "\n").utf8))
    }

    /// Writes a JSON document in the same way.
    ///
    /// What would steer a terminal is escaped as JSON has it: what a program reads is the same.
    static func write(json: Data) throws(Failure) {
        try write(Data((String(decoding: json, as: UTF8.self).terminalSafeJSON + "\n").utf8))
    }

    private static func write(_ data: Data) throws(Failure) {
        do {
            try FileHandle.standardOutput.write(contentsOf: data)
        } catch {
            throw Failure(
                status: .unavailable, message: "cannot write to standard output; is its reader gone, or the disk full?")
        }
    }

    /// Writes a message of one or more lines.
    static func printError(_ lines: String) {
        // When stderr is closed too, there is nobody left to tell.
        try? FileHandle.standardError.write(contentsOf: Data((lines.sanitizedLines + "\n").utf8))
    }
}

extension Failure {
    /// What the program cannot do without, for lack of file descriptors most likely.
    static func orValue<Value>(_ make: () throws(HandoffError) -> Value) throws(Failure) -> Value {
        do throws(HandoffError) {
            return try make()
        } catch {
            throw Failure(status: .internalError, message: error.description)
        }
    }
}
