import Testing

@testable import Dashboard

@Suite("QR codes")
struct QRCodeTests {
    /// Whether libqrencode is installed.
    private static let isAvailable = (try? QRCode("x")) != nil

    @Test("the smallest code has 21 modules, and with its margin 29", .enabled(if: isAvailable))
    func smallest() throws {
        let code = try QRCode("http://a/")
        #expect(code.width == 21)
        #expect(code.side == 29)
    }

    @Test("a code begins with the upper edges of two of its squares", .enabled(if: isAvailable))
    func squares() throws {
        let row = try QRCode("http://192.168.1.7:8080/").path.split(separator: "M").filter { $0.contains(" 4h") }
        #expect(row.first == "4 4h7v1h-7z")
        #expect(row.last == "22 4h7v1h-7z")
    }

    @Test("a text that is too long has no code", .enabled(if: isAvailable))
    func long() {
        #expect(throws: QRCode.Problem.self) { try QRCode(String(repeating: "a", count: 4000)) }
    }
}
