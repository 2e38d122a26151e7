import Color
import Foundation
import Metrology
import Pixels
import Testing

@testable import Documents
@testable import Readings
@testable import Untrusted

@Suite("A sample as JSON")
struct SampleJSONTests {
    private func decode(_ change: (inout [String: Any]) -> Void) throws -> Sample {
        let data = JSONWriter.data(Sample.example)
        var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        change(&object)
        return try JSONDecoder().decode(Sample.self, from: JSONSerialization.data(withJSONObject: object))
    }

    @Test("a sample has every key of the contract, and computes hex, rgb and Lab from its mean")
    func keys() {
        #expect(
            String(decoding: JSONWriter.data(Sample.example), as: UTF8.self) == """
                {"calibrated":null,"camera":{"id":"usb-C920","name":"HD Pro Webcam C920"},"concentration":null,\
                "controls":{"auto_exposure":1,"gain":64,"test_string":"a b"},"frame":{"colorimetry":"BT.601, limited range","format":"YUYV","height":480,\
                "width":640},"hex":"#3FA7D6","id":7,"lab":{"a":-19.4763,"b":-33.1508,"l":64.1209},"linear":{"b":0.672,\
                "g":0.3864,"r":0.0494},"mean":{"b":213.97,"g":167.2,"r":62.81},"name":"Leaf","picture":null,"probes":[],"quality":\
                {"flags":[{"code":"automatic","message":"Gain is automatic.","value":1}],"grade":"fair"},\
                "readings":16,"region":[0.25,0,0.5,1],"rgb":{"b":214,"g":167,"r":63},"scales":[],"standardError":{"b":0.06,\
                "deltaE":0.03,"g":0.04,"r":0.05},"state":"live","target":{"deltaE":0.8213,"name":"Sky",\
                "verdict":"pass"},"time":"2026-11-20T19:30:00.250Z"}
                """)
    }

    @Test("an unknown value of a sample is null")
    func nulls() throws {
        let json = try #require(
            try JSONSerialization.jsonObject(with: JSONWriter.data(Sample.plain)) as? [String: Any])
        for key in ["linear", "standardError", "quality", "camera", "frame", "target"] { #expect(json[key] is NSNull) }
    }

    @Test("a sample is read back as it was written", arguments: [Sample.example, .plain])
    func roundTrip(sample: Sample) throws {
        #expect(try JSONDecoder().decode(Sample.self, from: JSONWriter.data(sample)) == sample)
    }

    @Test("the probes of a sample are read back, and an earlier version has none and no target")
    func probes() throws {
        let color = ProbeSums.Color(name: "A1", mean: RGB(r: 1.5, g: 2.25, b: 255), linear: LinearRGB(all: 0.25))
        let sample = Sample.plain.with { $0.probes = [color] }
        #expect(try JSONDecoder().decode(Sample.self, from: JSONWriter.data(sample)) == sample)
        #expect(try decode { $0["probes"] = nil } == .example)
        #expect(try decode { $0["target"] = nil } == Sample.example.with { $0.target = nil })
        let wrong: [String: Any] = ["name": "A1", "mean": ["r": 256, "g": 0, "b": 0]]
        #expect(throws: DecodingError.self) { try decode { $0["probes"] = [wrong] } }
    }

    @Test("what is computed from the mean of a sample stays the same when the sample is read back")
    func figures() throws {
        for number in 0..<300 {
            let step = Double(number) * 0.000_2
            let sample = Sample(
                id: 1, name: "Leaf", time: .now, state: .live, readings: 1,
                mean: RGB(r: 119.09 + step, g: 113.91 + step, b: 110.03 - step), region: .full)
            let json = JSONWriter.data(sample)
            try #require(try JSONWriter.data(JSONDecoder().decode(Sample.self, from: json)) == json)
        }
    }

    @Test("the time of a sample stays the same however often it is read and written")
    func time() {
        for millisecond in 0...999 {
            let digits = String(millisecond + 1000).dropFirst()
            let text = "2026-11-20T19:30:00.\(digits)Z"
            #expect(Date(timestamp: text)?.timestamp == text)
        }
    }

    @Test(
        "a sample with a value that Swatchcam does not write is refused",
        arguments: [
            ("id", "0"), ("id", "9007199254740992"), ("id", "1.5"), ("id", "1e400"), ("id", "\"7\""), ("time", "\"\""),
            ("time", "7"), ("time", "\"2026-13-20T19:30:00.250Z\""), ("state", "\"lost\""), ("state", "\"x\""),
            ("readings", "0"), ("readings", "257"), ("mean", "{\"r\":-0.1,\"g\":0,\"b\":0}"),
            ("mean", "{\"r\":0,\"g\":255.1,\"b\":0}"), ("mean", "[1,2,3]"), ("mean", "null"), ("region", "[0,0,1]"),
            ("region", "[0,0,1,1.1]"), ("region", "[0,0,1,-0.1]"), ("controls", "null"), ("controls", "{\"a\":1.5}"),
            ("controls", "{\"a\":true}"), ("controls", "[]"), ("name", "null"), ("quality", "7"),
            ("quality", "{\"grade\":\"good\"}"), ("frame", "{}"), ("camera", "\"x\""), ("linear", "{\"r\":1}"),
            ("target", "{}"),
        ])
    func refused(key: String, value: String) throws {
        var json = String(decoding: JSONWriter.data(Sample.example), as: UTF8.self)
        // Either of two equal keys might win, so the good one is renamed.
        json = json.replacing("\"\(key)\":", with: "\"was-\(key)\":", maxReplacements: 1)
        json = "{\"\(key)\":\(value)," + json.dropFirst()
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Sample.self, from: Data(json.utf8)) }
    }

    @Test("text in a stored sample is sanitized")
    func sanitized() throws {
        let sample = try decode {
            $0["name"] = "a\nb"
            $0["camera"] = ["id": "\u{202E}x", "name": "c\td"]
            $0["controls"] = ["g\n": 1, "t": "x\u{0}"]
        }
        #expect(sample.name == "a\u{FFFD}b")
        #expect(sample.camera == .init(id: "\u{FFFD}x", name: "c\u{FFFD}d"))
        #expect(sample.controls == ["g\u{FFFD}": .number(1), "t": .text("x\u{FFFD}")])
    }
}

@Suite("The name of a sample")
struct SampleNameTests {
    @Test(
        "a sample without a name is named after its number", arguments: ["", " ", "\t\n\u{3000}"])
    func empty(text: String) {
        #expect(SampleName(text, id: 7)?.text == "Sample 7")
    }

    @Test("a name may have 100 characters, and no more")
    func length() {
        let longest = String(repeating: "é", count: 100)
        #expect(SampleName(" \(longest) ", id: 1)?.text == longest)
        #expect(SampleName(longest + "x", id: 1) == nil)
        // A letter with many marks is one character for people, but not bounded.
        #expect(SampleName("e" + String(repeating: "\u{301}", count: 100), id: 1) == nil)
    }

    @Test("characters that would break or reverse a line are replaced in a name")
    func hostile() {
        #expect(
            SampleName("a\nb\r\u{2028}c\u{202E}\u{0}d", id: 1)?.text == "a\u{FFFD}b\u{FFFD}\u{FFFD}c\u{FFFD}\u{FFFD}d")
    }

    @Test("a stored name that is too long is cut off")
    func stored() {
        #expect(
            SampleName(stored: String(repeating: "x", count: 101), id: 1).text == String(repeating: "x", count: 99)
                + "…")
    }
}
