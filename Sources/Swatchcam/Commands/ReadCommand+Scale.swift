import ArgumentParser
import Color
import Configuration
import Documents
import Handoff
import Metrology
import Readings
import Untrusted

/// Values on the command line: `swatchcam read --scale`.
extension ReadCommand {
    private enum ScaleStatus {
        static let notOnScale = ExitCode(1)
        static let unknown = ExitCode(2)
    }

    /// The number of readings after which the command gives up.
    private static let maxReadings = 32

    func validateScale() throws {
        guard scale != nil else { return }
        guard target == nil, !csv, format == nil, every == nil, duration == nil, count == nil else {
            throw ValidationError("--scale: it excludes --target, --csv, --format, --every, --duration and --count")
        }
    }

    /// Finds a scale by its name in the configuration.
    func chosenScale(_ text: String, in config: Config) throws(Failure) -> Name {
        let name = Name(text)
        guard config.scales.contains(where: { $0.name == name }) else {
            let names = config.scales.map { $0.name.text.quoted() }.joined(separator: ", ")
            throw Failure(
                status: .usage,
                message: "--scale: the configuration has no scale named \(text.quoted())"
                    + (names.isEmpty ? "" : "; it has \(names)"))
        }
        return name
    }

    /// Prints the value on a scale as soon as it is known.
    /// - Throws: `ExitCode` if there is no value.
    static func read(
        _ name: Name, _ updates: AsyncStream<Reading>, with config: Config, asJSON: Bool, on console: Console
    ) async throws {
        var (count, newest) = (0, Reading.OnScale?.none)
        for await update in updates {
            let reading = update.asOf(.now())
            guard try reading.isUsable(with: config), let found = reading.scales.first(where: { $0.name == name })
            else { continue }
            newest = found
            count += 1
            if found.found?.range != nil || count >= maxReadings { break }
        }
        guard let newest else { return }
        _ = asJSON ? try console.write(json: JSONWriter.data(newest)) : try console.write(newest.line)
        switch newest.found?.range {
        case .within: return
        case nil: throw ScaleStatus.unknown
        default: throw ScaleStatus.notOnScale
        }
    }
}

extension Reading.OnScale {
    /// The value as a line for people: `6.52 mg/L (6.41...6.63)`.
    fileprivate var line: String {
        guard let texts else { return reason ?? "No value." }
        let unit = unit.isEmpty ? "" : " \(unit)"
        let limits = "\(texts.low)...\(texts.high)"
        return "\(texts.value)\(unit) (\(limits))\(reason.map { ". \($0)" } ?? "")"
    }
}
