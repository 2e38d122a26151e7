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

    @Test(
        "a misspelt key is recognised",
        arguments: [
            ("camera.hieght", "camera.height"), ("camera.Device", "camera.device"), ("camera.fsp", "camera.fps"),
            ("readings.regoin", "readings.region"), ("level", "log.level"), ("web.fps", "camera.fps"),
            ("log.levels", "log.level"), ("reading.rate", "readings.rate"), ("web.template", "web.templates"),
        ])
    func misspelt(_ written: String, _ meant: String) {
        #expect(ConfigSchema.nearest(to: written.split(separator: ".").map(String.init), isTable: false) == meant)
    }

    @Test(
        "no key is suggested for an unrelated word",
        arguments: ["x", "camera.zoom", "zoom", "web.server", "colour", "sound.volume"])
    func unrelatedWord(_ written: String) {
        #expect(ConfigSchema.nearest(to: written.split(separator: ".").map(String.init), isTable: false) == nil)
    }

    @Test(
        "a name of up to four letters may have one typing error, of up to eight two, and a longer one three",
        arguments: [
            ("kiosk.shox", "kiosk.show"), ("kiosk.shxx", nil), ("log.lxvxl", "log.level"), ("web.adrezz", nil),
            ("picture.quaxlitx", "picture.quality"), ("picture.quaxxxty", nil), ("web.templxxxs", "web.templates"),
            ("picture.qualixxxx", nil),
        ] as [(String, String?)])
    func tolerance(_ written: String, _ meant: String?) {
        #expect(ConfigSchema.nearest(to: written.split(separator: ".").map(String.init), isTable: false) == meant)
    }

    @Test(
        "a key of another table is recognised by its exact name, or by four letters or more with one error",
        arguments: [
            ("x.port", "web.port"), ("x.por", nil), ("x.leve", "log.level"), ("x.lev", nil), ("loglevel", "log.level"),
            ("loglevl", nil),
        ] as [(String, String?)])
    func otherTables(_ written: String, _ meant: String?) {
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

    @Test("a very long name is not compared with keys")
    func longName() {
        #expect(ConfigSchema.nearest(to: [String(repeating: "a", count: 100_000)], isTable: false) == nil)
    }
}
