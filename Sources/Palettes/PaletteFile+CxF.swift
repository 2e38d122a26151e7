import Color
import Untrusted
import XML

/// A file in the Color Exchange Format, CxF3 (ISO 17972-1), in which makers of colours and of instruments publish them.
///
/// Each object has a name and one or more values: CIELAB, CIEXYZ, sRGB, spectra and others. The first of these three
/// for D50 and 2° is read; spectra are not.
enum ColorExchange {
    private static let kinds = ["ColorCIELab", "ColorCIEXYZ", "ColorSRGB"]

    static func entries(_ bytes: [UInt8]) throws(PaletteFile.Problem) -> [Palette.Entry] {
        let root: XMLElement
        do throws(XMLProblem) {
            root = try XMLReader.root(of: bytes)
        } catch {
            throw .init(line: error.line, error.description)
        }
        guard root.isStreamSafe else { throw .tooManyMarks }
        guard root.name == "CxF" else { throw .init("it is XML, but not CxF") }
        let specifications = root["Resources"]?["ColorSpecificationCollection"]?.all("ColorSpecification") ?? []
        let light = Dictionary(
            specifications.compactMap { one in one.attributes["Id"].map { ($0, otherLight(one)) } }
        ) { first, _ in first }
        var entries: [Palette.Entry] = []
        var other: String?
        for object in root["Resources"]?["ObjectCollection"]?.all("Object") ?? [] {
            let values = object["ColorValues"]?.children ?? []
            let known = kinds.flatMap { kind in values.filter { $0.name == kind } }
            func otherLight(of value: XMLElement) -> String? {
                // sRGB has its own white, whatever light was measured.
                value.name == "ColorSRGB" ? nil : value.attributes["ColorSpecification"].flatMap { light[$0] ?? nil }
            }
            let name = object.attributes["Name"] ?? ""
            guard let value = known.first(where: { otherLight(of: $0) == nil }) else {
                other = other ?? known.first.flatMap(otherLight)
                continue
            }
            guard let entry = entry(name, value) else {
                throw .init("the colour \(name.sanitized(limit: 40)) has a number that is missing or out of range")
            }
            guard entries.count < Palette.maxCount else { throw .tooMany }
            entries.append(entry)
        }
        if entries.isEmpty {
            throw .init(
                other.map { "its colours are for \($0.sanitized(limit: 40)), not for D50 and 2°" }
                    ?? "it has no colours in CIELAB, CIEXYZ or sRGB")
        }
        return entries
    }

    /// Returns the light and the observer of a specification; nil if they are D50 and 2°, or not stated.
    private static func otherLight(_ specification: XMLElement) -> String? {
        let tristimulus = specification["TristimulusSpec"]
        let stated = ["Illuminant", "Observer"].compactMap { tristimulus?[$0]?.text.trimmed }
        return stated.allSatisfy { ["D50", "2_Degree"].contains($0) } ? nil : stated.joined(separator: " and ")
    }

    private static func entry(_ name: String, _ value: XMLElement) -> Palette.Entry? {
        func numbers(_ names: [String]) -> [Double] {
            names.compactMap { value[$0].flatMap { Double($0.text.trimmed) } }
        }
        switch value.name {
        case "ColorCIELab": return CIELab(numbers(["L", "A", "B"])).map { .init(name: name, lab: $0) }
        case "ColorCIEXYZ": return CIELab(percentXYZ: numbers(["X", "Y", "Z"])).map { .init(name: name, lab: $0) }
        default:
            let channels = numbers(["R", "G", "B"])
            let white = numbers(["MaxRange"]).first ?? 255
            guard channels.count == 3, white > 0, channels.allSatisfy({ 0...white ~= $0 }) else { return nil }
            return .init(name: name, rgb: RGB(r: channels[0], g: channels[1], b: channels[2]) * (255 / white))
        }
    }
}

extension XMLElement {
    fileprivate var isStreamSafe: Bool {
        text.isStreamSafe && attributes.values.allSatisfy(\.isStreamSafe) && children.allSatisfy(\.isStreamSafe)
    }
}
