import Color
import Untrusted

/// A palette of GIMP, Inkscape and Krita (developer.gimp.org, "GIMP Palette Format Version 2").
///
/// Below a header, each line has R, G and B as whole numbers and a name. Lines that begin with `#` are comments. If the
/// header has `Channels: RGBA`, as Aseprite writes it, the alpha comes after B.
enum GIMPPalette {
    static let signature = "GIMP Palette"

    /// - Parameter lines: The lines of the file, of which the first is the signature.
    static func entries(_ lines: [Substring]) throws(PaletteFile.Problem) -> [Palette.Entry] {
        var entries: [Palette.Entry] = []
        var hasAlpha = false
        for (index, line) in lines.enumerated().dropFirst() {
            guard !line.trimmed.isEmpty, !line.hasPrefix("#") else { continue }
            // Only the lines right below the signature are a header, but other programs are not so strict.
            if entries.isEmpty, line.hasPrefix("Name:") || line.hasPrefix("Columns:") { continue }
            if entries.isEmpty, line.hasPrefix("Channels:") {
                let channels = line.dropFirst("Channels:".count).trimmed
                guard ["RGB", "RGBA"].contains(channels) else {
                    throw .init(
                        line: index + 1,
                        "the channels \(channels.sanitized(limit: 20)) are not supported; export the colours as RGB")
                }
                hasAlpha = channels == "RGBA"
                continue
            }
            let count = hasAlpha ? 4 : 3
            let words = line.split(maxSplits: count) { $0 == " " || $0 == "\t" }
            let channels = words.prefix(count).compactMap { UInt8($0) }
            guard channels.count == count else {
                throw .init(
                    line: index + 1, "expected \(hasAlpha ? "four" : "three") whole numbers of 0...255 and a name")
            }
            // The index 0 of a palette of sprites stands for "nothing here", which is no colour.
            if hasAlpha, channels[3] == 0 { continue }
            guard !hasAlpha || channels[3] == 255 else {
                throw .init(
                    line: index + 1, "the colour is not opaque: its alpha is \(channels[3]), and 255 is expected")
            }
            guard entries.count < Palette.maxCount else { throw .tooMany }
            let color = RGB8(r: channels[0], g: channels[1], b: channels[2])
            entries.append(.init(name: words.count > count ? String(words[count]) : "", rgb: RGB(color)))
        }
        return entries
    }
}
