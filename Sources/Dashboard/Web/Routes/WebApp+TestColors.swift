import Color
import FlyingFox
import FoundationEssentials

/// Pages with test colours.
extension WebApp {
    private static let names: [Substring: RGB8] = [
        "red": RGB8(r: 255, g: 0, b: 0), "green": RGB8(r: 0, g: 255, b: 0), "blue": RGB8(r: 0, g: 0, b: 255),
        "white": .white, "black": .black,
    ]

    /// Handles `GET /test/{color}`: `red`, `green`, `blue`, `white`, `black`, or six hexadecimal digits.
    func showColor(_ name: Substring) async throws -> HTTPResponse {
        guard let color = Self.names[name] ?? RGB8(hex: name) else {
            throw HTTPError(
                status: .notFound, code: "no-such-color",
                message:
                    "The colours are red, green, blue, white, black and six hexadecimal digits, such as /test/3fa7d6.")
        }
        await pages.refresh()
        return page(try pages.solid(color))
    }

    /// Handles `GET /test`.
    func compareColors(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        try await page("/test", "", request, principal) { try pages.comparison() }
    }
}
