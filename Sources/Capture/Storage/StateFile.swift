import Configuration
import Files
import FoundationEssentials
import Handoff
import Readings
import Synchronization
import Untrusted

/// The file that keeps people's choices from one run to the next: a camera, settings and a recording.
///
/// To store something throws the system's error if the folder or the file cannot be written, `StateFolder.InUse` if
/// another program writes there, and `StateFileOverflow` if the file would be too long.
package final class StateFile: Sendable {
    struct Content: Codable {
        /// The stable id of the camera that was chosen; nil if none was.
        var camera: String?
        /// The settings that clients have changed; nil if there are none.
        var settings: ClientChanges?
        /// The recording that was running, or that ended last; nil if there is none.
        var recording: Recording?
    }

    /// The maximum size of the file, in bytes: 96 probes and 64 targets fit, with the values that they had in
    /// `config.toml`.
    private static let maxSize = 262_144

    private let folder: StateFolder
    private let file: URL
    /// Held from reading the file to writing it.
    private let changing = Mutex(())
    /// The camera that was chosen last in this run; nil if none was.
    private let chosenCamera = Mutex<String?>(nil)

    /// - Parameter folder: The folder of the file. It is created when it is needed.
    package init(_ folder: StateFolder) {
        self.folder = folder
        file = URL(filePath: folder.path).appending(path: "state.json")
    }

    var path: String { file.path }

    /// The reason why this program may not write the file, as far as it is known without an attempt; nil if it may.
    var claimFailure: String? {
        do {
            _ = try folder.claim()
            return nil
        } catch {
            return error.reason
        }
    }

    /// Writes a camera's stable id.
    func store(_ camera: String) throws {
        chosenCamera.withLock { $0 = camera }
        try storeChosenCamera()
    }

    /// Writes a camera's stable id on a thread of its own, because a disk can take seconds.
    /// - Parameter completion: Called when this camera, or one that was chosen later, is on the disk; with the error if
    ///   it cannot be stored.
    func store(_ camera: String, completion: @escaping @Sendable ((any Error)?) -> Void) {
        chosenCamera.withLock { $0 = camera }
        let work = { @Sendable in
            do {
                try self.storeChosenCamera()
                completion(nil)
            } catch {
                completion(error)
            }
        }
        do throws(HandoffError) { try BlockingThread.start(named: "camera choice", work) } catch { work() }
    }

    private func storeChosenCamera() throws { try change { $0.camera = chosenCamera.withLock(\.self) } }

    /// Writes the settings that clients have changed; nil if there are none.
    func store(_ settings: ClientChanges?) throws { try change { $0.settings = settings } }

    /// Writes a recording; nil if there is none.
    /// - Parameter newest: Returns the newest recording when it is its turn to be written.
    /// - Returns: The recording that was written.
    func storeRecording(_ newest: () -> Recording?) throws -> Recording? {
        var written: Recording?
        try change { content in
            written = newest()
            content.recording = written
        }
        return written
    }

    /// Changes the content of the file. One that Swatchcam did not write is replaced.
    private func change(_ change: (inout Content) -> Void) throws {
        try changing.withLock { _ in
            try folder.claimOrMake()
            var content = (try? read()) ?? Content()
            change(&content)
            let data = JSONText.data(of: content)
            guard data.count <= Self.maxSize else { throw StateFileOverflow(path: path, maxSize: Self.maxSize) }
            try AtomicFile.replace(file, with: data)
        }
    }

    /// Reads the file.
    /// - Throws: `StateFileError` if the path leads to anything but a file that Swatchcam wrote.
    func read() throws(StateFileError) -> Content {
        let data: Data?
        do {
            data = try RegularFile.content(of: path, maxSize: Self.maxSize)
        } catch {
            throw StateFileError(path: path, problem: error.reason)
        }
        guard let data else { return Content() }
        guard JSONLimits.allows(data, maxValues: Self.maxSize),
            let content = try? JSONDecoder().decode(Content.self, from: data)
        else {
            throw StateFileError(path: path, problem: "Swatchcam did not write it")
        }
        return content
    }
}

/// The reason why the state file is not used.
struct StateFileError: Error, Equatable, CustomStringConvertible {
    var path: String
    /// The end of a sentence about the path.
    var problem: String

    /// The sentence for the log.
    var description: String {
        "\(path.sanitized()) is not used, because \(problem). No camera or setting is remembered until one is chosen again."
    }
}

/// An error because the state file would be longer than what is read of it. The file is left as it is.
struct StateFileOverflow: Error, Equatable, CustomStringConvertible {
    var path: String
    /// The maximum size of the file, in bytes.
    var maxSize: Int

    /// The sentence for the log, without a full stop.
    var description: String { "\(path.sanitized()) would be longer than \(maxSize) bytes" }
}
