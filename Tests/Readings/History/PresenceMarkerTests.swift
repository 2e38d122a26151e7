import Foundation
import TestSupport
import Testing

@testable import Readings

@Suite("Marks for cameras that come and go")
struct PresenceMarkerTests {
    private var marker = PresenceMarker()

    private mutating func mark(_ state: Reading.State, camera: String = "a", message: String? = nil) -> String? {
        marker.mark(
            for: .sample.with {
                $0.state = state
                $0.camera = .init(id: camera, name: "Camera \(camera)")
                $0.message = message
            }
        ).map { "\($0.kind): \($0.text)" }
    }

    @Test("another camera has a mark when it delivers, and only then")
    mutating func cameras() {
        #expect(mark(.starting) == nil)
        #expect(mark(.live) == "camera: Camera: Camera a")
        #expect(mark(.live) == nil)
        #expect(mark(.starting, camera: "b") == nil)
        #expect(mark(.live, camera: "b") == "camera: Camera: Camera b")
        #expect(mark(.testPattern, camera: "t") == "camera: Camera: Camera t")
    }

    @Test("a lost colour has one mark, and its return another")
    mutating func lost() {
        #expect(mark(.live) != nil)
        #expect(mark(.lost, message: "It is gone.") == "lost: It is gone.")
        #expect(mark(.busy, message: "Another reason.") == nil)
        #expect(mark(.starting) == nil)
        #expect(mark(.live) == "back: Camera a is back.")
        #expect(mark(.noSignal) == "lost: There is no colour: no-signal.")
        #expect(mark(.live, camera: "b") == "camera: Camera: Camera b")
        #expect(mark(.live, camera: "b") == nil)
    }

    @Test("before the first colour, there is no mark for a lost one")
    mutating func never() {
        #expect(mark(.noCamera) == nil)
        #expect(mark(.denied) == nil)
        #expect(mark(.live) == "camera: Camera: Camera a")
    }

    @Test("the name of a camera and a message are bounded and printable")
    mutating func hostile() {
        let name = String(repeating: "\u{202E}x", count: 300)
        let text = mark(.live, camera: name)
        #expect(text?.unicodeScalars.count == 200 + "camera: ".count && text?.contains("\u{202E}") == false)
    }
}
