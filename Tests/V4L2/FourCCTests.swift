import Testing

@testable import V4L2

@Suite("FourCC")
struct FourCCTests {
    @Test(
        "a fourcc is parsed to the kernel's code and written back as the same text",
        arguments: [
            ("YUYV", 0x5659_5559), ("Y10", 0x2030_3159), ("Y16-BE", 0xA036_3159), ("RGB3", 0x3342_4752),
        ] as [(String, UInt32)])
    func roundTrip(text: String, code: UInt32) throws {
        let fourCC = try #require(FourCC(text))
        #expect(fourCC.rawValue == code)
        #expect(fourCC.description == text)
    }

    @Test(
        "a fourcc of any bits can be written",
        arguments: [(0x0102_4241, "AB??"), (0x2020_2041, "A"), (0xFFFF_FFFF, "????-BE"), (0x7E41_2041, "A A~")]
            as [(UInt32, String)])
    func anyBits(code: UInt32, text: String) {
        #expect(FourCC(rawValue: code).description == text)
    }

    @Test("a literal that is not a fourcc becomes the code that no driver uses")
    func wrongLiteral() {
        #expect(("YUYV2" as FourCC).rawValue == 0)
    }

    @Test(
        "text other than one to four printable ASCII characters is not a fourcc",
        arguments: ["", "YUYV2", "YÜV", "A\u{7}", "-BE"])
    func refused(text: String) {
        #expect(FourCC(text) == nil)
    }
}
