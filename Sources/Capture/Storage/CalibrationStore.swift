import Files
import FoundationEssentials
package import Handoff
package import Logging
package import Metrology
import Untrusted

/// The calibrations of cameras, each in a file of its own, kept from one run to the next.
package final class CalibrationStore: Sendable {
    /// The maximum number of cameras with a calibration.
    package static let maxCount = 64
    /// The maximum size of a file, in bytes. A flat of 64x64 cells and a chart of 100 patches need less.
    private static let maxSize = 1 << 20
    private static let prefix = "calibration-"
    private static let noun = "calibration"

    /// The calibrations by the ids of the cameras.
    package let calibrations = Latest([String: Calibration]())

    private let writer: StateWriter
    private let log: Logger

    /// - Parameter folder: The folder of the files; nil to forget the calibrations at exit.
    package init(folder: StateFolder? = nil, log: Logger) {
        writer = StateWriter(folder, for: Self.noun)
        self.log = log
    }

    /// A sentence about a change that will be lost when the program ends; nil if there is none.
    package var problem: String? { writer.problem }

    /// Reads the calibrations of earlier runs.
    package func restore() async {
        await BlockingThread.run(named: Self.noun) { [self] in
            guard let folder = writer.folder,
                let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
            else { return }
            let files = names.filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(".json") }.sorted()
            let found = files.prefix(Self.maxCount).compactMap { name in
                writer.read(name, maxSize: Self.maxSize, log: log) { (calibration: Calibration) in
                    Self.name(of: calibration.sanitized.conditions.camera) == name ? calibration.sanitized : nil
                }
            }
            // A calibration that a client has stored meanwhile is newer.
            calibrations.update { calibrations in
                for calibration in found where calibrations[calibration.conditions.camera] == nil {
                    calibrations[calibration.conditions.camera] = calibration
                }
            }
        }
    }

    /// Stores a calibration in place of an earlier one of the same camera. It waits for the disk.
    /// - Returns: False if there are too many, and nothing was stored.
    package func store(_ calibration: Calibration) async -> Bool {
        let camera = calibration.conditions.camera
        let present = calibrations.value
        guard present[camera] != nil || present.count < Self.maxCount else { return false }
        let data = JSONText.data(of: calibration)
        await writer.replace(Self.name(of: camera), with: data) { [calibrations] in
            calibrations.update { $0[camera] = calibration }
        }
        return true
    }

    /// Removes the calibration of a camera. It waits for the disk.
    package func remove(_ camera: String) async {
        await writer.remove(Self.name(of: camera)) { [calibrations] in
            calibrations.update { $0[camera] = nil }
        }
    }

    /// Returns the name of the file for a camera. Every byte but letters, digits and `-` is written as `%` and two digits.
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
