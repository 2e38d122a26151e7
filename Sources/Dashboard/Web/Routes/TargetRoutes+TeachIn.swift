import Color
import Documents
import FlyingFox
import Metrology
import Readings
import State
import Storage
import Untrusted

/// Teaching a target by samples of good and bad parts.
extension TargetRoutes {
    func teach(_ call: Call) async throws -> HTTPResponse {
        let order = try await call.json(
            TeachInRequest.self, keys: ["good", "bad", "components"], orRefuse: .badTeachIn)
        let numbers = (good: order.good, bad: order.bad ?? [])
        guard TeachIn.minCount...TeachInRequest.maxCount ~= numbers.good.count,
            numbers.bad.count <= TeachInRequest.maxCount,
            Set(numbers.good + numbers.bad).count == numbers.good.count + numbers.bad.count
        else { throw HTTPError.badTeachIn }
        let samples = shared.samples.list
        func parts(_ numbers: [Int]) throws -> [Sample] {
            try numbers.map { number in
                guard let sample = samples.sample(number)?.sample else { throw HTTPError.noSample }
                return sample
            }
        }
        let (good, bad) = (try parts(numbers.good), try parts(numbers.bad))
        let clipped = good.filter(\.isClipped)
        guard clipped.isEmpty else { throw HTTPError.clipped(clipped) }
        guard
            let lesson = TeachIn(good: good.map(\.lab), bad: bad.map(\.lab), hasComponents: order.components ?? false)
        else { throw HTTPError.badTeachIn }
        return .json(JSONWriter.data(TargetLesson(lesson: lesson, good: good, bad: bad)))
    }
}

/// A target that parts have taught, with what is to be known before it is set.
struct TargetLesson: JSONFields {
    fileprivate let lesson: TeachIn
    fileprivate let good: [Sample]
    fileprivate let bad: [Sample]

    static let fields: JSONFieldList<Self> = [
        .value("color", .component("CSSColor")) { $0.lesson.color.css },
        .value(
            "description", .nonEmptyString,
            "What the tolerance covers, and how many of the bad parts would have passed."
        ) { $0.lesson.description },
        .value("hex", .hex, "The same, rounded.") { RGB($0.lesson.color).rounded.hex },
        .value(
            "passingBad", .array(of: .integer), "The samples of the bad parts that would have passed."
        ) { document in document.lesson.passingBad.map { document.bad[$0].id } },
        .object(
            "tolerance", "",
            [
                .number("chroma", .number.orNull, decimals: 4) { $0.lesson.tolerance.chroma },
                .number("deltaE", .number(from: 0.1), decimals: 4) { $0.lesson.tolerance.deltaE },
                .number("hue", .number.orNull, decimals: 4) { $0.lesson.tolerance.hue },
                .number("lightness", .number.orNull, decimals: 4) { $0.lesson.tolerance.lightness },
            ]),
        .value(
            "warnings", .array(of: .nonEmptyString, 0...2),
            "Why the target may be wrong, in sentences that name the samples: the colour was not steady, or some "
                + "pixels were clipped or out of gamut."
        ) { $0.warnings },
    ]

    /// A sentence for each kind of doubt about the samples.
    private var warnings: [String] {
        let samples = good + bad
        let unsteady = samples.filter { $0.hasFlag(among: [.unsettled, .settling]) }
        // A bad part does not make the target, so it may be clipped: only whether it would have passed is in doubt.
        let distorted = samples.filter { $0.hasFlag(among: [.clippedHigh, .clippedLow, .outOfGamut]) }
        return [
            unsteady.isEmpty
                ? nil
                : "The colour was not steady in \(unsteady.names), so the tolerance may be too wide: wait until it is, and "
                    + "sample again.",
            distorted.isEmpty
                ? nil
                : "Pixels are clipped or out of gamut in \(distorted.names), so the colour is not quite right there: "
                    + "change the exposure or the light, and sample again.",
        ].compactMap(\.self)
    }
}

extension [Sample] {
    /// The maximum number of samples that a sentence names.
    private static var maxNamed: Int { 5 }

    /// The samples in a sentence: the first by number and name, and how many more there are.
    fileprivate var names: String {
        let named = prefix(Self.maxNamed).map { "sample \($0.id) (\($0.name.quoted()))" }
        return (named + (count > Self.maxNamed ? ["\(count - Self.maxNamed) more"] : [])).list
    }
}

private struct TeachInRequest: Decodable {
    /// The maximum number of samples of each kind.
    static let maxCount = 200

    var good: [Int]
    var bad: [Int]?
    var components: Bool?
}

extension HTTPError {
    fileprivate static let badTeachIn = badRequest(
        code: "bad-teach-in",
        "Send a JSON object with the numbers of samples, each once, such as {\"good\": [1, 2, 3, 4, 5], \"bad\": "
            + "[6], \"components\": false}; good has \(TeachIn.minCount) to \(TeachInRequest.maxCount), and bad at "
            + "most \(TeachInRequest.maxCount).")

    fileprivate static func clipped(_ samples: [Sample]) -> HTTPError {
        conflict(
            code: "sample-clipped",
            "The colour is clipped in \(samples.names), which cannot teach: change the exposure or the light, and "
                + "sample again.")
    }
}
