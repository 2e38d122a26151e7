package import FoundationEssentials
package import Glibc

/// An open folder, whose entries are found even if the folder is renamed meanwhile.
extension FileDescriptor {
    /// The maximum number of files of one name that are put aside.
    private static let maxAside = 100
    /// `O_PATH` (asm-generic/fcntl.h), which Swift does not import.
    private static let pathOnly: Int32 = 0o10000000

    /// Opens a file in this folder, by default for reading.
    /// - Parameters:
    ///   - flags: Flags of open(2), besides those that every file is opened with.
    ///   - mode: The permissions of a new file.
    package func open(_ name: String, flags: Int32 = 0, mode: mode_t = 0) throws(POSIXError) -> FileDescriptor {
        try FileDescriptor(opening: name, relativeTo: rawValue, flags: flags, mode: mode)
    }

    /// Locates a file in this folder, at the end of any links, without opening it for reading. This does not affect a
    /// device or a pipe.
    package func locate(_ name: String) throws(POSIXError) -> FileDescriptor {
        try open(name, flags: Self.pathOnly)
    }

    /// Returns the status of an entry of this folder; of a symbolic link, the status of the link itself.
    package func status(of name: String) throws(POSIXError) -> FileStatus {
        try FileStatus(of: name, relativeTo: rawValue)
    }

    /// Lists the names in this folder, without `.`, `..` and names that are not UTF-8.
    /// - Parameter limit: The maximum number of names. If there are more, one more than this is returned.
    package func names(upTo limit: Int = .max) throws(POSIXError) -> [String] {
        // A directory stream moves the offset of its descriptor and closes it, so it needs a descriptor of its own.
        let copy = unsafe openat(rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { throw POSIXError(errno: errno) }
        guard let folder = unsafe fdopendir(copy) else {
            let reason = errno
            _ = close(copy)
            throw POSIXError(errno: reason)
        }
        defer { _ = unsafe closedir(folder) }
        var names: [String] = []
        while names.count <= limit, let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Waits until the names in this folder are on the disk. On a file system that cannot do this, it has no effect.
    package func syncNames() throws(POSIXError) {
        do throws(POSIXError) {
            try sync()
        } catch {
            guard error.code == .EINVAL else { throw error }
        }
    }

    /// Deletes a file in this folder.
    package func remove(_ name: String) throws(POSIXError) {
        guard unsafe unlinkat(rawValue, name, 0) == 0 else { throw POSIXError(errno: errno) }
    }

    /// Renames a file in this folder to the first name that is free, so that it is not overwritten.
    /// - Parameter newName: Returns the name for a number from 1.
    /// - Returns: The new name.
    /// - Throws: The system's error; EEXIST if no name is free.
    @discardableResult
    package func putAside(_ name: String, as newName: (Int) -> String) throws(POSIXError) -> String {
        for number in 1...Self.maxAside {
            let aside = newName(number)
            do throws(POSIXError) {
                _ = try status(of: aside)
            } catch {
                guard error.code == .ENOENT else { throw error }
                guard unsafe renameat(rawValue, name, rawValue, aside) == 0 else { throw POSIXError(errno: errno) }
                return aside
            }
        }
        throw POSIXError(.EEXIST)
    }
}
