import FoundationEssentials
package import Handoff
package import Logging
package import Metrology
import Synchronization
import Untrusted

/// The calibrations of cameras, each in a file of its own, kept from one run to the next.
package final class CalibrationStore: Sendable {
    /// The maximum number of cameras with a calibration.
    package static let maxCount = 64
    /// The maximum size of a file, in bytes. A flat of 64x64 cells and a chart of 100 patches need less.
    private static let maxSize = 1 << 20
    private static let prefix = "calibration-"

    /// The calibrations by the ids of the cameras.
    package let calibrations: Latest<[String: Calibration]>

    private let folder: StateFolder?
    private let log: RateLimitedLogger
    /// The files by their names. A camera whose calibration was removed in this run still has its file here.
    private let files: Mutex<[String: StoredFile<Calibration>]>

    /// Reads the calibrations of earlier runs. It blocks the thread.
    /// - Parameter folder: The folder of the files; nil to forget the calibrations at exit.
    package init(folder: StateFolder? = nil, log: Logger) {
        let log = RateLimitedLogger(log)
        (self.folder, self.log) = (folder, log)
        let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.path) } ?? []
        let known = names.filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(".json") && !$0.contains(".damaged-") }
        let found = known.sorted().prefix(Self.maxCount).map { ($0, Self.file($0, folder, log)) }
        calibrations = Latest(
            Dictionary(found.compactMap { $1.restored }.map { ($0.conditions.camera, $0) }) { first, _ in first })
        files = Mutex(Dictionary(found) { first, _ in first })
    }

    private static func file(_ name: String, _ folder: StateFolder?, _ log: RateLimitedLogger) -> StoredFile<
        Calibration
    > {
        StoredFile(name, for: "the calibration", in: folder, maxSize: maxSize, log: log) { calibration in
            Self.name(of: calibration.sanitized.conditions.camera) == name ? calibration.sanitized : nil
        }
    }

    /// A sentence about a change that will be lost when the program ends; nil if there is none.
    package var problem: String? { files.withLock { $0.values.compactMap(\.problem).first } }

    /// Stores a calibration in place of an earlier one of the same camera. It waits for the disk.
    /// - Returns: False if there are too many, and nothing was stored.
    package func store(_ calibration: Calibration) async -> Bool {
        let camera = calibration.conditions.camera
        var isFull = false
        calibrations.update { calibrations in
            isFull = calibrations[camera] == nil && calibrations.count >= Self.maxCount
            if !isFull { calibrations[camera] = calibration }
        }
        guard !isFull else { return false }
        await save(camera)
        return true
    }

    /// Removes the calibration of a camera. It waits for the disk.
    package func remove(_ camera: String) async {
        calibrations.update { $0[camera] = nil }
        await save(camera)
    }

    private func save(_ camera: String) async {
        let name = Self.name(of: camera)
        let file = files.withLock { files in
            if let file = files[name] { return file }
            let file = Self.file(name, folder, log)
            files[name] = file
            return file
        }
        await file.save { [calibrations] in calibrations.value[camera] }
    }

    /// Returns the name of the file for a camera. Every byte but letters, digits and `-` is written as `%` and two
    /// digits.
    private static func name(of camera: String) -> String {
        let bytes = camera.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.isASCII && scalar.properties.isAlphabetic || 0x30...0x39 ~= byte || scalar == "-"
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(scalar) : "%" + (digits.count < 2 ? "0" : "") + digits
        }
        return prefix + bytes.joined() + ".json"
    }
}

extension Calibration {
    /// The calibration with printable texts, as clients may send others.
    package var sanitized: Calibration { mapTexts { $0.sanitized() } }
}
