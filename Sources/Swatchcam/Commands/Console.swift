import Foundation
import V4L2

/// stdout is data, stderr is words.
enum Console {
    /// Writes a line of data, at once: a reader at the other end of a pipe waits for it.
    /// - Throws: `Failure` when nobody reads any more.
    static func write(_ line: String) throws(Failure) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
        } catch {
            throw Failure(
                status: .unavailable, message: "cannot write to standard output; is its reader gone, or the disk full?")
        }
    }

    /// Writes a line of words.
    static func complain(_ line: String) {
        // When stderr is closed too, there is nobody left to tell.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}

extension Failure {
    /// What the program cannot do without, for lack of file descriptors most likely.
    static func orValue<Value>(_ make: () throws(V4L2Error) -> Value) throws(Failure) -> Value {
        do throws(V4L2Error) {
            return try make()
        } catch {
            throw Failure(status: .internalError, message: error.description)
        }
    }
}
