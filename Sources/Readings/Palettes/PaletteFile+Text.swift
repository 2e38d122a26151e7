import Color
import Untrusted

/// A palette of GIMP, Inkscape and Krita (developer.gimp.org, "GIMP Palette Format Version 2").
///
/// Below a header, each line has R, G and B as whole numbers and a name. Lines that begin with `#` are comments.
enum GIMPPalette {
    static let signature = "GIMP Palette"

    /// - Parameter lines: The lines of the file, of which the first is the signature.
    static func entries(_ lines: [Substring]) throws(PaletteFile.Problem) -> [Palette.Entry] {
        var entries: [Palette.Entry] = []
        for (index, line) in lines.enumerated().dropFirst() {
            // Only the lines right below the signature are a header, but other programs are not so strict.
            let isHeader = entries.isEmpty && (line.hasPrefix("Name:") || line.hasPrefix("Columns:"))
            guard !isHeader, !line.trimmed.isEmpty, !line.hasPrefix("#") else { continue }
            let words = line.split(maxSplits: 3) { $0 == " " || $0 == "\t" }
            let channels = words.prefix(3).compactMap { UInt8($0) }
            guard channels.count == 3 else {
                throw .init(line: index + 1, "expected three whole numbers of 0...255 and a name")
            }
            guard entries.count < Palette.maxCount else { throw .tooMany }
            let color = RGB8(r: channels[0], g: channels[1], b: channels[2])
            entries.append(.init(name: words.count > 3 ? String(words[3]) : "", rgb: RGB(color)))
        }
        return entries
    }
}
