import FoundationEssentials

extension ConfigCodec<String?> {
    /// A folder that exists and is readable. A relative path is relative to the folder of the config file.
    ///
    /// The value is an absolute path, so that a later change of the working directory does not affect it.
    static let folder = ConfigCodec(
        expected: "the path of a folder, as a string",
        allowedValues: "the path of a folder, relative to this file's folder or absolute",
        decode: { value, folder throws(ConfigRejection) in
            guard case .string(let text) = value else { throw .wrongType }
            guard !text.isEmpty else {
                throw .refused("the path is empty; write the path of a folder, or omit the key")
            }
            guard text.utf8.count <= 4095 else {  // PATH_MAX without its NUL
                throw .refused("\(value.text) is \(text.utf8.count) bytes long; expected at most 4095")
            }
            let base = URL(fileURLWithPath: folder, isDirectory: true)
            let path = URL(fileURLWithPath: text, relativeTo: base).standardizedFileURL.path
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
        },
        encode: { $0?.quoted() })
}
