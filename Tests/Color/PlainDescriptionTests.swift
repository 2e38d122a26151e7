import Color
import Testing

@Suite("A colour in plain words")
struct PlainDescriptionTests {
    @Test(
        "colours are described by their name, with lightness and chroma if they are far from ordinary",
        arguments: [
            ("#000000", "black"), ("#FFFFFF", "white"), ("#808080", "grey"), ("#FF0000", "vivid red"),
            ("#00FF00", "vivid green"), ("#0000FF", "vivid blue"), ("#FFFF00", "vivid yellow"),
            ("#FFA500", "vivid orange"), ("#800080", "purple"), ("#FFC0CB", "light pink"), ("#8B4513", "brown"),
            ("#008000", "green"), ("#008080", "blue-green"), ("#9ACD32", "yellow-green"), ("#FF69B4", "pink"),
            ("#E8953C", "orange"), ("#F8F8F8", "white"), ("#A0522D", "brown"), ("#4169E1", "blue"), ("#FA8072", "pink"),
            ("#000080", "dark blue"), ("#8B0000", "dark red"), ("#006400", "dark green"), ("#4B0082", "dark purple"),
            ("#3B2314", "dark brown"), ("#87CEEB", "light blue"), ("#98FB98", "light green"),
            ("#D2B48C", "light brown"), ("#F0E68C", "light yellow"), ("#DDA0DD", "light purple"),
            ("#808000", "dark yellow"), ("#FFE4E1", "very light pink"), ("#001A00", "very dark green"),
            ("#708090", "greyish blue"), ("#BC8F8F", "greyish pink"), ("#B0C4DE", "light greyish blue"),
            ("#2F4F4F", "dark greyish blue-green"), ("#232F3E", "dark greyish blue"), ("#7A6A4F", "greyish brown"),
            ("#D3D3D3", "light grey"), ("#404040", "dark grey"), ("#222222", "very dark grey"),
            ("#EEEEEE", "very light grey"),
        ])
    func words(hex: String, words: String) throws {
        #expect(try describe(hex) == words)
    }

    @Test("from black to white, the greys become lighter word by word, and never have a hue")
    func ramp() {
        var words: [String] = []
        for value in stride(from: 0.0, through: 255, by: 1) {
            let word = RGB(all: value).plainDescription
            if word != words.last { words.append(word) }
            // The noise and the slight tint of a camera.
            for (red, blue) in [(1.5, 0), (0, 1.5), (-1.5, 1), (1, -1.5)] as [(Double, Double)] {
                let color = RGB(r: max(0, min(255, value + red)), g: value, b: max(0, min(255, value + blue)))
                let last = color.plainDescription.split(separator: " ").last
                #expect(["black", "grey", "white"].contains(last), "\(color)")
            }
        }
        #expect(
            words == [
                "black", "very dark grey", "dark grey", "grey", "light grey", "very light grey", "white",
            ])
    }

    @Test("from dark to light, the blues become lighter word by word")
    func blues() throws {
        let words = try ["#00000A", "#000030", "#000070", "#2050C0", "#90B8F0", "#E0ECFF"].map { try describe($0) }
        #expect(words == ["black", "very dark blue", "dark blue", "blue", "light blue", "very light blue"])
    }

    @Test("every description consists of a basic colour term and at most two words before it")
    func vocabulary() {
        let terms: Set<Substring> = [
            "black", "white", "grey", "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown",
            "yellow-green", "blue-green",
        ]
        let lightness: Set<Substring> = ["dark", "light"]
        for red in stride(from: 0.0, through: 255, by: 15) {
            for green in stride(from: 0.0, through: 255, by: 15) {
                for blue in stride(from: 0.0, through: 255, by: 15) {
                    var words = RGB(r: red, g: green, b: blue).plainDescription.split(separator: " ")[...]
                    #expect(terms.contains(words.removeLast()))
                    if words.first == "very" { words.removeFirst() }
                    if let first = words.first, lightness.contains(first) { words.removeFirst() }
                    #expect(words.isEmpty || words == ["vivid"] || words == ["greyish"])
                }
            }
        }
    }

    private func describe(_ hex: String) throws -> String {
        RGB(try #require(RGB8(hex: hex))).plainDescription
    }
}
