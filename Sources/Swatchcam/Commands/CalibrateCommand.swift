import ArgumentParser
import Color
import Configuration
import Dashboard
import Documents
import FoundationEssentials
import Handoff
import Metrology
import Palettes
import Readings
import Storage
import Untrusted

/// The command `swatchcam calibrate`, which measures a chart patch by patch with the running instance.
struct CalibrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate", abstract: "Calibrate the camera by a colour chart.",
        discussion: """
            The running Swatchcam, whose address and port are taken from the configuration, measures each patch in its \
            region, or all of them at once between four corners, computes the calibration, and keeps it. Lock the \
            camera first. Enter measures what is asked for, s skips it, b goes back, and q ends the command without a \
            calibration. web.token is never sent: if it is set, only the page and the API calibrate.
            """)

    @OptionGroup var file: FileOption

    @OptionGroup var running: AddressOptions

    @Option(
        help: ArgumentHelp(
            "A file with the colours of the chart: CGATS.17, CxF3 or CSV. Without it, the chart is a ColorChecker Classic.",
            valueName: "file"))
    var chart: String?

    @Option(
        help: ArgumentHelp(
            "Measure all patches at once, between these corners of the chart: that of the first patch, and the others in "
                + "their order round the chart, in fractions of the picture's width and height.",
            valueName: "x,y,x,y,x,y,x,y"))
    var corners: String?

    @Option(help: ArgumentHelp("The number of patches in a row of the chart, for --corners.", valueName: "n"))
    var columns = 6

    @Flag(help: "Measure the covered lens first.")
    var dark = false

    @Flag(help: "Measure a white sheet over the whole picture first.")
    var flat = false

    @Option(
        help: ArgumentHelp(
            "Measure a white or grey card of this reflectance first, such as 0.18.", valueName: "reflectance"))
    var card: Double?

    @Option(help: ArgumentHelp("The number of readings of each patch, 16 to 256.", valueName: "n"))
    var readings = PatchMeasurement.minReadings

    @Flag(help: "Replace the calibration in force even if it is better.")
    var force = false

    func validate() throws {
        let range = PatchMeasurement.minReadings...Sample.readingCounts.upperBound
        guard range ~= readings else {
            throw ValidationError("--readings: \(readings) is out of range \(range.lowerBound)...\(range.upperBound)")
        }
        if corners != nil { _ = try grid(of: .colorChecker) }
        if let card, !(GreyCard.luminances ~= card) {
            let range = GreyCard.luminances
            throw ValidationError("--card: \(card) is out of range \(range.lowerBound)...\(range.upperBound)")
        }
    }

    func run() async throws { try await run(on: .standard) { readLine() } }

    /// - Parameters:
    ///   - clocks: The clocks that measure the time limits.
    ///   - answer: Returns the next line of the input; nil at its end.
    func run(on console: Console, clocks: Clocks = Clocks(), answer: () -> String?) async throws {
        let web = try file.resolve(running.overrides).effective.web
        let (reference, note) = try referenceChart()
        if let note { console.printError("--chart: \(note)") }
        let grid = try grid(of: reference)
        let instance = RunningInstance(
            client: InstanceClient(web, clocks: clocks), alternative: "Calibrate", method: "PUT",
            path: "/api/calibration")
        let meter = PatchMeter(instance: instance, token: web.viewToken, readings: readings)
        guard web.token == nil else { throw instance.tokenNeeded }
        let start = try await meter.state()
        guard start.conditions != nil else {
            throw instance.failure("there is no colour, or the controls of the camera are not known yet. Try again.")
        }
        var steps: [Step] = dark ? [.dark] : []
        steps += flat ? [.flat] : []
        steps += card.map { [.card($0)] } ?? []
        steps += grid.map { [.chart($0)] } ?? reference.patches.indices.map(Step.patch)
        var measured = [[PatchMeasurement]?](repeating: nil, count: steps.count)
        try console.write(
            "\(reference.name), \(reference.patches.count) patches. Enter measures, s skips, b goes back, q ends.")
        var index = 0
        while index < steps.count {
            try console.write(steps[index].question(reference))
            guard let line = answer() else {
                throw instance.failure("the input ended before all patches were measured.")
            }
            switch line.trimmed.lowercased() {
            case "q": throw instance.failure("the calibration was ended. Nothing has changed.")
            case "b": index = max(0, index - 1)
            case "s":
                measured[index] = nil
                index += 1
            case "":
                let (patches, conditions) = try await meter.measure(steps[index].areas)
                let changes = start.conditions.map { conditions.differences(from: $0) } ?? []
                guard changes.isEmpty else {
                    throw instance.failure("\(changes.joined(separator: ", ")) during the calibration. Start again.")
                }
                if let line = steps[index].outcome(patches, reference) { try console.write("  \(line)") }
                if let defect = steps[index].defect(patches) {
                    try console.write("  This cannot be used: \(defect). Enter measures it again.")
                    continue
                }
                measured[index] = patches
                index += 1
            default: try console.write("  Press Enter, or type s, b or q.")
            }
        }
        let outcome = try await meter.calibrate(request(steps, measured, reference), force: force)
        try show(outcome, on: console)
        if let problem = outcome.problem { throw Failure(status: .inputOutput, message: problem.excerpt) }
    }

    /// What the person is asked to show to the camera.
    private enum Step {
        case dark
        case flat
        case card(Double)
        case patch(Int)
        case chart(ChartGrid)

        static let flatSize = (columns: 16, rows: 12)

        /// What is measured; nil for the region.
        var areas: [PictureArea]? {
            switch self {
            case .dark, .card, .patch: return nil
            case .chart(let grid): return grid.areas
            case .flat:
                let (columns, rows) = Self.flatSize
                return (0..<columns * rows).map { index in
                    PictureArea(
                        x: Double(index % columns) / Double(columns), y: Double(index / columns) / Double(rows),
                        width: 1 / Double(columns), height: 1 / Double(rows))
                }
            }
        }

        /// The end of a sentence that says why a measurement cannot be used at all; nil if it can, or if the
        /// calibration decides that.
        func defect(_ patches: [PatchMeasurement]) -> String? {
            switch self {
            // The light of a covered lens is expected to be clipped, and the calibration judges a flat.
            case .dark, .flat: nil
            case .card, .patch, .chart: patches.contains { $0.defect == nil } ? nil : patches.first?.defect
            }
        }

        /// A line about a measurement, for people.
        func outcome(_ patches: [PatchMeasurement], _ chart: Chart) -> String? {
            switch self {
            case .dark, .card, .patch: return patches.first?.line
            case .flat: return nil
            case .chart:
                let usable = patches.count { $0.defect == nil }
                return "\(usable) of \(patches.count) patches can be used."
            }
        }

        func question(_ chart: Chart) -> String {
            switch self {
            case .dark: "Cover the lens."
            case .flat: "Hold a white sheet over the whole picture."
            case .chart: "Put the chart between the corners."
            case .card(let luminance): "Put the card of \((luminance * 100).formatted(decimals: 0)) % into the region."
            case .patch(let index): "\(chart.patches[index].name) (\(index + 1) of \(chart.patches.count))"
            }
        }
    }

    /// Returns the patches between the corners; nil without corners.
    private func grid(of chart: Chart) throws -> ChartGrid? {
        guard let corners else { return nil }
        let numbers = corners.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
        let points = stride(from: 0, to: numbers.count - 1, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
        guard numbers.count == 8,
            let grid = ChartGrid(corners: points, columns: columns, count: chart.patches.count)
        else {
            throw ValidationError(
                "--corners: \(corners.sanitized(limit: 100)) are not the corners of a chart. Give four, in their order "
                    + "round the chart, such as 0.1,0.1,0.9,0.1,0.9,0.8,0.1,0.8.")
        }
        return grid
    }

    /// Returns the chart, and a sentence about a guess on which the names of its patches depend.
    private func referenceChart() throws(Failure) -> (Chart, note: String?) {
        guard let chart else { return (.colorChecker, nil) }
        do throws(PaletteFile.Problem) {
            let palette = try PaletteLoader.palette(at: chart)
            let name = chart.split(separator: "/").last.map { String($0).sanitized(limit: 100) } ?? chart
            return (try palette.chart(named: name), palette.note)
        } catch {
            throw Failure(status: .usage, message: "--chart: \(error)")
        }
    }

    private func request(
        _ steps: [Step], _ measured: [[PatchMeasurement]?], _ chart: Chart
    ) -> CalibrationMeasurements {
        var request = CalibrationMeasurements()
        var patches: [CalibrationMeasurements.ChartPatches.Patch] = []
        for (step, measurement) in zip(steps, measured) {
            guard let measurement, let first = measurement.first else { continue }
            switch step {
            case .dark: request.dark = first
            case .flat:
                // The grid says where the cells are.
                let cells = measurement.map { cell in
                    var cell = cell
                    cell.area = nil
                    return cell
                }
                request.flat = .init(columns: Step.flatSize.columns, cells: cells)
            case .card(let luminance): request.card = .init(measured: first, luminance: luminance)
            case .patch(let index):
                let patch = chart.patches[index]
                patches.append(.init(name: patch.name, reference: patch.lab, measured: first))
            case .chart:
                patches = zip(chart.patches, measurement).map { patch, measured in
                    .init(name: patch.name, reference: patch.lab, measured: measured)
                }
            }
        }
        request.chart = patches.isEmpty ? nil : .init(name: chart.name, patches: patches)
        return request
    }

    private func show(_ state: CalibrationState, on console: Console) throws(Failure) {
        guard let chart = state.calibration?.chart else {
            try console.write("The camera is calibrated.")
            return
        }
        let width = min(40, chart.patches.map(\.name.unicodeScalars.count).max() ?? 0)
        func row(_ name: String, _ figures: [String]) -> String {
            let gap = String(repeating: " ", count: max(0, width - name.unicodeScalars.count))
            let cells = figures.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }
            return name + gap + cells.joined()
        }
        func figure(_ number: Double) -> String { number.formatted(decimals: 2) }
        var lines = [row("ΔE00", ["before", "after", "left out"])]
        for patch in chart.patches {
            let figures = [figure(patch.deltaEBefore), figure(patch.deltaEAfter)]
            let end = patch.reason.map { "  not used: \($0)" } ?? ""
            lines.append(row(patch.name, figures + [patch.deltaELeftOut.map(figure) ?? "-"]) + end)
        }
        lines.append(row("mean", [chart.before, chart.after, chart.leaveOneOut].map { figure($0.mean) }))
        lines.append(row("maximum", [chart.before, chart.after, chart.leaveOneOut].map { figure($0.maximum) }))
        if let variation = chart.unevenLight {
            lines.append(
                "The light varies by \((100 * variation).formatted(decimals: 0)) % over the chart: add --flat, or measure "
                    + "the patches one after another.")
        }
        let (model, others) =
            switch chart.transform.model {
            case .gains: ("a factor for each channel", "Greys")
            case .matrix: ("a matrix", "Other colours")
            case .rootPolynomial: ("a root polynomial", "Other colours")
            }
        lines.append(
            "The camera is calibrated by \(model). \(others): expect ΔE \(figure(chart.leaveOneOut.mean)).")
        try console.write(lines.joined(separator: "\n"))
    }
}

extension PatchMeasurement {
    /// The colour as a line for people.
    fileprivate var line: String {
        let lab = CIELab(linear)
        let figures = [("L*", lab.lightness), ("a*", lab.a), ("b*", lab.b)]
            .map { "\($0.0) \($0.1.rounded(decimals: 1).formatted(decimals: 1))" }
        return "\(RGB(linear.map { 255 * SRGB.encoded($0) }).rounded.hex)  \(figures.joined(separator: " "))"
    }
}
