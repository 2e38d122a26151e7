import Foundation
import Inotify
import Untrusted

extension ConfigFile {
    /// The largest file that is read, in bytes.
    static let sizeLimit = 1 << 20
    /// How long a pipe is read that is named in place of a file, in seconds: a shell's `<(...)`.
    private static let patience = 10.0

    /// The text of a file, without a byte order mark.
    static func text(path: String, file: String) throws(ConfigError) -> String {
        guard let bytes = try bytes(path: path, file: file) else {
            throw ConfigError(ConfigProblem(file: file, message: "there is no such file"))
        }
        return try text(in: bytes, file: file)
    }

    /// The text of a file while the program runs; nil: there is no such file.
    static func text(ifThereAt path: String) throws(ConfigError) -> String? {
        let file = name(of: path)
        let status = FileStatus(path, followsLinks: true)
        // A pipe that nobody writes to would be read for ever; folders and what is not there fail at once.
        guard status.isRegular || status.isFolder || status.isUnknown else {
            throw ConfigError(
                ConfigProblem(
                    file: file, message: "this is a pipe or a device, which is read when Swatchcam starts only"))
        }
        return try bytes(path: path, file: file).map { bytes throws(ConfigError) in try text(in: bytes, file: file) }
    }

    /// The text that the bytes of a file are.
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

    /// - Returns: Nil: there is no such file.
    private static func bytes(path: String, file: String) throws(ConfigError) -> [UInt8]? {
        let bytes: [UInt8]
        do throws(POSIXError) {
            // A pipe has no size to ask for beforehand, and /dev/zero no end.
            bytes = try BoundedFile(opening: path).read(upTo: sizeLimit + 1, patience: patience)
        } catch {
            if error.code == .ENOENT || error.code == .ENOTDIR { return nil }
            let message =
                switch error.code {
                case .EACCES, .EPERM: "this user may not read the file; check its permissions"
                case .EISDIR: "this is a folder; the path of a file is wanted"
                case .ETIMEDOUT: "this is a pipe, and nothing ends it; the path of a file is wanted"
                default: "the file cannot be read: \(error.localizedDescription)"
                }
            throw ConfigError(ConfigProblem(file: file, message: message))
        }
        guard bytes.count <= sizeLimit else {
            throw ConfigError(
                ConfigProblem(file: file, message: "the file is larger than 1 MiB; this is no configuration"))
        }
        return bytes
    }
}

extension Error {
    /// The system's error number, which Foundation hides one level down.
    var posixCode: POSIXError.Code? {
        let error = self as NSError
        // As NSError it is not found on Linux, where Any does not bridge.
        let underlying = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
        return [error, underlying].compactMap(\.self).first { $0.domain == NSPOSIXErrorDomain }
            .flatMap { POSIXError.Code(rawValue: Int32($0.code)) }
    }
}
