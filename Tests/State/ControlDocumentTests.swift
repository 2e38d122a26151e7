import CV4L2
import TestSupport
import Testing
import V4L2

@testable import Configuration
@testable import Documents
@testable import State

@Suite("A control and its document")
struct ControlDocumentTests {
    @Test(
        "a written value is converted to the value of the control",
        arguments: [
            (ConfigValue.integer(3), Control.Value?.some(.number(3))), (.boolean(true), .number(1)),
            (.float(3), .number(3)), (.float(3.5), nil), (.float(1e300), nil), (.string("manual MODE"), .number(1)),
            (.string("no such"), .text("no such")), (.list([]), nil),
        ])
    func written(value: ConfigValue, read: Control.Value?) {
        #expect(menu.value(from: value) == read)
    }

    @Test("the message about an unknown control suggests the control that was probably meant")
    func unknown() {
        let controls = Control.webcam(automatic: true)
        #expect(controls.unknownControlReason(for: "auto_exposre").contains("did you mean auto_exposure?"))
        #expect(!controls.unknownControlReason(for: "zoom").contains("mean"))
        // A quarter of the letters may be wrong, but an overlong name gets no suggestion.
        let (long, longer) = (String(repeating: "a", count: 70), String(repeating: "a", count: 71))
        #expect(![Control.sample(0, long)].unknownControlReason(for: longer).contains("mean"))
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

    private let menu = Control.sample(
        V4L2_CID_EXPOSURE_AUTO, "auto_exposure", .menu, 0...3, value: .number(3), choices: Control.exposures)

    @Test("a control's JSON document has its description, limits, default and value")
    func json() {
        #expect(
            String(decoding: JSONText.data(of: ControlDocument(menu, among: [menu])), as: UTF8.self)
                == #"{"choices":{"1":"Manual Mode","3":"Aperture Priority Mode"},"controlledBy":null,"default":128,"#
                + #""inactive":false,"label":"auto_exposure","maximum":3,"minimum":0,"name":"auto_exposure","#
                + #""readOnly":false,"step":1,"type":"menu","value":3}"#)
    }

    @Test("a control's line has its limits, its default, its value and its choices in order")
    func text() {
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
