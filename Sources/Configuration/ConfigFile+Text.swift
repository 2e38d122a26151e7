import FoundationEssentials
import Glibc
import Inotify
import Untrusted

extension ConfigFile {
    /// The size of the largest file that is read, in bytes.
    static let sizeLimit = 1 << 20
    /// The time for a pipe, such as a shell's `<(...)`, to deliver the text, in seconds.
    private static let timeout = 10.0

    /// Returns the text of a file, without a byte order mark.
    static func text(path: String, file: String) throws(ConfigError) -> String {
        guard let bytes = try bytes(path: path, file: file) else {
            throw ConfigError(ConfigProblem(file: file, message: "there is no such file"))
        }
        return try text(in: bytes, file: file)
    }

    /// Returns the text of a file while the program runs, but not that of a pipe; nil if there is no such file.
    static func text(ifExistsAt path: String) throws(ConfigError) -> String? {
        let file = name(of: path)
        let status = FileStatus(path, followsLinks: true)
        // Reading a pipe without a writer would block. Folders and missing files fail immediately.
        guard status.isRegular || status.isFolder || status.isUnknown else {
            throw ConfigError(
                ConfigProblem(
                    file: file, message: "this is a pipe or a device, which Swatchcam reads only when it starts"))
        }
        return try bytes(path: path, file: file).map { bytes throws(ConfigError) in try text(in: bytes, file: file) }
    }

    /// Returns the text of a file, from its bytes.
    static func text(in bytes: [UInt8], file: String) throws(ConfigError) -> String {
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        do {
            return String(copying: try UTF8Span(validating: bytes.span))
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
    }

    /// Returns the bytes of a file; nil if there is no such file.
    private static func bytes(path: String, file: String) throws(ConfigError) -> [UInt8]? {
        let bytes: [UInt8]
        do throws(POSIXError) {
            // A pipe does not report its size, and /dev/zero has no end.
            bytes = try BoundedFile(opening: path).read(upTo: sizeLimit + 1, timeout: timeout)
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
        guard bytes.count <= sizeLimit else {
            throw ConfigError(
                ConfigProblem(
                    file: file, message: "the file is larger than 1 MiB, which is too large for a configuration"))
        }
        return bytes
    }
}
