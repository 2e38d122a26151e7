import Color
import Foundation
import Handoff
import Metrology
import TestSupport
import Testing
import Untrusted

@testable import Documents
@testable import Readings

@Suite("The verdicts of a reading")
struct JudgementTests {
    private let good = Quality(flags: [])
    private let grey = RGB(r: 120, g: 130, b: 140)
    private let red = RGB(r: 200, g: 30, b: 40)

    private var targets: [ColorTarget] {
        [ColorTarget(name: "Grey", color: CIELab(grey)), ColorTarget(name: "Red", color: CIELab(red))]
    }

    /// A series of readings that scatter by half a code value, one in each quarter of a second.
    private func series(_ colors: [RGB]) -> ReadingSeries {
        var series = ReadingSeries()
        for (index, color) in colors.enumerated() {
            let noise = [0.5, -0.3, 0.2, -0.5, 0.4, -0.2, 0.1, -0.2][index % 8]
            series.add(
                RGB(r: color.r + noise, g: color.g - noise, b: color.b + noise),
                at: MonotonicTime(nanoseconds: Int64(index) * 250_000_000))
        }
        return series
    }

    private func colors(_ color: RGB, _ count: Int) -> [RGB] { Array(repeating: color, count: count) }

    @Test("the nearest target that passes matches, and is unique if the others fail")
    func match() {
        let judgement = series(colors(red, 8)).judgement(against: targets, good)
        #expect(judgement.entries.map(\.name) == ["Grey", "Red"])
        #expect(judgement.entries.map(\.verdict?.outcome) == [.fail, .pass])
        #expect(judgement.matchName == "Red")
        #expect(judgement.isUnique == true)
    }

    @Test("without targets, there is nothing to judge")
    func noTargets() {
        #expect(series(colors(red, 8)).judgement(against: [], good) == Reading.Judgement())
    }

    @Test("before the eighth reading there is a difference, but no verdict")
    func few() {
        let judgement = series(colors(red, 7)).judgement(against: targets, good)
        #expect(judgement.entries.map(\.verdict?.outcome) == [nil, nil])
        #expect(judgement.entries.allSatisfy { $0.verdict?.reason?.hasPrefix("There are 7 of the 8") == true })
        #expect(judgement.entries[0].verdict.map { $0.deltaE > 10 } == true)
        #expect(judgement.matchName == nil)
        #expect(judgement.isUnique == nil)
    }

    @Test("eight readings after another part has come into view, it is judged by its own colour")
    func nextPart() {
        let judgement = series(colors(grey, 20) + colors(red, 8)).judgement(against: targets, good)
        #expect(judgement.matchName == "Red")
        #expect(judgement.entries[1].verdict.map { $0.deltaE < 0.2 } == true)
    }

    @Test("while one part replaces another, there is no verdict", arguments: [1, 2, 4, 6, 7])
    func changing(count: Int) {
        let judgement = series(colors(grey, 20) + colors(red, count)).judgement(against: targets, good)
        #expect(judgement.entries.map(\.verdict?.outcome) == [nil, nil])
        #expect(judgement.entries.allSatisfy { $0.verdict?.reason?.hasPrefix("The colour is changing") == true })
    }

    @Test("while the colour drifts, there is no verdict")
    func drifting() {
        let drifting = (0..<32).map { RGB(r: 200 + Double($0) * 0.2, g: 30, b: 40) }
        let judgement = series(drifting).judgement(against: targets, good)
        #expect(judgement.entries.map(\.verdict?.outcome) == [nil, nil])
        let wide = ColorTarget(name: "Red", color: CIELab(red), tolerance: Tolerance(deltaE: 40))
        // A change of less than a tenth of the tolerance does not matter.
        #expect(series(drifting).judgement(against: [wide], good).matchName == "Red")
    }

    @Test("while the quality is poor, the verdict is refused with what to do")
    func poor() {
        let flags = [
            Quality.Flag(.noisy, value: 1, message: "It is noisy."),
            Quality.Flag(.clippedHigh, value: 0.03, grade: .poor, message: "Lower the exposure."),
        ]
        let judgement = series(colors(red, 8)).judgement(against: targets, Quality(flags: flags))
        #expect(judgement.entries.map(\.verdict?.reason) == ["Lower the exposure.", "Lower the exposure."])
        let fair = series(colors(red, 8)).judgement(against: targets, Quality(flags: [flags[0]]))
        #expect(fair.matchName == "Red")
    }

    @Test("a verdict in JSON has every key, and null for what is missing")
    func json() {
        let without = Reading.Judgement(without: targets)
        let empty = text(without.entries[0])
        #expect(
            empty
                == #"{"counts":null,"coverage":null,"coverageError":null,"deltaC":null,"deltaE":null,"deltaH":null,"deltaL":null,"held":null,"#
                + ##""hex":"#78828C","high":null,"low":null,"name":"Grey","readingsToDecide":null,"##
                + #""reason":"There is no colour.","tolerance":2,"verdict":null,"words":null}"#)
        let judgement = series(colors(red, 16)).judgement(against: targets, good)
        let passed = text(judgement.entries[1])
        #expect(
            passed.contains(
                #""name":"Red","readingsToDecide":null,"reason":null,"tolerance":2,"verdict":"pass","words":"""#))
        #expect(text(judgement.entries[0]).contains(#""verdict":"fail""#))
        var counted = judgement
        var parts = PartCounts()
        parts.add(judgement, hold: 0, at: MonotonicTime(nanoseconds: 0))
        counted.add(parts)
        #expect(text(counted.entries[1]).hasPrefix(#"{"counts":{"close":0,"fail":0,"pass":1},"#))
        #expect(text(counted.entries[1]).contains(#""held":"pass""#))
    }

    private func text(_ entry: Reading.Judgement.Entry) -> String {
        String(decoding: JSONWriter.data(entry), as: UTF8.self)
    }
}
