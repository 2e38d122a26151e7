import Color
import Testing

@Suite("Named colours")
struct NamedColorTests {
    @Test("CSS has 148 names, and the sums of their colours, channel by channel, are those of matplotlib's list")
    func values() {
        #expect(Set(NamedColor.all.map(\.name)).count == 148)
        // From matplotlib 3.11.2.
        #expect(NamedColor.all.reduce(0) { $0 + Int($1.rgb.r) } == 24_016)
        #expect(NamedColor.all.reduce(0) { $0 + Int($1.rgb.g) } == 23_160)
        #expect(NamedColor.all.reduce(0) { $0 + Int($1.rgb.b) } == 22_464)
    }

    @Test("each named colour is nearest to itself, in one of its spellings", arguments: NamedColor.all.map(\.name))
    func itself(name: String) throws {
        let color = try #require(NamedColor.named(name))
        let nearest = NamedColor.nearest(to: color.lab)
        #expect(nearest.color.rgb == color.rgb)
        #expect(nearest.difference == 0)
    }

    @Test(
        "of two spellings, the usual one is reported",
        arguments: [
            ("aqua", "cyan"), ("fuchsia", "magenta"), ("grey", "gray"), ("darkslategrey", "darkslategray"),
        ])
    func spelling(other: String, usual: String) throws {
        let color = try #require(NamedColor.named(other))
        #expect(NamedColor.nearest(to: color.lab).color.name == usual)
    }

    @Test("the nearest by CIEDE2000 is found even where another one is nearer in CIELAB")
    func formulas() {
        // Vivid blues lie far apart in CIELAB for how alike they look.
        var count = 0
        for channels in (0..<4 * 18 * 18).map({ [$0 / 324, $0 / 18 % 18, $0 % 18] }) {
            let lab = CIELab(
                RGB(r: 85 * Double(channels[0]), g: 15 * Double(channels[1]), b: 15 * Double(channels[2])))
            let least = NamedColor.all.map { CIEDE2000(lab, $0.lab).total }.min()
            let nearestByDistance = NamedColor.all.min { $0.lab.deltaE76(to: lab) < $1.lab.deltaE76(to: lab) }
            #expect(NamedColor.nearest(to: lab).difference == least)
            if let nearestByDistance, CIEDE2000(lab, nearestByDistance.lab).total != least { count += 1 }
        }
        #expect(count > 20)
    }

    @Test("a name is known in lower case only", arguments: ["Red", "", "reddish", "transparent", "currentcolor"])
    func unknown(name: String) {
        #expect(NamedColor.named(name) == nil)
    }
}
