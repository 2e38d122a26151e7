import Color
import Configuration
import Documents
import FlyingFox
import Metrology
import Readings
import State
import Storage
import Untrusted

/// States: teaching what the probes look like in one.
struct StateRoutes: Sendable {
    let shared: SharedState
    let measuring: Measuring

    var routes: [Route] {
        [
            Route(.POST, "/api/states/{name}", parameters: [.item("a target")], "Teach a state of the probes", teach)
                .described(
                    "teachState",
                    "Averages 16 new readings, and sets a target of this name to the colours of all probes, up to 8 "
                        + "different ones, with half of the difference from the nearest other target as its tolerance.",
                    .ok("The target was set.", "StateLesson"),
                    .refusal(
                        409,
                        "There is no probe (`no-probes`), too many targets (`targets-full`) or too many different "
                            + "colours (`too-many-colors`), or the readings were interrupted."),
                    .refusal(503, "There is no colour, or too many samples are being taken."))
        ]
    }

    private func teach(_ call: Call) async throws -> HTTPResponse {
        guard let written = call.decodedName?.text, let name = try? Config.checkedName(written) else {
            throw HTTPError.badRequest(
                code: "bad-state", "The name of a state is 1 to 60 printable characters on one line.")
        }
        let collector = try await measuring.collect(Sample.defaultReadings, for: call)
        let probes = collector.sample(id: 0, name: "", controls: [:])?.probes ?? []
        guard !probes.isEmpty else {
            throw HTTPError.conflict(
                code: "no-probes", "There is no probe whose state could be taught. Set one with PUT /api/probes/{name}."
            )
        }
        let noise = collector.newest?.probes.compactMap { $0.noise?.deltaE }.max() ?? 0
        var taught: (lesson: StateLesson, target: Config.Target)?
        var isFull = false
        await shared.settingsMemory.change { config in
            let others = config.targets.filter { $0.name != name }.map(\.colorTarget)
            guard let lesson = StateLesson(probes.map { CIELab($0.mean) }, noise: noise, others: others) else { return }
            let value = ConfigValue.table([
                "name": .string(name.text), "color": .list(lesson.colors.map { .string($0.css) }),
                "tolerance": .float(lesson.tolerance.rounded(decimals: 2)),
            ])
            guard let target = try? Config.Target(value) else { return }
            isFull = config.targets.set(target, upTo: Config.Target.maxCount) == nil
            if !isFull { taught = (lesson, target) }
        }
        guard !isFull else { throw HTTPError.targetsFull }
        guard let taught else {
            throw HTTPError.conflict(
                code: "too-many-colors",
                "The probes have more than \(ColorTarget.maxColors) different colours, and a target can have as many "
                    + "at most. Set targets one by one, and name them in the targets of each probe.")
        }
        return .json(
            JSONWriter.data(
                TaughtState(
                    lesson: taught.lesson, name: name.text, target: taught.target,
                    problem: shared.settingsMemory.problem)))
    }
}

/// What was taught of a state.
struct TaughtState: JSONFields {
    let lesson: StateLesson
    let name: String
    let target: Config.Target
    let problem: String?

    static let fields: JSONFieldList<Self> = [
        .value(
            "canBeTold", .boolean, "Whether the state can be told from all other targets, and from the noise."
        ) { $0.lesson.canBeTold },
        .value("description", .nonEmptyString, "The same in sentences.") { $0.lesson.description($0.name) },
        .value("hex", .array(of: .hex, 1...8), "The different colours of the probes.") {
            $0.lesson.colors.map { RGB($0).rounded.hex }
        },
        .value("name", .component("TargetName")) { $0.name },
        JSONField<(name: String, deltaE: Double)>.object(
            "nearest",
            "The target whose colour is nearest, and the difference in ΔE00; null if there is no other.",
            [
                .number("deltaE", .number(from: 0), decimals: 4) { $0.deltaE },
                .value("name", .component("TargetName")) { $0.name },
            ]
        ).orNull { $0.lesson.nearest },
        .value(
            "problem", .string, "Why the change will be forgotten when the program ends; missing if it is kept."
        ) { $0.problem }.onlyIf { $0.problem != nil },
        .number("tolerance", .number(1...10), decimals: 4) { $0.target.tolerance.deltaE },
    ]
}
