import Files
import FoundationEssentials
import Glibc
import Handoff
import Synchronization
import Untrusted

/// The folder that keeps the state of the program from one run to the next: a camera, settings and samples.
///
/// One program at a time writes into it: the first that claims it, until it ends.
package final class StateFolder: Sendable {
    /// The error if another program has claimed the folder.
    struct InUse: Error, Equatable, CustomStringConvertible {
        var path: String

        /// The sentences for the log and the page.
        var description: String {
            "\(path.sanitized()) is in use by another Swatchcam. Give this one a folder of its own with XDG_STATE_HOME."
        }
    }

    /// What was found at the name of a file.
    struct Found<Value> {
        /// What the file holds; nil if there is no file, or it is not used.
        var value: Value?
        /// Whether this program may write the file: it has the folder, and knows what is there.
        var isKnown = false
        /// The reason why the file must not be written, in a sentence; nil if it may be.
        var blockedReason: String?
    }

    let path: String
    private let claimed = Mutex<FileLock?>(nil)
    /// The sentences about files that were put aside, and about why nothing is kept.
    private let problems = Mutex<[String]>([])

    init(_ path: String) {
        self.path = path
    }

    /// Uses the first of these folders that is known: the one that systemd made for the service (`StateDirectory=`),
    /// `$XDG_STATE_HOME/swatchcam`, `~/.local/state/swatchcam` (the default of the XDG Base Directory Specification)
    /// and `/var/lib/swatchcam`.
    package convenience init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        // systemd separates the folders by colons if there are several.
        let service = folder("STATE_DIRECTORY")?.split(separator: ":").first.map(String.init)
        let user = folder("XDG_STATE_HOME") ?? folder("HOME").map { $0 + "/.local/state" }
        self.init(service ?? user.map { $0 + "/swatchcam" } ?? "/var/lib/swatchcam")
    }

    /// The sentences about files that were put aside, each with its new name, and about why nothing is kept; nil if all
    /// is well.
    package var notice: String? {
        let sentences = problems.withLock(\.self)
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    /// Returns the sentence about a folder that cannot be used.
    private func sentence(_ error: any Error) -> String {
        (error as? InUse)?.description ?? "The folder \(path.sanitized()) cannot be used: \(error.reason)."
    }

    /// Returns the sentence about a file that cannot be written. It is the same for all files.
    func sentence(ofWriting error: any Error) -> String {
        guard error is POSIXError || error is CocoaError else { return error.reason }
        return "The folder \(path.sanitized()) cannot be written to: \(error.reason)."
    }

    private func report(_ sentence: String) {
        problems.withLock { if !$0.contains(sentence) { $0.append(sentence) } }
    }

    func path(of name: String) -> String { path + "/" + name }

    /// Whether there is a file, or anything else, with this name.
    func has(_ name: String) -> Bool { (try? FileStatus(of: path(of: name))) != nil }

    /// Claims the folder, unless this program has done so already.
    /// - Returns: False if there is no folder.
    /// - Throws: `InUse`, or the system's error if the folder cannot be opened.
    func claim() throws -> Bool {
        try claimed.withLock { claimed in
            if claimed != nil { return true }
            do throws(POSIXError) {
                claimed = try FileLock(FileDescriptor(opening: path, flags: O_DIRECTORY))
                return true
            } catch {
                switch error.code {
                case .ENOENT, .ENOTDIR: return false
                case .EAGAIN: throw InUse(path: path)
                default: throw error
                }
            }
        }
    }

    /// Claims the folder and reads a file. One that this program has not written is put aside, so that it is never
    /// overwritten.
    /// - Parameter decode: Returns what the file holds; nil if this version has not written it.
    func read<Value>(_ name: String, maxSize: Int, decode: (Data) -> Value?) -> Found<Value> {
        do {
            guard try claim() else { return Found() }
        } catch {
            let reason = sentence(error)
            report(reason)
            return Found(value: (try? content(of: name, maxSize)).flatMap(decode), blockedReason: reason)
        }
        let problem: String
        do {
            guard let data = try content(of: name, maxSize) else { return Found(isKnown: true) }
            if let value = decode(data) { return Found(value: value, isKnown: true) }
            problem = "it is damaged, or this version of Swatchcam did not write it"
        } catch let error as RegularFile.Unsuitable {
            problem = error.reason
        } catch {
            let reason = "\(path(of: name).sanitized()) cannot be read: \(error.reason)."
            report(reason)
            return Found(blockedReason: reason)
        }
        let failure = putAside(name, because: problem)
        return Found(isKnown: failure == nil, blockedReason: failure)
    }

    /// Returns the content of a file without a claim; nil if there is none.
    func content(of name: String, _ maxSize: Int) throws -> Data? {
        try RegularFile.content(of: path(of: name), maxSize: maxSize)
    }

    /// Renames a file that this program has not written.
    /// - Returns: The reason why it could not be renamed, in sentences.
    private func putAside(_ name: String, because problem: String) -> String? {
        let start = "\(path(of: name).sanitized()) is not used, because \(problem)."
        let stem = name.hasSuffix(".json") ? String(name.dropLast(5)) : name
        do throws(POSIXError) {
            let new = try FileDescriptor(opening: path, flags: O_DIRECTORY)
                .putAside(name) { "\(stem).damaged-\($0).json" }
            report("\(start) It was renamed to \(path(of: new).sanitized()).")
            return nil
        } catch {
            let reason = "\(start) Move it away and start Swatchcam again."
            report(reason)
            return reason
        }
    }

    /// Replaces a file, or removes it if there is no data. The folder is claimed, and made if it is missing.
    /// - Parameter isKnown: Whether the file may be overwritten. If there was no folder at the start, another program
    ///   may have written one since.
    /// - Throws: `InUse`, or the system's error.
    func replace(_ name: String, with data: Data?, isKnown: Bool) throws {
        if try !claim() {
            guard data != nil else { return }
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            guard try claim() else { throw POSIXError(.ENOTDIR) }
        }
        guard isKnown || !has(name) else { throw InUse(path: path) }
        if let data {
            try AtomicFile.replace(URL(filePath: path(of: name)), with: data)
        } else if has(name) {
            let folder = try FileDescriptor(opening: path, flags: O_DIRECTORY)
            try folder.remove(name)
            // Without this, a power cut could bring the file back.
            try folder.syncNames()
        }
    }
}
