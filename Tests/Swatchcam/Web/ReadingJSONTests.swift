import Foundation
import Testing

@testable import Swatchcam

@Suite("A reading as JSON")
struct ReadingJSONTests {
    @Test("has every key, in the contract's order")
    func golden() {
        let expected =
            #"{"sequence":1042,"time":"2026-11-20T19:30:00.250Z","state":"live","message":null,"#
            + ##""hex":"#3FA7D6","rgb":{"r":63,"g":167,"b":214},"mean":{"r":62.81,"g":167.2,"b":213.97},"##
            + ##""brightness":0.5804,"textColor":"#000000","##
            + #""frame":{"sequence":15630,"width":640,"height":480,"format":"YUYV","ageMs":3.1},"#
            + #""camera":{"id":"usb-046d_HD_Pro_Webcam_C920-video-index0","name":"HD Pro Webcam C920","#
            + #""device":"/dev/video0"},"rate":{"capture":15.0,"reading":4.0},"dropped":0}"#
        #expect(Reading.sample.jsonText() == expected)
    }

    @Test("says null where there is no value, and where a number is none")
    func nulls() {
        let expected =
            #"{"sequence":1,"time":"1970-01-01T00:00:00.000Z","state":"no-camera","#
            + #""message":"There is no camera. Connect one.","hex":null,"rgb":null,"mean":null,"brightness":null,"#
            + #""textColor":null,"frame":null,"camera":null,"rate":{"capture":null,"reading":4.0},"dropped":0}"#
        #expect(Reading.noCamera.jsonText() == expected)
    }

    @Test(
        "escapes what JSON wants escaped and nothing else",
        arguments: [
            ("a\"b\\c", #"a\"b\\c"#), ("line\nbreak\tand\u{1}", #"line\nbreak\tand\u0001"#),
            ("/dev/video0", "/dev/video0"), ("Kamera é 📷", "Kamera é 📷"),
        ])
    func escapes(message: String, expected: String) throws {
        let json = Reading.sample.with { $0.message = message }.jsonText()
        #expect(json.contains(#""message":"\#(expected)","#))
        let object = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(object["message"] as? String == message)
    }

    @Test(
        "rounds times to the millisecond",
        arguments: [
            (1_795_203_000.25, "2026-11-20T19:30:00.250Z"), (1_795_203_000.9996, "2026-11-20T19:30:01.000Z"),
            (0.0014, "1970-01-01T00:00:00.001Z"), (-.infinity, "1970-01-01T00:00:00.000Z"),
        ])
    func timestamps(seconds: Double, expected: String) {
        #expect(Date(timeIntervalSince1970: seconds).timestamp == expected)
    }
}
