import Color
import Testing

@testable import Metrology

@Suite("Teaching a state")
struct StateLessonTests {
    private let dark = CIELab(lightness: 10, a: 0, b: 0)
    private let red = CIELab(lightness: 50, a: 60, b: 35)

    private func lesson(
        _ colors: [CIELab], noise: Double = 0.1, others: [(String, CIELab)] = []
    ) throws -> StateLesson {
        let targets = others.map { ColorTarget(name: $0, color: $1) }
        return try #require(StateLesson(colors, noise: noise, others: targets))
    }

    @Test("the colours of all things become those of the state, alike ones only once")
    func colors() throws {
        let alike = CIELab(lightness: 10.5, a: 0, b: 0)
        #expect(try lesson([dark, alike, red]).colors == [dark, red])
    }

    @Test("the tolerance is half of the difference from the nearest other target, at most 10")
    func tolerance() throws {
        let near = CIELab(lightness: 50, a: 60, b: 45)
        let lesson = try lesson([red], others: [("OFF", dark), ("Orange", near)])
        #expect(lesson.nearest?.name == "Orange")
        #expect(lesson.tolerance == CIEDE2000(near, red).total / 2)
        #expect(try self.lesson([red], others: [("OFF", dark)]).tolerance == 10)
        #expect(lesson.canBeTold)
    }

    @Test("states that look alike cannot be told apart, and neither can those that noise makes alike")
    func alike() throws {
        let near = CIELab(lightness: 50.5, a: 60, b: 35)
        let lesson = try lesson([red], others: [("OFF", near)])
        #expect(!lesson.canBeTold && lesson.tolerance == 1)
        #expect(lesson.description("ON").contains("not enough to tell them apart"))
        #expect(try !self.lesson([red], noise: 6, others: [("OFF", dark)]).canBeTold)
    }

    @Test("more than 8 different colours are refused")
    func tooMany() {
        let colors = (0..<9).map { CIELab(lightness: 10 * Double($0), a: 0, b: 0) }
        #expect(StateLesson(colors, noise: 0, others: []) == nil)
        #expect(StateLesson([], noise: 0, others: []) == nil)
    }
}
