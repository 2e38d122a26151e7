import Files
import FoundationEssentials
import Glibc
import Untrusted

/// Where `config.toml` may be, and how it is read.
package enum ConfigFile {
    /// Returns the places that are searched without `--config`, in order: `./config.toml`,
    /// `$XDG_CONFIG_HOME/swatchcam/config.toml` and `/etc/swatchcam/config.toml`.
    package static func candidates(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        currentDirectory: String = ".",
        systemDirectory: String = "/etc"
    ) -> [String] {
        let local = currentDirectory == "." ? "config.toml" : currentDirectory + "/config.toml"
        let user = userDirectory(environment).map { $0 + "/swatchcam/config.toml" }
        return [local, user, systemDirectory + "/swatchcam/config.toml"].compactMap(\.self)
    }

    /// Returns the config in the text of a file.
    static func config(in text: String, path: String) throws(ConfigError) -> Config {
        try ConfigSchema.decode(TOMLDocument(parsing: text, file: name(of: path)), path: path)
    }

    /// Returns the name of a file in messages.
    package static func name(of path: String) -> String {
        (path.hasPrefix("./") ? String(path.dropFirst(2)) : path).sanitized()
    }

    /// Returns the user's configuration folder. An empty or relative `XDG_CONFIG_HOME` is ignored (XDG Base Directory
    /// Specification).
    private static func userDirectory(_ environment: [String: String]) -> String? {
        if let directory = environment["XDG_CONFIG_HOME"], directory.hasPrefix("/") { return directory }
        return environment["HOME"].flatMap { $0.isEmpty ? nil : $0 + "/.config" }
    }

    /// Whether every user of this machine may read a file.
    package static func isReadableByAll(_ path: String) -> Bool {
        (try? FileStatus(of: path, followsLink: true))?.isReadableByAll ?? false
    }

    static func exists(_ path: String) -> Bool {
        do throws(POSIXError) {
            // Links are not followed: a broken link counts as found, so that it is reported.
            _ = try FileStatus(of: path)
            return true
        } catch {
            return ![.ENOENT, .ENOTDIR].contains(error.code)
        }
    }
}

extension ConfigFile {
    /// The maximum size of a file, in bytes.
    static let maxSize = 1 << 20
    /// The time for a pipe, such as a shell's `<(...)`, to deliver the text, in seconds.
    private static let timeout = 10.0

    /// Returns the text of a file, from its bytes.
    static func text(in bytes: [UInt8], file: String) throws(ConfigError) -> String {
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        let text: String
        do {
            text = String(copying: try UTF8Span(validating: bytes.span))
        } catch {
            let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
            let before = String(decoding: bytes[..<error.byteOffsets.lowerBound], as: UTF8.self)
            throw ConfigError(
                ConfigProblem(
                    file: file, position: before.position(of: before.endIndex),
                    message: isUTF16
                        ? "the file is UTF-16; save it as UTF-8"
                        : "the text is not UTF-8 from here on; save the file as UTF-8"))
        }
        guard text.isStreamSafe else {
            throw ConfigError(
                ConfigProblem(
                    file: file, message: "the text has more than \(String.maxMarks) combining marks in a row"))
        }
        return text
    }

    /// Returns the text of a file, without a byte order mark; nil if there is no such file.
    /// - Parameter isStart: Whether the program starts, which may wait for a pipe.
    static func text(at path: String, isStart: Bool) throws(ConfigError) -> String? {
        let file = name(of: path)
        let bytes: [UInt8]
        // Reading a pipe without a writer would block. Folders and missing files fail immediately.
        if !isStart, let status = try? FileStatus(of: path, followsLink: true), !status.isRegular, !status.isFolder {
            throw ConfigError(
                ConfigProblem(
                    file: file, message: "this is a pipe or a device, which Swatchcam reads only when it starts"))
        }
        do throws(POSIXError) {
            // A pipe does not report its size, and /dev/zero has no end.
            bytes = try FileDescriptor(opening: path).read(upTo: maxSize + 1, timeout: timeout)
        } catch {
            if error.code == .ENOENT || error.code == .ENOTDIR { return nil }
            let message =
                switch error.code {
                case .EACCES, .EPERM: "this user may not read the file; check its permissions"
                case .EISDIR: "this is a folder; expected the path of a file"
                case .ETIMEDOUT: "this is a pipe that does not end; expected the path of a file"
                default: "the file cannot be read: \(error.reason)"
                }
            throw ConfigError(ConfigProblem(file: file, message: message))
        }
        guard bytes.count <= maxSize else {
            throw ConfigError(
                ConfigProblem(
                    file: file, message: "the file is larger than 1 MiB, which is too large for a configuration"))
        }
        return try text(in: bytes, file: file)
    }
}
