import Foundation
import TestSupport
import Testing

@testable import Readings

@Suite("A reading as JSON")
struct ReadingJSONTests {
    @Test("a reading's JSON has every key, on one line")
    func golden() {
        let expected =
            #"{"brightness":0.5804,"camera":{"device":"/dev/video0","#
            + #""id":"usb-046d_HD_Pro_Webcam_C920-video-index0","name":"HD Pro Webcam C920"},"#
            + #""color":{"hsl":"hsl(198.6 64.8% 54.3%)","hwb":"hwb(198.6 24.6% 16.1%)","lab":"lab(64.1 -19.5 -33.2)","#
            + #""lch":"lch(64.1 38.4 239.6)","name":{"css":"deepskyblue","deltaE":7.2,"plain":"blue"},"#
            + #""oklab":"oklab(0.689 -0.072 -0.091)","oklch":"oklch(0.689 0.116 231.5)","#
            + #""xy":{"x":0.2152,"y":0.2581},"xyz":{"x":0.28025,"y":0.33613,"z":0.68611}},"dropped":0,"#
            + #""effect":"none","frame":{"ageMs":3.1,"colorimetry":"BT.601, limited range","format":"YUYV","height":480,"picture":{"height":480,"width":640},"sequence":15630,"width":640},"#
            + ##""hex":"#3FA7D6","mean":{"b":213.97,"g":167.2,"r":62.81},"message":null,"notices":[],"##
            + ##""rate":{"capture":15,"reading":4,"wanted":4},"region":[0,0,1,1],"##
            + ##""revisions":{"cameras":0,"controls":0,"settings":0},"rgb":{"b":214,"g":167,"r":63},"sequence":1042,"##
            + ##""since":"2026-11-20T18:40:00.000Z","state":"live","textColor":"#000000","time":"2026-11-20T19:30:00.250Z"}"##
        #expect(text(.sample) == expected)
    }

    @Test("a reading's JSON contains null for a missing value")
    func nulls() {
        let expected =
            #"{"brightness":null,"camera":null,"color":null,"dropped":0,"effect":"none","frame":null,"hex":null,"mean":null,"#
            + #""message":"There is no camera. Connect one.","notices":[{"message":"Gain is automatic.","topic":"drift"}],"rate":{"capture":0,"reading":4,"wanted":4},"region":[0,0,1,1],"#
            + #""revisions":{"cameras":1,"controls":2,"settings":0},"rgb":null,"#
            + #""sequence":1,"since":"1970-01-01T00:00:00.000Z","state":"no-camera","textColor":null,"time":"1970-01-01T00:00:00.000Z"}"#
        #expect(text(.noCamera) == expected)
    }

    @Test("before the first reading, the program is starting, and nothing is measured or wanted")
    func none() {
        let date = Date(timeIntervalSince1970: 0)
        let expected =
            #"{"brightness":null,"camera":null,"color":null,"dropped":0,"effect":"none","frame":null,"hex":null,"mean":null,"#
            + #""message":"Swatchcam is starting.","notices":[],"rate":{"capture":0,"reading":0,"wanted":0},"#
            + #""region":[0,0,1,1],"revisions":{"cameras":0,"controls":0,"settings":0},"rgb":null,"sequence":0,"#
            + #""since":"1970-01-01T00:00:00.000Z","state":"starting","textColor":null,"#
            + #""time":"1970-01-01T00:00:00.000Z"}"#
        #expect(text(.none.with { ($0.time, $0.since) = (date, date) }) == expected)
    }

    @Test(
        "a reading's JSON preserves any text", arguments: ["a\"b\\c", "line\nbreak\u{1}", "/dev/video0", "Kamera é 📷"])
    func words(message: String) throws {
        let json = Reading.sample.with { $0.message = message }.json()
        let object = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(object["message"] as? String == message)
    }

    private func text(_ reading: Reading) -> String { String(decoding: reading.json(), as: UTF8.self) }
}
