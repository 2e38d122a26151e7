import Color
import Documents
import FlyingFox
import FoundationEssentials
import Metrology
import Readings
import Untrusted

/// The difference between two colours.
struct ColorRoutes: Sendable {
    var routes: [Route] {
        [
            Route(
                .GET, "/api/difference",
                parameters: [
                    Parameter(
                        "from", "The first colour.", .component("CSSColor"), isRequired: true, example: "#3fa7d6"),
                    Parameter(
                        "to", "The second colour.", .component("CSSColor"), isRequired: true,
                        example: "oklch(0.7 0.1 230)"),
                ], "The difference of two colours", compareTwoColors
            )
            .described("getDifference", isAlwaysReady: true, .ok("The difference, to four decimals.", "Difference"))
        ]
    }

    private func compareTwoColors(_ call: Call) throws(HTTPError) -> HTTPResponse {
        let (from, to) = (try color("from", of: call.request), try color("to", of: call.request))
        return .json(
            DifferenceDocument(
                difference: CIEDE2000(from, to), deltaE76: from.deltaE76(to: to),
                words: DifferenceWords(of: to, from: from)))
    }

    /// Reads the value of a parameter as a colour.
    private func color(_ name: String, of request: HTTPRequest) throws(HTTPError) -> CIELab {
        // Unlike that of other parameters, the value may be long.
        guard let value = request.values(of: name).first else { throw .missingColor }
        // Forms send a space as +. Before a number, it may be the sign of an exponent; as that of the number, it separates
        // like a space.
        let bytes = Array(value.utf8)
        let text = String(
            decoding: bytes.indices.map { index in
                guard bytes[index] == UInt8(ascii: "+") else { return bytes[index] }
                let next = bytes[(index + 1)...].first
                let isNumber = next.map { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") } == true
                return isNumber ? UInt8(ascii: "+") : UInt8(ascii: " ")
            }, as: UTF8.self)
        do {
            return try CSSColor.parse(text)
        } catch {
            throw .badColor("\(name): \(error)")
        }
    }
}

struct DifferenceDocument: JSONFields {
    let difference: CIEDE2000
    let deltaE76: Double
    let words: DifferenceWords

    static let fields: JSONFieldList<Self> = [
        .number("deltaE00", .number(from: 0), decimals: 4, "CIEDE2000. About 1 is just visible side by side.") {
            $0.difference.total
        },
        .number("deltaE76", .number(from: 0), decimals: 4, "The distance in CIELAB (D50).") { $0.deltaE76 },
        .object(
            "parts", "The differences ΔL', ΔC' and ΔH' of CIEDE2000, before they are weighted.",
            [
                .number("chroma", .number, decimals: 4, "Positive if the second colour is more vivid.") {
                    $0.difference.chroma
                },
                .number("hue", .number, decimals: 4, "Positive if the hue angle of the second colour is greater.") {
                    $0.difference.hue
                },
                .number("lightness", .number, decimals: 4, "Positive if the second colour is lighter.") {
                    $0.difference.lightness
                },
            ]),
        .object(
            "words", "The same parts in words, which describe the second colour; null for 0.",
            [
                .value("chroma", .words(["more vivid", "duller"]).orNull) {
                    $0.words.chroma($0.difference.chroma.rounded(decimals: 4))
                },
                .value(
                    "hue", .words(["redder", "yellower", "greener", "bluer"]).orNull,
                    "The unique hue towards which the second colour is shifted."
                ) { $0.words.hue($0.difference.hue.rounded(decimals: 4)) },
                .value("lightness", .words(["lighter", "darker"]).orNull) {
                    $0.words.lightness($0.difference.lightness.rounded(decimals: 4))
                },
            ]),
    ]
}

extension HTTPError {
    fileprivate static func badColor(_ message: String) -> HTTPError { badRequest(code: "bad-color", message) }

    fileprivate static let missingColor = badColor(
        "Name two colours, such as /api/difference?from=%233fa7d6&to=oklch(0.7%200.1%20230). In an address, # is "
            + "written %23, % is %25, and a space is %20.")
}
