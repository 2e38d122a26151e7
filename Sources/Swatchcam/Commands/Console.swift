import FoundationEssentials
import Glibc
import Handoff
import Readings
import Untrusted

/// The output of data to stdout and of messages to stderr, without anything that controls a terminal.
struct Console {
    /// The standard output and error of the program.
    static let standard = Console(output: STDOUT_FILENO, errors: STDERR_FILENO)

    /// The open file that receives the data.
    let output: Int32
    /// The open file that receives the messages.
    let errors: Int32

    /// Writes one or more lines of data without buffering, because the reader of a pipe may be waiting for them.
    /// - Throws: `Failure` if the write fails, for example because the reader is gone.
    func write(_ lines: String) throws(Failure) {
        try write(Data((lines.sanitizedLines + "\n").utf8))
    }

    /// Writes a JSON document in the same way.
    ///
    /// Anything that would control a terminal is escaped as JSON allows, so that the document's meaning stays the same.
    func write(json: Data) throws(Failure) {
        try write(Data((String(decoding: json, as: UTF8.self).terminalSafeJSON + "\n").utf8))
    }

    /// Writes the output for readings. A table is written as it is, because nothing in it controls a terminal.
    /// - Returns: False if it belongs to a table and the reader of the pipe is gone, which is how `head` ends a table.
    /// - Throws: `Failure` if the write fails for any other reason.
    func write(_ output: ReadingLines.Output) throws(Failure) -> Bool {
        switch output {
        case .line(let line): try write(line)
        case .json(let document): try write(json: document)
        case .table(let lines):
            do {
                try Data(lines.utf8).write(to: self.output)
            } catch {
                if error.code == .EPIPE { return false }
                throw Failure.noOutput
            }
        }
        return true
    }

    private func write(_ data: Data) throws(Failure) {
        do {
            try data.write(to: output)
        } catch {
            throw Failure.noOutput
        }
    }

    /// Writes a message of one or more lines.
    func printError(_ lines: String) {
        // If stderr is closed as well, the error cannot be reported.
        try? Data((lines.sanitizedLines + "\n").utf8).write(to: errors)
    }
}

extension Failure {
    fileprivate static let noOutput = Failure(
        status: .unavailable, message: "cannot write to standard output; is its reader gone, or the disk full?")

    /// Returns a value that the program requires, and turns a lack of file descriptors or threads into a failure.
    static func requiring<Value>(_ make: () throws(HandoffError) -> Value) throws(Failure) -> Value {
        do throws(HandoffError) {
            return try make()
        } catch {
            throw Failure(status: .internalError, message: error.description)
        }
    }
}
