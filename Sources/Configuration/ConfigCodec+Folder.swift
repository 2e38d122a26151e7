import Foundation

extension ConfigCodec<String?> {
    /// A folder that is there and may be read; a relative path is relative to the config file's folder.
    /// The value is an absolute path, so that it stays true whatever the process does later.
    static let folder = ConfigCodec(
        wanted: "the path of a folder, as a string,",
        range: "the path of a folder, relative to this file's folder or absolute",
        decode: { value, folder throws(ConfigRejection) in
            guard case .string(let text) = value else { throw .wrongType }
            guard !text.isEmpty else {
                throw .refused(
                    "the path is empty; write the path of a folder, or leave the key out for the built-in files")
            }
            guard text.utf8.count <= 4095 else {  // PATH_MAX without its NUL
                throw .refused("\(value.text) is \(text.utf8.count) bytes long; no path is longer than 4095")
            }
            let base = URL(fileURLWithPath: folder, isDirectory: true)
            let path = URL(fileURLWithPath: text, relativeTo: base).standardizedFileURL.path
            let files = FileManager.default
            // Only a folder that may be entered has a "." in it.
            if files.fileExists(atPath: path + "/.") {
                guard files.isReadableFile(atPath: path) else {
                    throw .refused("the folder \(path.quoted()) may not be read by this user")
                }
                return path
            }
            if text.hasPrefix("~") {
                throw .refused("there is no folder \(text.quoted()); \"~\" means nothing here, write the whole path")
            }
            throw .refused(
                files.fileExists(atPath: path)
                    ? "\(path.quoted()) is not a folder, or may not be entered by this user"
                    : "there is no folder \(path.quoted())")
        },
        encode: { $0?.quoted() })
}
