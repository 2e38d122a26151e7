import Foundation
import Inotify

extension ConfigFile {
    /// The largest file that is read, in bytes.
    static let sizeLimit = 1 << 20

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
        let data: Data
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            // A pipe has no size to ask for beforehand, and /dev/zero no end.
            data = try handle.read(upToCount: sizeLimit + 1) ?? Data()
            try handle.close()
        } catch {
            let code = error.posixCode
            if code == .ENOENT || code == .ENOTDIR { return nil }
            let message =
                switch code {
                case .EACCES, .EPERM: "this user may not read the file; check its permissions"
                case .EISDIR: "this is a folder; the path of a file is wanted"
                case let code?: "the file cannot be read: \(POSIXError(code).localizedDescription)"
                case nil: "the file cannot be read: \("\(error)".escaped(limit: 200))"
                }
            throw ConfigError(ConfigProblem(file: file, message: message))
        }
        guard data.count <= sizeLimit else {
            throw ConfigError(
                ConfigProblem(file: file, message: "the file is larger than 1 MiB; this is no configuration"))
        }
        return [UInt8](data)
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
