import CV4L2
import Foundation
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration

@Suite("A control and its document")
struct ControlDocumentTests {
    @Test(
        "a control refuses an invalid value and says why",
        arguments: [
            (Control.sample(), Control.Value.number(256), "takes 0...255, not 256"),
            (.sample(), .text("x"), "takes a number, not the text"),
            (.sample(V4L2_CID_GAIN, "gain", .integer, 10...100, step: 10), .number(15), "in steps of 10 from 10"),
            (.sample(isReadOnly: true), .number(1), "is read-only"),
            (
                .sample(V4L2_CID_EXPOSURE_AUTO, "e", .menu, 0...3, choices: Control.exposures), .number(2),
                "1 Manual Mode"
            ),
            (.sample(0, "name", .string, 2...4), .text("a"), "takes 2 to 4 bytes of text, not 1"),
            (.sample(0, "name", .string, 2...4), .number(1), "takes a text"),
            (.sample(0, "mask", .bitmask, 0...0xF0), .number(0x101), "takes bits of 240"),
        ])
    func refused(control: Control, value: Control.Value, words: String) throws {
        let problem = try #require(control.problem(with: value))
        #expect(problem.contains(words))
    }

    @Test(
        "a control accepts every valid value",
        arguments: [
            (Control.sample(), Control.Value.number(0)), (.sample(), .number(255)),
            (.sample(V4L2_CID_GAIN, "gain", .integer, 10...100, step: 10), .number(100)),
            (.sample(0, "big", .integer, Int64.min...Int64.max, step: 2), .number(7)),
            (.sample(0, "press", .button, 0...0), .number(1)), (.sample(0, "name", .string, 0...4), .text("")),
            (.sample(0, "mask", .bitmask, 0...0xF0), .number(0x30)),
        ])
    func taken(control: Control, value: Control.Value) {
        #expect(control.problem(with: value) == nil)
    }

    @Test(
        "a written value is converted to the value of the control",
        arguments: [
            (ConfigValue.integer(3), Control.Value?.some(.number(3))), (.boolean(true), .number(1)),
            (.float(3), .number(3)), (.float(3.5), nil), (.float(1e300), nil), (.string("manual MODE"), .number(1)),
            (.string("no such"), .text("no such")), (.list([]), nil),
        ])
    func written(value: ConfigValue, read: Control.Value?) {
        let menu = Control.sample(V4L2_CID_EXPOSURE_AUTO, "e", .menu, 0...3, choices: Control.exposures)
        #expect(menu.value(from: value) == read)
    }

    @Test("the message about an unknown control suggests the control that was probably meant")
    func unknown() {
        let controls = Control.webcam(automatic: true)
        #expect(controls.unknownControlReason(for: "auto_exposre").contains("did you mean auto_exposure?"))
        #expect(!controls.unknownControlReason(for: "zoom").contains("mean"))
        // A quarter of the letters may be wrong, but an overlong name gets no suggestion.
        #expect(
            !controls.unknownControlReason(for: "auto_exposure" + String(repeating: "e", count: 60_000)).contains(
                "mean"))
        #expect(
            ![Control.sample(0, String(repeating: "a", count: 70))].unknownControlReason(
                for: String(repeating: "a", count: 71)
            ).contains(
                "mean"))
    }

    @Test("a control that an automatic control has taken over names the automatic control")
    func controlledBy() throws {
        let controls = Control.webcam(automatic: true)
        let documents = controls.map { ControlDocument($0, among: controls) }
        #expect(documents.first { $0.name == "exposure_time_absolute" }?.controlledBy == "auto_exposure")
        #expect(documents.first { $0.name == "brightness" }?.controlledBy == nil)
        #expect(Control.webcam(automatic: false).automaticWarning == nil)
        #expect(controls.automaticWarning?.hasPrefix("auto_exposure and white_balance_automatic are on") == true)
    }

    @Test("a control's JSON document has its description, limits, default and value")
    func json() {
        let control = Control.sample(
            V4L2_CID_EXPOSURE_AUTO, "auto_exposure", .menu, 0...3, value: .number(3), choices: Control.exposures)
        let expected =
            #"{"choices":{"1":"Manual Mode","3":"Aperture Priority Mode"},"controlledBy":null,"default":128,"#
            + #""inactive":false,"#
            + #""label":"auto_exposure","maximum":3,"minimum":0,"name":"auto_exposure","readOnly":false,"#
            + #""step":1,"type":"menu","value":3}"#
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try? encoder.encode(ControlDocument(control, among: [control]))
        #expect(data.map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test("a control's line has its limits, its default, its value and its choices in order")
    func text() {
        let menu = Control.sample(
            V4L2_CID_EXPOSURE_AUTO, "auto_exposure", .menu, 0...3, value: .number(3), choices: Control.exposures)
        #expect(
            ControlDocument(menu, among: []).text
                == "auto_exposure (menu) 0...3, default 128, now 3: 1 Manual Mode, 3 Aperture Priority Mode")
        let text = Control.sample(0, "owner", .string, 2...8, value: nil, isReadOnly: true)
        #expect(ControlDocument(text, among: []).text == "owner (string) 2...8 bytes [read-only]")
        let stepped = Control.sample(0, "zoom", .integer, 0...90, step: 10, value: .number(20), isInactive: true)
        #expect(
            ControlDocument(stepped, among: []).text
                == "zoom (integer) 0...90 step 10, default 128, now 20 [inactive]")
    }
}
