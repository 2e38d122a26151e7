import Testing

@testable import Configuration

@Suite("Suggestions for misspelt keys")
struct SuggestionTests {
    @Test(
        "the distance between two words counts wrong letters and swapped ones",
        arguments: [
            ("", "", 0), ("a", "", 1), ("", "abc", 3), ("width", "width", 0), ("widht", "width", 1),
            ("wdith", "width", 1),
            ("with", "width", 1), ("widdth", "width", 1), ("wodth", "width", 1), ("kitten", "sitting", 3),
            ("ca", "abc", 3), ("prot", "port", 1),
        ])
    func distance(_ a: String, _ b: String, _ distance: Int) {
        #expect(editDistance(a, b) == distance)
        #expect(editDistance(b, a) == distance)
    }

    private static let cases: [(String, String?)] = [
        // Misspelt keys, and unrelated words.
        ("camera.hieght", "camera.height"), ("camera.Device", "camera.device"), ("camera.fsp", "camera.fps"),
        ("readings.regoin", "readings.region"), ("level", "log.level"), ("web.fps", "camera.fps"),
        ("log.levels", "log.level"), ("reading.rate", "readings.rate"), ("web.template", "web.templates"), ("x", nil),
        ("camera.zoom", nil), ("zoom", nil), ("web.server", nil), ("colour", nil), ("sound.volume", nil),
        // A name of up to four letters may have one typing error, of up to eight two, and a longer one three.
        ("kiosk.shox", "kiosk.show"), ("kiosk.shxx", nil), ("log.lxvxl", "log.level"), ("web.adrezz", nil),
        ("picture.quaxlitx", "picture.quality"), ("picture.quaxxxty", nil), ("web.templxxxs", "web.templates"),
        ("picture.qualixxxx", nil),
        // A key of another table is recognised by its exact name, or by four letters or more with one error.
        ("x.port", "web.port"), ("x.por", nil), ("x.leve", "log.level"), ("x.lev", nil), ("loglevel", "log.level"),
        ("loglevl", nil), (String(repeating: "a", count: 100_000), nil),
    ]

    @Test("a misspelt key is recognised, the better the longer it is, and an unrelated word is not", arguments: cases)
    func misspelt(_ written: String, _ meant: String?) {
        #expect(ConfigSchema.nearest(to: written.split(separator: ".").map(String.init), isTable: false) == meant)
    }

    @Test("a key that lacks one letter is recognised")
    func droppedLetters() {
        for key in ConfigSchema.keys {
            for index in key.leaf.indices {
                var leaf = key.leaf
                leaf.remove(at: index)
                #expect(ConfigSchema.nearest(to: key.table + [leaf], isTable: false) == key.name)
            }
        }
    }
}
