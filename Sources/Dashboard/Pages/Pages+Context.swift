import Color
import Documents
import FoundationEssentials
import Handoff
import Pixels
import Readings

extension Pages {
    /// The text in place of a missing value.
    private static let none = "–"

    /// Returns the variables of the templates. All text is in its final form, so that templates need no logic.
    static func context(for reading: Reading, version: String) -> [String: Any] {
        let (color, name) = (reading.color, reading.color?.name)
        var context: [String: Any] = [
            "state": reading.state.rawValue,
            "stateLabel": reading.state.label,
            "isTestPattern": reading.state == .testPattern,
            "hasColor": reading.hex != nil,
            "hex": reading.hex ?? none,
            "r": reading.rgb.map { String($0.r) } ?? none,
            "g": reading.rgb.map { String($0.g) } ?? none,
            "b": reading.rgb.map { String($0.b) } ?? none,
            "textColor": reading.textColor ?? "",
            "oklch": color?.css.oklch ?? none,
            "colorName": name?.plain ?? "",
            "nearestColor": name.map { "nearest in CSS: \($0.css) ΔE \(fixed($0.deltaE, decimals: 1))" } ?? "",
            "brightnessPercent": reading.brightness.map { fixed($0 * 100, decimals: 0) } ?? "0",
            "cameraName": reading.camera?.name ?? none,
            "cameraDevice": reading.camera?.device ?? none,
            "frameFormat": reading.frame?.format ?? none,
            "colorimetry": reading.frame?.colorimetry ?? none,
            "frameSize": reading.frame.map { "\($0.picture.width) × \($0.picture.height)" } ?? none,
            "captureRate": reading.rate.capture > 0 ? fixed(reading.rate.capture, decimals: 1) : none,
            "readingRate": measuredRate(of: reading).map { fixed($0, decimals: 1) } ?? none,
            "time": reading.time.timestamp,
            "clockTime": clockTime(of: reading.time),
            "sequence": String(reading.sequence),
            "readingJSON": String(scriptJSON: reading.json()),
            "effect": reading.effect,
            "effects": effects,
            "colorFigures": colorFigures,
            "notices": reading.notices.map { ["topic": $0.topic.rawValue, "message": $0.message] },
            "version": version,
        ]
        context["message"] = reading.message
        return context
    }

    /// Returns the measured rate of readings; nil if it is not known. A page is often requested when nobody has watched
    /// for a while, and then only a few readings were made.
    private static func measuredRate(of reading: Reading) -> Double? {
        let rate = reading.rate
        return reading.state.hasColor && rate.reading > 0 && rate.reading >= rate.wanted / 2 ? rate.reading : nil
    }

    /// Returns the local time of day, `12:34:56`, after the date if that is not today: `2026-11-20 12:34:56`.
    static func clockTime(of date: Date, now: Date = Date(), in timeZone: TimeZone = .current) -> String {
        let day = Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day()
        let time = date.formatted(
            Date.ISO8601FormatStyle(timeZone: timeZone).time(includingFractionalSeconds: false))
        let dayOfDate = date.formatted(day)
        return dayOfDate == now.formatted(day) ? time : "\(dayOfDate) \(time)"
    }

    /// The figures whose rows and definitions follow from their declaration.
    static let colorFigures = ColorFigure.all.map { figure in
        var context = ["key": figure.key, "label": figure.label, "definition": figure.definition]
        if case .number(let decimals, let unit, _) = figure.value {
            context["decimals"] = "\(decimals)"
            context["unit"] = unit
        }
        return context
    }

    private static let effects = Effects.all.map { ["name": $0.name, "title": $0.title, "summary": $0.summary] }

    private static func fixed(_ value: Double, decimals: Int) -> String {
        value.isFinite ? value.formatted(decimals: decimals) : none
    }
}

extension Reading.State {
    /// The label of the state, for people. `lib/formatting.js` has the same ones, which a unit test compares.
    package var label: String {
        switch self {
        case .live: "Live"
        case .testPattern: "Test pattern"
        case .starting: "Starting"
        case .noCamera: "No camera"
        case .denied: "No permission"
        case .busy: "Camera in use"
        case .noSignal: "No signal"
        case .lost: "Camera lost"
        case .unsupported: "Format not supported"
        case .failed: "Camera failed"
        }
    }
}

extension String {
    /// Creates JSON for a `<script>` element, which a template inserts unescaped.
    ///
    /// The element ends at `</script`, and `<!--` changes where it ends (HTML, 4.12.1.3), even inside JSON. U+2028 and
    /// U+2029 end a line in older JavaScript. All of these occur only in JSON strings, where `\uXXXX` means the same
    /// (RFC 8259, 7).
    /// - Parameter json: A JSON text in UTF-8.
    init(scriptJSON json: Data) {
        // Each separator is E2 80 followed by A8 or A9. When the last byte completes one, an escape replaces all three.
        var escaped: [UInt8] = []
        escaped.reserveCapacity(json.count)
        for byte in json {
            switch byte {
            case UInt8(ascii: "<"): escaped += "\\u003c".utf8
            case UInt8(ascii: ">"): escaped += "\\u003e".utf8
            case UInt8(ascii: "&"): escaped += "\\u0026".utf8
            case 0xA8 where escaped.suffix(2) == [0xE2, 0x80]:
                escaped.replaceSubrange((escaped.count - 2)..., with: "\\u2028".utf8)
            case 0xA9 where escaped.suffix(2) == [0xE2, 0x80]:
                escaped.replaceSubrange((escaped.count - 2)..., with: "\\u2029".utf8)
            default: escaped.append(byte)
            }
        }
        self.init(decoding: escaped, as: UTF8.self)
    }
}
