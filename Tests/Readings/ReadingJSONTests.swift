import Color
import Foundation
import Metrology
import Pixels
import TestSupport
import Testing

@testable import Documents
@testable import Palettes
@testable import Readings

@Suite("A reading as JSON")
struct ReadingJSONTests {
    @Test("docs/api.md describes every key; SWATCHCAM_WRITE_DOCS=1 writes that")
    func documents() throws {
        let fields = ReadingDocument.fields
        #expect(fields.map(\.key) == fields.map(\.key).sorted())
        try expectTable("reading", in: "api.md", fields.map { ["`\($0.key)`", $0.meaning] })
    }

    @Test("a reading's JSON has every key, on one line")
    func golden() throws {
        try expectGolden("reading.json", text(.sample))
    }

    private static let nulls =
        #"{"absorbance":null,"blank":null,"brightness":null,"calibrated":null,"calibration":null,"camera":null,"color":null,"concentration":null,"drift":null,"dropped":0,"effect":"none","frame":null,"hex":null,"linear":null,"luminance":null,"match":null,"mean":null,"#

    @Test("a reading's JSON contains null for a missing value")
    func nulls() {
        let expected =
            Self.nulls
            + #""message":"There is no camera. Connect one.","noise":null,"notices":[{"message":"Gain is automatic.","topic":"automatic"}],"parts":null,"probes":[],"quality":null,"rate":{"capture":0,"reading":4,"wanted":4},"recording":null,"reference":null,"region":[0,0,1,1],"regionState":null,"relative":null,"#
            + #""revisions":{"absorbance":0,"cameras":1,"controls":2,"history":0,"samples":0,"settings":0},"rgb":null,"#
            + #""scales":[],"sequence":1,"settled":null,"since":"1970-01-01T00:00:00.000Z","state":"no-camera","statistics":null,"targets":[],"textColor":null,"time":"1970-01-01T00:00:00.000Z","totalDrift":null,"unique":null}"#
        #expect(text(.noCamera) == expected)
        #expect(
            String(decoding: Reading.noCamera.statisticsJSON(), as: UTF8.self)
                == #"{"clipped":null,"dominant":null,"histogram":null,"max":null,"median":null,"min":null,"#
                + #""outOfGamut":null,"pixels":null,"regionPixels":null,"sd":null,"sequence":1,"#
                + #""time":"1970-01-01T00:00:00.000Z"}"#)
    }

    @Test("before the first reading, the program is starting, and nothing is measured or wanted")
    func none() {
        let json = text(.none)
        #expect(
            json.hasPrefix(Self.nulls + #""message":"Swatchcam is starting.","noise":null,"notices":[],"parts":null,"#))
        #expect(json.contains(#""rate":{"capture":0,"reading":0,"wanted":0},"#))
        #expect(json.contains(#""sequence":0,"settled":null,"#) && json.contains(#""state":"starting","#))
    }

    @Test("a reading's JSON has its statistics over time and its quality, to four decimals")
    func overTime() {
        let json = text(
            .sample.with {
                $0.stability.noise = .init(channels: .init(r: 0.123456, g: 0.2, b: 0.3), deltaE: 0.045678)
                $0.stability.steadiness = .init(spread: 0.1, trend: 0, trendPerMinute: 0, scatter: 0)
                $0.stability.drift = .init(deltaEPerMinute: 0.212345, standardError: 0.056789)
                $0.stability.totalDrift = .init(deltaEPerMinute: 0, standardError: 0.001)
                $0.quality = Quality(flags: [
                    .init(.clippedHigh, value: 0.0312345, grade: .poor, message: "Lower the exposure.")
                ])
            })
        #expect(json.contains(#""noise":{"b":0.3,"deltaE":0.0457,"g":0.2,"r":0.1235},"#))
        #expect(json.contains(#""settled":true,"#))
        #expect(json.contains(#""drift":{"deltaEPerMinute":0.2123,"standardError":0.0568},"#))
        #expect(json.contains(#""totalDrift":{"deltaEPerMinute":0,"standardError":0.001}"#))
        let flag = #"{"code":"clipped-high","message":"Lower the exposure.","value":0.0312}"#
        #expect(json.contains(#""quality":{"flags":[\#(flag)],"grade":"poor"},"#))
    }

    @Test("a reading's JSON names the nearest colour of the palette, with its difference to a tenth")
    func palette() {
        let palette = Palette([
            .init(name: "Far", rgb: RGB(.black)), .init(name: "Brand \"blue\"", rgb: RGB(r: 63, g: 167, b: 210)),
        ])
        let json = text(.sample.with { $0.palette = palette })
        #expect(json.contains(##""palette":{"deltaE":1,"hex":"#3FA7D2","name":"Brand \"blue\""},"##))
    }

    @Test("a reading's JSON names the recording that is running, since when, and when it ends")
    func recording() {
        let recording = Recording(
            name: "Titration \"3\"", since: Date(timeIntervalSince1970: 1_795_202_402), duration: 90)
        let json = text(.sample.with { $0.recording = recording })
        #expect(
            json.contains(
                #""recording":{"endsBy":"2026-11-20T19:21:32.000Z","name":"Titration \"3\"","since":"2026-11-20T19:20:02.000Z"},"#
            ))
    }

    @Test(
        "a reading's JSON preserves any text", arguments: ["a\"b\\c", "line\nbreak\u{1}", "/dev/video0", "Kamera é 📷"])
    func words(message: String) throws {
        let json = Reading.sample.with { $0.message = message }.json()
        let object = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(object["message"] as? String == message)
    }

    @Test("a mark's JSON has its number, kind, text and time, and every key of an event")
    func mark() {
        let mark = Mark(id: 7, time: Date(timeIntervalSince1970: 0), kind: .user, text: "Reagent \"A\"")
        #expect(
            String(decoding: JSONWriter.data(mark), as: UTF8.self)
                == #"{"from":null,"id":7,"kind":"user","name":null,"picture":null,"text":"Reagent \"A\"","#
                + #""time":"1970-01-01T00:00:00.000Z","to":null}"#)
    }

    @Test("the statistics' JSON has those of the reading with its histogram, on one line")
    func statistics() {
        let counts = "[" + [String](repeating: "48", count: 256).joined(separator: ",") + "]"
        let histogram = #""histogram":{"b":\#(counts),"g":\#(counts),"r":\#(counts)}"#
        let expected =
            "{" + Self.statistics.replacing(#""max""#, with: histogram + #","max""#)
            + #","sequence":1042,"time":"2026-11-20T19:30:00.250Z"}"#
        let json = String(decoding: Reading.sample.statisticsJSON(), as: UTF8.self)
        #expect(json == expected)
    }

    @Test("the standard deviation of a single pixel is null, and it is the only figure that is")
    func onePixel() {
        let one = Reading.sample.with { $0.statistics?.standardDeviation = nil }
        #expect(text(one).contains(#""regionPixels":307200,"sd":null}"#))
    }

    private static let statistics =
        ##""clipped":{"high":{"b":0,"g":0,"r":0},"low":{"b":0,"g":0,"r":0}},"dominant":{"hex":"#3FA7D6","##
        + ##""share":0.998454},"max":{"b":226,"g":181,"r":79},"median":{"b":214,"g":167,"r":63},"##
        + ##""min":{"b":203,"g":155,"r":48},"outOfGamut":0,"pixels":6279,"regionPixels":307200,"##
        + ##""sd":{"b":2.0625,"g":2.5,"r":3.1416}"##

    private func text(_ reading: Reading) -> String { String(decoding: reading.json(), as: UTF8.self) }
}
