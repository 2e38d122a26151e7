import Pixels
import TestSupport
import Testing

@testable import Configuration

/// The limits of the values that keys accept.
@Suite("Types of values")
struct ConfigCodecTests {
    /// Returns the reason why a value is refused; nil if it is accepted.
    private func problem<Value>(_ codec: ConfigCodec<Value>, _ value: ConfigValue) -> String? {
        do throws(ConfigRejection) {
            _ = try codec.decode(value, "/nowhere")
            return nil
        } catch {
            return error == .wrongType ? "wrong type" : error.message
        }
    }

    @Test(
        "a list has at most 32 elements",
        arguments: [(32, nil), (33, "this list has 33 elements; expected at most 32")])
    func listLength(count: Int, reason: String?) {
        #expect(problem(.hostNames, .list(Array(repeating: .string("a"), count: count))) == reason)
    }

    @Test("an invalid element is reported with its index, from 0")
    func element() {
        #expect(throws: ConfigRejection.element(1, "7 is a whole number; expected a string")) {
            try ConfigCodec<[String]>.networks.decode(.list([.string("::1"), .integer(7)]), "/")
        }
        #expect(
            throws: ConfigRejection.element(
                2,
                "\"x\" is not an address or a network; expected one such as 127.0.0.1 or 192.168.0.0/16")
        ) {
            try ConfigCodec<[String]>.networks.decode(.list([.string("::1"), .string("::/8"), .string("x")]), "/")
        }
    }

    @Test(
        "a host name has 1 to 253 characters, and neither begins with a dot or a hyphen nor has two dots in a row",
        arguments: [
            (".a", false), ("-a", false), ("a..b", false), ("a.", true), ("a-", true), ("_a", true), ("0", true),
            ("", false), (String(repeating: "a", count: 253), true), (String(repeating: "a", count: 254), false),
        ])
    func host(name: String, isAllowed: Bool) {
        #expect((problem(.hostNames, .list([.string(name)])) == nil) == isAllowed)
        #expect((problem(.origins, .list([.string("http://\(name)")])) == nil) == isAllowed)
    }

    @Test("a path has at most 4,095 bytes")
    func longPath() {
        let path = String(repeating: "a", count: 4093) + "é"
        #expect(problem(.folder, .string(path))?.hasPrefix("there is no folder") == true)
        #expect(problem(.folder, .string(path + "a"))?.hasSuffix("is 4096 bytes long; expected at most 4095") == true)
    }

    @Test("a device is named by at most 255 scalars, without blanks at either end")
    func device() {
        #expect(problem(.device, .string(String(repeating: "é", count: 255))) == nil)
        #expect(problem(.device, .string(String(repeating: "é", count: 256))) != nil)
        for text in [" a", "a ", "\u{A0}a"] {
            #expect(problem(.device, .string(text))?.contains("begins or ends with a space") == true)
        }
        #expect(problem(.device, .string("a b")) == nil)
        #expect(problem(.device, .string(""))?.contains("does not name a camera") == true)
        #expect(problem(.device, .string("a\u{7}b"))?.contains("contains a control character") == true)
    }

    @Test(
        "a fourcc has one to four printable ASCII characters, and a mark if it is big-endian",
        arguments: [
            ("A", "A"), ("~ !~", "~ !~"), ("Y16   ", "Y16"), ("Y-BE", "Y-BE"), ("ABCD-BE", "ABCD-BE"),
            ("auto ", "auto"),
            ("", nil), (" ", nil), ("ABCDE", nil), ("-BE", nil), ("ABCDE-BE", nil), ("A\u{7F}", nil), ("A\u{1F}", nil),
            ("é", nil), ("Auto", nil),
        ] as [(String, String?)])
    func format(text: String, code: String?) {
        #expect((try? ConfigCodec<String>.format.decode(.string(text), "/")) == code)
    }

    @Test(
        "the reason why an address is refused says what to do",
        arguments: [
            ("[::1", "expected one such as"), ("::1]", "expected one such as"), ("[pi]", "expected one such as"),
            ("[::1]", "without the brackets"), ("[::1]:80", "web.port"), ("pi:80", "expected one such as"),
            ("127.0.0.1:80", "web.port"),
        ])
    func badAddress(text: String, advice: String) {
        #expect(problem(.address, .string(text))?.contains(advice) == true)
        #expect((try? ConfigCodec<String>.address.decode(.string("LocalHost"), "/")) == "127.0.0.1")
    }

    @Test(
        "a word that is nearly one of the list is recognised: its first three letters, or up to two mistakes",
        arguments: [
            ("cri", "critical"), ("cr", nil), ("ERR", "error"), ("eror", "error"), ("infoxx", "info"), ("infoxxx", nil),
            ("notixxe", "notice"), ("Debug", "debug"), ("criticalllllllll", nil),
        ] as [(String, String?)])
    func word(text: String, meant: String?) {
        let levels = ConfigCodec<String>.word(
            "a log level", among: ["trace", "debug", "info", "notice", "warning", "error", "critical"])
        let expected = "expected \"trace\", \"debug\", \"info\", \"notice\", \"warning\", \"error\" or \"critical\""
        #expect(
            problem(levels, .string(text))
                == "\"\(text)\" is not a log level; " + (meant.map { "did you mean \"\($0)\"?" } ?? expected))
    }

    @Test("a word of 16 letters is compared with those of the list")
    func longWord() {
        let words = ConfigCodec<String>.word("a colorimetry", among: ["auto", "smpte240m-limited"])
        #expect(problem(words, .string("smpte240m-limitd"))?.hasSuffix("mean \"smpte240m-limited\"?") == true)
    }

    @Test("a region ends at the edge of the picture, give or take a billionth")
    func regionEdge() throws {
        func region(_ x: Double, _ width: Double) -> ConfigValue {
            .list([.float(x), .integer(0), .float(width), .integer(1)])
        }
        #expect(problem(.region, region(0.5, 0.5 + 0.8e-9)) == nil)
        #expect(problem(.region, region(0.5, 0.5 + 1.5e-9))?.contains("beyond the picture's right edge") == true)
        #expect(problem(.region, region(1, 1e-10)) != nil)
        let rounded = try ConfigCodec<Region>.region.decode(region(0.5, 0.5 + 0.8e-9), "/")
        #expect(rounded.width == 0.5)
        #expect(try ConfigCodec<Region>.region.decode(region(0, 0.25), "/").width == 0.25)
    }

    @Test(
        "a region has four numbers in 0...1, and its sides are not empty",
        arguments: [
            ([0, 0, 1, 1], nil), ([1], "this list has 1 element; expected four, [x, y, width, height]"),
            ([], "this list has 0 elements; expected four, [x, y, width, height]"),
            ([0, 0, 1, 1, 1], "this list has 5 elements; expected four, [x, y, width, height]"),
            ([0, 0, 1, 0], "height: 0 leaves nothing to read; expected more than 0"),
            ([2, 0, 1, 1], "x: 2 is out of range 0...1"),
            ([0, 1, 1, 1], "y + height is 2, beyond the picture's lower edge; expected at most 1"),
        ] as [([Int], String?)])
    func region(numbers: [Int], reason: String?) {
        #expect(problem(.region, .list(numbers.map(ConfigValue.integer))) == reason)
    }

    @Test("a number may lie at either end of its range, and no further")
    func ranges() {
        let integer = ConfigCodec<Int>.integer(1...60)
        for number in [1, 60] { #expect(problem(integer, .integer(number)) == nil) }
        for number in [0, 61] { #expect(problem(integer, .integer(number)) == "\(number) is out of range 1...60") }
        #expect(problem(ConfigCodec<UInt8>.integer(0...300), .integer(256)) == "256 is out of range 0...300")
        let number = ConfigCodec<Double>.number(0.1...60)
        for value in [0.1, 60] { #expect(problem(number, .float(value)) == nil) }
        for value in [0.09, 60.01] {
            #expect(problem(number, .float(value))?.contains("out of range 0.1...60") == true)
        }
        #expect(problem(ConfigCodec<Int>.oneOf([0, 90]), .integer(45)) == "45 is not allowed; expected 0 or 90")
    }

    @Test("the text of an option is read as a number if its key takes one, and as a string otherwise")
    func options() throws {
        var config = Config()
        try #require(ConfigSchema.key(at: ["camera", "fps"])).apply(option: "12.5", to: &config)
        try #require(ConfigSchema.key(at: ["camera", "width"])).apply(option: "320", to: &config)
        try #require(ConfigSchema.key(at: ["camera", "device"])).apply(option: "7", to: &config)
        #expect((config.camera.fps, config.camera.width, config.camera.device) == (12.5, 320, "7"))
        #expect(throws: ConfigRejection.refused("\"fast\" is not a number in 1...240")) {
            try #require(ConfigSchema.key(at: ["camera", "fps"])).apply(option: "fast", to: &config)
        }
    }

    @Test("a wrong type is refused by every key")
    func wrongTypes() {
        var config = Config()
        for key in ConfigSchema.keys {
            #expect(throws: ConfigRejection.self) { try key.set(.date, "/", &config) }
        }
        #expect(config == Config())
    }
}
