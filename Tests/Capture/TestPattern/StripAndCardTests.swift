import Color
import Metrology
import Pixels
import Testing

@testable import Capture

@Suite("The strip and the card of the test pattern")
struct StripAndCardTests {
    @Test("the strip has its value on the scale of the card")
    func value() throws {
        let points = zip(StripAndCard.values, StripAndCard.colors).map {
            ColorScale.Point(value: $0, colors: [CIELab(RGB($1))])
        }
        let scale = try #require(ColorScale(points, tolerance: 6))
        let strip = try #require(
            MeasuredColor(Array(repeating: CIELab(RGB(StripAndCard.stripColor)), count: MeasuredColor.minCount)))
        let found = ScaleValue(of: [strip], on: scale)
        #expect(try abs(#require(found.value) - StripAndCard.stripValue) < 0.01)
        #expect(found.distance < 0.3)
    }

    @Test("a grid of six columns in the card has a probe on each colour")
    func grid() {
        let card = StripAndCard.card
        for index in StripAndCard.colors.indices {
            let (place, middle) = (StripAndCard.region(of: index), card.x + card.width * (Double(index) + 0.5) / 6)
            #expect(abs(place.x + place.width / 2 - middle) < 0.001)
        }
    }
}
