import Foundation
import Testing

@testable import Color
@testable import Palettes
@testable import Readings

/// A small file in the shape that a program writes, made for the tests, and what is read from it.
struct FileShape: CustomTestStringConvertible {
    enum Expectation {
        /// Names with colours in hexadecimal.
        case rgb([String])
        /// Names with L*, a* and b* to two decimals.
        case lab([String])
        /// The end of a sentence about the file.
        case refused(String)
    }

    var testDescription: String
    var bytes: [UInt8]
    var expectation: Expectation
    /// The line of which the encoding was not recognised, so that a note says so.
    var guessedLine: Int?

    init(_ description: String, _ bytes: [UInt8], _ expectation: Expectation, guessedLine: Int? = nil) {
        testDescription = description
        self.bytes = bytes
        self.expectation = expectation
        self.guessedLine = guessedLine
    }

    init(_ description: String, _ text: String, _ expectation: Expectation) {
        self.init(description, Array(text.utf8), expectation)
    }
}

/// Encodings of texts and numbers.
extension [UInt8] {
    static func utf8Mark(_ text: String) -> Self { [0xEF, 0xBB, 0xBF] + Array(text.utf8) }

    static func utf16LittleEndian(_ text: String) -> Self {
        [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    }

    static func utf16BigEndian(_ text: String) -> Self {
        [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }

    static func latin1(_ text: String) -> Self { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

    static func big16(_ number: Int) -> Self { [UInt8(number >> 8 & 255), UInt8(number & 255)] }

    static func big32(_ number: Int) -> Self { big16(number >> 16) + big16(number & 0xFFFF) }

    /// A text in UTF-16 with the 0 that ends it.
    static func units(_ text: String) -> Self { (Array<UInt16>(text.utf16) + [0]).flatMap { big16(Int($0)) } }
}

@Suite("Shapes of files with colours")
struct FileShapeTests {
    @Test(
        "a file is read, or refused with a sentence, in each shape that programs write",
        arguments: FileShape.tables + FileShape.badTables + FileShape.measurements + FileShape.badMeasurements
            + FileShape.gimp + FileShape.swatchExchange + FileShape.adobeColor)
    func shape(_ shape: FileShape) {
        do throws(PaletteFile.Problem) {
            let palette = try PaletteFile.palette(Data(shape.bytes))
            switch shape.expectation {
            case .rgb(let colors): #expect(palette.entries.map { "\($0.name) \($0.hex)" } == colors)
            case .lab(let colors): #expect(palette.entries.map(text) == colors)
            case .refused(let sentence): Issue.record("read as \(palette.entries), not refused with: \(sentence)")
            }
            let note = shape.guessedLine.map {
                "Line \($0) is not UTF-8, so the file is read as Windows-1252. If names look wrong, save it as UTF-8."
            }
            #expect(palette.note == note)
        } catch {
            guard case .refused(let sentence) = shape.expectation else {
                Issue.record("refused: \(error)")
                return
            }
            #expect(error.description == sentence)
        }
    }

    private func text(_ entry: Palette.Entry) -> String {
        // 0 is added because -0 would have a sign.
        let numbers = [entry.lab.lightness, entry.lab.a, entry.lab.b].map { ($0 * 100).rounded() / 100 + 0 }
        return ([entry.name] + numbers.map { "\($0)" }).joined(separator: " ")
    }
}
