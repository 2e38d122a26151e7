import ArgumentParser
import Color
import Configuration
import Documents
import FoundationEssentials
import Handoff
import Metrology
import Readings
import State
import Untrusted

/// Verdicts on the command line: `swatchcam read --target`.
extension ReadCommand {
    private enum VerdictStatus {
        static let fail = ExitCode(1)
        static let undecided = ExitCode(2)
    }

    /// The number of readings that a verdict averages.
    static let readingCounts = MeasuredColor.minCount...Sample.readingCounts.upperBound

    func validateTarget() throws {
        guard target != nil else {
            guard tolerance == nil, trigger == nil else {
                throw ValidationError("--tolerance and --trigger: they need --target")
            }
            return
        }
        guard !csv, format == nil, every == nil, duration == nil else {
            throw ValidationError("--target: it excludes --csv, --format, --every and --duration")
        }
        if let tolerance, !(Config.Target.tolerances ~= tolerance) {
            throw ValidationError("--tolerance: \(tolerance.shortestText) is out of range 0.1...100")
        }
        if let count, !(Self.readingCounts ~= count) {
            let range = "\(Self.readingCounts.lowerBound)...\(Self.readingCounts.upperBound)"
            throw ValidationError("--count: \(count) is out of range \(range), the readings of a verdict")
        }
        guard trigger == nil || trigger == "-" else {
            throw ValidationError("--trigger: expected -, for each line of standard input")
        }
    }

    /// Finds a target by its name in the configuration, or else as a colour.
    func chosenTarget(_ text: String, in config: Config) throws(Failure) -> ColorTarget {
        if var target = config.targets.first(where: { $0.name == Name(text) })?.colorTarget {
            if let tolerance { target.tolerance = Tolerance(deltaE: tolerance) }
            return target
        }
        do {
            return ColorTarget(
                name: text, color: try CSSColor.parse(text),
                tolerance: Tolerance(deltaE: tolerance ?? Tolerance().deltaE))
        } catch {
            throw Failure(status: .usage, message: "--target: \(error)")
        }
    }

    /// Prints a verdict, or one for each line of standard input.
    /// - Parameters:
    ///   - nextLine: Waits for the next line of standard input; nil at its end.
    /// - Throws: `ExitCode` if not every verdict is a pass.
    func judge(
        _ shared: SharedState, _ config: Config, against target: ColorTarget, on console: Console,
        nextLine: @escaping @Sendable () -> String?
    ) async throws {
        // Readings continue between two lines, so that the next part does not wait for the camera.
        let interest = shared.demand.watch()
        defer { withExtendedLifetime(interest) {} }
        var worst: ExitCode?
        while true {
            if trigger != nil, await Self.line(nextLine) == nil { break }
            let collector = try await shared.measure(count ?? Sample.defaultReadings, with: config)
            guard let verdicts = collector.verdicts(against: [target]),
                let verdict = verdicts.judgement.entries.first?.verdict
            else { break }
            switch verdict.outcome {
            case .pass: break
            case .fail: worst = VerdictStatus.fail
            case .close, nil: worst = worst ?? VerdictStatus.undecided
            }
            let isRead =
                json
                ? try console.write(json: JSONWriter.data(verdicts)) : try console.write(verdict.line(of: target))
            if trigger == nil || !isRead { break }
        }
        if let worst { throw worst }
    }

    /// Waits for a line on a thread of its own, because tasks must not block.
    private static func line(_ next: @escaping @Sendable () -> String?) async -> String? {
        let line = Latest(String?.none)
        await BlockingThread.run(named: "trigger") { line.publish(next()) }
        return line.value
    }
}

extension Verdict {
    /// The verdict as a line for people: `pass  ΔE00 0.43 (0.31...0.55), tolerance 2: lighter`.
    func line(of target: ColorTarget) -> String {
        func text(_ number: Double) -> String { number.rounded(decimals: 2).formatted(decimals: 2) }
        let limits = interval.map { " (\(text($0.lowerBound))...\(text($0.upperBound)))" } ?? ""
        let words = description.isEmpty ? "" : ": \(description)"
        let reason = outcome == .pass ? "" : reason.map { ". \($0)" } ?? ""
        return "\(outcome?.rawValue ?? "none")  ΔE00 \(text(deltaE))\(limits), "
            + "tolerance \(target.tolerance.deltaE.shortestText)\(words)\(reason)"
    }
}
