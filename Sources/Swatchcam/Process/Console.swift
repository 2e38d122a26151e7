import Files
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
    /// - Returns: False if the reader of the pipe is gone, which is how `head` ends a list and not a failure.
    /// - Throws: `Failure` if the write fails for any other reason.
    @discardableResult
    func write(_ lines: String) throws(Failure) -> Bool {
        try write(Data((lines.sanitizedLines + "\n").utf8))
    }

    /// Writes a JSON document in the same way.
    ///
    /// Anything that would control a terminal is escaped as JSON allows, so that the document's meaning stays the same.
    @discardableResult
    func write(json: Data) throws(Failure) -> Bool {
        try write(Data((String(decoding: json, as: UTF8.self).terminalSafeJSON + "\n").utf8))
    }

    /// Writes the output for readings in the same way. A table is written as it is, because nothing in it controls a
    /// terminal.
    func write(_ output: ReadingLines.Output) throws(Failure) -> Bool {
        switch output {
        case .line(let line): try write(line)
        case .json(let document): try write(json: document)
        case .table(let lines): try write(Data(lines.utf8))
        }
    }

    private func write(_ data: Data) throws(Failure) -> Bool {
        do {
            try data.write(to: output)
        } catch {
            guard error.code == .EPIPE else {
                throw Failure(status: .inputOutput, message: "cannot write to standard output: \(error.reason)")
            }
            return false
        }
        return true
    }

    /// Writes a message of one or more lines.
    func printError(_ lines: String) {
        // If stderr is closed as well, the error cannot be reported.
        try? Data((lines.sanitizedLines + "\n").utf8).write(to: errors)
    }
}

extension Failure {
    /// Returns a value that the program requires, and turns a lack of file descriptors or threads into a failure.
    static func requiring<Value>(_ make: () throws(HandoffError) -> Value) throws(Failure) -> Value {
        do throws(HandoffError) {
            return try make()
        } catch {
            throw Failure(status: .internalError, message: error.description)
        }
    }
}

extension String {
    /// The same JSON document without anything that would control a terminal.
    ///
    /// Characters beyond ASCII can only be the content of strings, where they may be escaped (RFC 8259, section 7).
    /// ASCII control characters are either white space or not JSON.
    var terminalSafeJSON: String {
        // Nearly every document passes this quick check. Only characters beyond ASCII need a look at their category.
        if unicodeScalars.allSatisfy(\.isSafeInTerminal) { return self }
        var result = UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isSafeInTerminal {
                result.append(scalar)
            } else if scalar.value < 0x20 {
                result.append(" ")
            } else {
                for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                    let digits = String(unit, radix: 16)
                    result.append(
                        contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
                }
            }
        }
        return String(result)
    }
}

extension Unicode.Scalar {
    fileprivate var isSafeInTerminal: Bool { isASCII ? 0x20...0x7e ~= value || self == "\n" : isPlain }
}
