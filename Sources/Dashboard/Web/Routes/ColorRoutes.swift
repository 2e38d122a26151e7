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
        let difference = CIEDE2000(from, to)
        let words = DifferenceWords(of: to, from: from)
        let parts = DifferenceDocument.Parts(
            lightness: difference.lightness.rounded(decimals: 4), chroma: difference.chroma.rounded(decimals: 4),
            hue: difference.hue.rounded(decimals: 4))
        return .json(
            DifferenceDocument(
                deltaE00: difference.total.rounded(decimals: 4),
                deltaE76: from.deltaE76(to: to).rounded(decimals: 4), parts: parts,
                words: .init(
                    lightness: words.lightness(parts.lightness), chroma: words.chroma(parts.chroma),
                    hue: words.hue(parts.hue))))
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

private struct DifferenceDocument: Encodable {
    struct Parts: Encodable {
        var lightness: Double
        var chroma: Double
        var hue: Double
    }

    struct Words: Encodable {
        @Nullable var lightness: String?
        @Nullable var chroma: String?
        @Nullable var hue: String?
    }

    var deltaE00: Double
    var deltaE76: Double
    var parts: Parts
    var words: Words
}

extension HTTPError {
    fileprivate static func badColor(_ message: String) -> HTTPError { badRequest(code: "bad-color", message) }

    fileprivate static let missingColor = badColor(
        "Name two colours, such as /api/difference?from=%233fa7d6&to=oklch(0.7%200.1%20230). In an address, # is "
            + "written %23, % is %25, and a space is %20.")
}
