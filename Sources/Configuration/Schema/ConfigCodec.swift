import Documents
import FoundationEssentials
import Untrusted

/// The reason why a value was refused.
package indirect enum ConfigRejection: Error, Equatable, Sendable {
    case wrongType
    /// The value is invalid: a sentence.
    case refused(String)
    /// An element of a list is invalid: its index, from 0, the key in it if it is a table, and a sentence.
    case element(Int, key: String? = nil, String)
    /// An entry of a table is invalid: its key and a sentence.
    case entry(String, String)
    /// Several parts of the value are invalid.
    case several([ConfigRejection])

    /// The reasons one by one.
    var parts: [ConfigRejection] {
        if case .several(let parts) = self { parts } else { [self] }
    }

    /// The key of the entry that is invalid, if one is.
    var key: String? {
        if case .entry(let key, _) = self { key } else { nil }
    }

    func message(for value: ConfigValue, of key: ConfigKey) -> String {
        self == .wrongType ? "\(value.sentence); expected \(key.expected)" : message
    }
}

/// The type of a key's value: how it is read, written and described.
package struct ConfigCodec<Value: Sendable>: Sendable {
    /// The allowed values, for the end of an error message: `a whole number in 1...240`.
    package var expected: String
    /// The allowed values, for the documentation: `1...240`.
    var allowedValues: String
    /// Reads a value. Relative paths are relative to the folder.
    package var decode: @Sendable (_ value: ConfigValue, _ folder: String) throws(ConfigRejection) -> Value
    /// Writes a value as TOML, if it is not written like its ``ConfigRepresentable/configValue``; nil if the key is
    /// omitted instead.
    var encode: (@Sendable (Value) -> String?)?
    /// Turns the text of a command-line option into the value that TOML would contain.
    var parse: @Sendable (String) -> ConfigValue = { .string($0) }
    /// The schema of a value, if it says more than ``ConfigRepresentable/schema``.
    var schema: JSONSchema?

    func with(schema: JSONSchema) -> Self {
        var copy = self
        copy.schema = schema
        return copy
    }
}

extension ConfigCodec {
    /// A value that is written as a string.
    /// - Parameter read: Reads the string. Relative paths are relative to the folder.
    static func text(
        expected: String, allowedValues: String,
        read: @escaping @Sendable (_ text: String, _ folder: String) throws(ConfigRejection) -> Value
    ) -> ConfigCodec {
        ConfigCodec(expected: expected, allowedValues: allowedValues) { value, folder throws(ConfigRejection) in
            guard case .string(let text) = value else { throw .wrongType }
            return try read(text, folder)
        }
    }
}

extension ConfigCodec<String> {
    /// The name, id or path of a camera: at most 255 Unicode scalars, without control characters.
    ///
    /// Scalars are counted, because a grapheme cluster may contain any number of them.
    static let device = text(
        expected: "a string such as \"auto\" or \"/dev/video0\"",
        allowedValues: "\"auto\", \"test-pattern\", a device node, a stable id, or part of a name",
        read: { text, _ throws(ConfigRejection) in
            let advice = "write \"auto\", \"test-pattern\", a device node, or what `swatchcam cameras` prints"
            guard !text.allSatisfy(\.isWhitespace) else {
                throw .refused("\(text.quoted()) does not name a camera; \(advice)")
            }
            let count = text.unicodeScalars.count
            guard count <= 255 else {
                throw .refused("\(text.quoted()) is \(count) characters long; expected at most 255")
            }
            guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
                throw .refused("\(text.quoted()) contains a control character; \(advice)")
            }
            guard text.first?.isWhitespace == false, text.last?.isWhitespace == false else {
                throw .refused("\(text.quoted()) begins or ends with a space; \(advice)")
            }
            return text
        }
    )
    .with(schema: .string(1...255))

    /// `auto` or a V4L2 fourcc. Trailing spaces, which pad short codes, are removed.
    static let format = text(
        expected: "\"auto\" or a V4L2 fourcc such as \"YUYV\"",
        allowedValues: "\"auto\", or a V4L2 fourcc such as \"YUYV\", \"MJPG\" or \"NV12\"",
        read: { text, _ throws(ConfigRejection) in
            var code = Substring(text)
            while code.last == " " { code.removeLast() }
            if code.lowercased() == "auto", code != "auto" {
                throw .refused("\(text.quoted()) is not a format; did you mean \"auto\"?")
            }
            let name = code.hasSuffix("-BE") ? code.dropLast(3) : code
            guard (1...4).contains(name.count), name.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                throw .refused(
                    "\(text.quoted()) is not a V4L2 fourcc; expected one to four printable ASCII characters, "
                        + "followed by \"-BE\" for a big-endian format")
            }
            return String(code)
        }
    )
    .with(schema: .string(1...7))

    /// A literal IPv4 or IPv6 address. `localhost` always means 127.0.0.1, without asking a resolver.
    static let address = text(
        expected: "an IPv4 or IPv6 address such as \"127.0.0.1\" or \"::1\"",
        allowedValues: "an IPv4 or IPv6 address, \"localhost\", or for every network \"0.0.0.0\" or \"::\"",
        read: { text, _ throws(ConfigRejection) in
            if text.lowercased() == "localhost" { return "127.0.0.1" }
            if IPAddress(text) != nil { return text }
            let reason = "\(text.quoted()) is not an IPv4 or IPv6 address"
            if text.hasPrefix("["), text.hasSuffix("]"), IPAddress(text.dropFirst().dropLast()) != nil {
                throw .refused("\(reason); write it without the brackets")
            }
            if let authority = Authority(text), authority.port != nil, IPAddress(authority.host) != nil {
                throw .refused("\(reason); the port belongs in web.port")
            }
            throw .refused(
                "\(reason); expected one such as \"127.0.0.1\" or \"::1\", because host names are not looked up")
        })

}

extension ConfigCodec where Value: CaseIterable & RawRepresentable<String> {
    /// One of several words.
    /// - Parameters:
    ///   - noun: What the words are, with an article: `a log level`.
    ///   - allowedValues: What the documentation says, if the list of all words would be too long there.
    static func choice(_ noun: String, allowedValues: String? = nil) -> ConfigCodec {
        let names = Value.allCases.map(\.rawValue)
        let words = ConfigCodec<String>.word(noun, among: names, allowedValues: allowedValues)
        return ConfigCodec(
            expected: words.expected,
            allowedValues: words.allowedValues,
            decode: { value, folder throws(ConfigRejection) in
                let name = try words.decode(value, folder)
                guard let choice = Value(rawValue: name) else { throw .wrongType }
                return choice
            }
        ).with(schema: .words(names))
    }
}

extension ConfigCodec<String> {
    /// One of several words.
    /// - Parameters:
    ///   - noun: What the words are, with an article: `a log level`.
    ///   - allowedValues: What the documentation says, if the list of all words would be too long there.
    package static func word(_ noun: String, among names: [String], allowedValues: String? = nil) -> ConfigCodec {
        let expected = names.dropLast().map { "\"\($0)\"" }.joined(separator: ", ") + " or \"\(names.last ?? "")\""
        return text(
            expected: expected,
            allowedValues: allowedValues ?? expected,
            read: { text, _ throws(ConfigRejection) in
                if names.contains(text) { return text }
                // People write INFO, warn and err.
                let word = text.lowercased()
                let near =
                    names.first { $0 == word || (word.count >= 3 && $0.hasPrefix(word)) }
                    ?? names.first { word.count <= 16 && editDistance($0, word) <= 2 }
                let hint = near.map { "did you mean \"\($0)\"?" } ?? "expected \(expected)"
                throw .refused("\(text.quoted()) is not \(noun); \(hint)")
            }
        ).with(schema: .words(names))
    }
}

extension ConfigCodec<Bool> {
    /// True or false.
    static let flag = ConfigCodec(
        expected: "true or false",
        allowedValues: "true or false",
        decode: { value, _ throws(ConfigRejection) in
            guard case .boolean(let flag) = value else { throw .wrongType }
            return flag
        })
}

extension ConfigCodec<Token?> {
    /// A secret. Messages never repeat it, even if it is invalid.
    static let token = ConfigCodec(
        expected: "a string of \(Token.minLength) to \(Token.maxLength) letters, digits and -._~+/=",
        allowedValues: "\(Token.minLength) to \(Token.maxLength) letters, digits and -._~+/=",
        decode: { value, _ throws(ConfigRejection) in
            guard case .string(let text) = value else { throw .refused("this is not a string; \(advice)") }
            guard let token = Token(text) else {
                let count = text.utf8.count
                let range = Token.minLength...Token.maxLength
                throw .refused(
                    range.contains(count)
                        ? "it may contain only letters, digits and -._~+/=; \(advice)"
                        : "it has \(count) characters; expected \(range.lowerBound) to \(range.upperBound); \(advice)")
            }
            return token
        })

    private static let advice = "`swatchcam token` prints one"
}

extension ConfigCodec<String?> {
    /// A title: one printable line.
    static let title = line("title", expected: "a title, as a string", maxLength: 60) { $0.trimmed }

    /// A text of one printable line.
    /// - Parameter trim: Returns the text that is kept.
    static func line(
        _ noun: String, expected: String, maxLength: Int, trim: @escaping @Sendable (String) -> String
    ) -> ConfigCodec {
        text(
            expected: expected, allowedValues: "1 to \(maxLength) characters on one line",
            read: { text, _ throws(ConfigRejection) in
                let line = trim(text)
                guard !line.isEmpty else { throw .refused("the \(noun) is empty; write one, or omit the key") }
                let count = line.unicodeScalars.count
                guard count <= maxLength else {
                    throw .refused("\(text.quoted()) is \(count) characters long; expected at most \(maxLength)")
                }
                guard line.sanitized() == line else {
                    throw .refused("\(text.quoted()) contains a character that cannot be shown on one line")
                }
                return line
            }
        ).with(schema: JSONSchema.string(1...maxLength).orNull)
    }

    /// A file that exists and is readable.
    static let file = file(problem: fileProblem)

    /// A file that need not exist yet, because it is read again and again.
    static let fileToCome = file { isFolder($0) ? "\($0.quoted()) is a folder" : nil }

    /// A file. A relative path is relative to the folder of the config file; the value is absolute, like that of
    /// ``folder``.
    /// - Parameter problem: Returns why a path is refused; nil if it is not.
    private static func file(problem: @escaping @Sendable (_ path: String) -> String?) -> ConfigCodec {
        text(
            expected: "the path of a file, as a string",
            allowedValues: "the path of a file, relative to this file's folder or absolute",
            read: { text, folder throws(ConfigRejection) in
                let path = try path(text, in: folder, noun: "file")
                if let problem = problem(path) { throw .refused(problem) }
                return path
            })
    }

    /// Returns why a path is not that of a file that this user may read; nil if it is.
    static func fileProblem(_ path: String) -> String? {
        let files = FileManager.default
        guard files.fileExists(atPath: path) else { return "there is no file \(path.quoted())" }
        guard !isFolder(path) else { return "\(path.quoted()) is a folder" }
        return files.isReadableFile(atPath: path)
            ? nil : "this user may not read the file \(path.quoted()); check its permissions"
    }

    private static func isFolder(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path + "/.") }

    /// Returns the absolute path that a value stands for, whether anything is there or not.
    private static func path(
        _ text: String, in folder: String, noun: String
    ) throws(ConfigRejection) -> String {
        guard !text.isEmpty else {
            throw .refused("the path is empty; write the path of a \(noun), or omit the key")
        }
        guard text.utf8.count <= 4095 else {  // PATH_MAX without its NUL
            throw .refused("\(text.quoted()) is \(text.utf8.count) bytes long; expected at most 4095")
        }
        let base = URL(fileURLWithPath: folder, isDirectory: true)
        return URL(fileURLWithPath: text, relativeTo: base).standardizedFileURL.path
    }

    /// A folder that exists and is readable. A relative path is relative to the folder of the config file.
    ///
    /// The value is an absolute path, so that a later change of the working directory does not affect it.
    static let folder = text(
        expected: "the path of a folder, as a string",
        allowedValues: "the path of a folder, relative to this file's folder or absolute",
        read: { text, folder throws(ConfigRejection) in
            let path = try path(text, in: folder, noun: "folder")
            let files = FileManager.default
            // Only a folder that may be entered contains ".".
            if files.fileExists(atPath: path + "/.") {
                guard files.isReadableFile(atPath: path) else {
                    throw .refused("this user may not read the folder \(path.quoted()); check its permissions")
                }
                return path
            }
            if text.hasPrefix("~") {
                throw .refused(
                    "there is no folder \(text.quoted()); \"~\" is not expanded here, so write the full path")
            }
            throw .refused(
                files.fileExists(atPath: path)
                    ? "\(path.quoted()) is not a folder, or this user may not enter it"
                    : "there is no folder \(path.quoted())")
        })
}
