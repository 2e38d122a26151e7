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

    var routes: [Route] { [Route(.POST, "/api/states/{name}", "Teach a state of the probes", teach)] }

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
                "The probes have more than \(ColorTarget.maxColors) different colours, and a target can have as many at most. "
                    + "Set targets one by one, and name them in the targets of each probe.")
        }
        return .json(
            JSONWriter.data(
                LessonDocument(
                    lesson: taught.lesson, name: name.text, target: taught.target,
                    problem: shared.settingsMemory.problem)))
    }
}

/// What was taught of a state.
private struct LessonDocument: JSONObject {
    let lesson: StateLesson
    let name: String
    let target: Config.Target
    let problem: String?

    func writeFields(to json: inout JSONWriter) {
        json.field("canBeTold", lesson.canBeTold)
        json.field("description", lesson.description(name))
        json.field("hex", lesson.colors.map { RGB($0).rounded.hex })
        json.field("name", name)
        json.field("nearest", of: lesson.nearest) { json, nearest in
            json.field("deltaE", nearest.deltaE, decimals: 4)
            json.field("name", nearest.name)
        }
        if let problem { json.field("problem", problem) }
        json.field("tolerance", target.tolerance.deltaE, decimals: 4)
    }
}
