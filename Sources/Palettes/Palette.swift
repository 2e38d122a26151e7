package import Color
package import Metrology
import Untrusted

/// A list of colours with names, of which readings name the nearest.
package struct Palette: Equatable, Sendable {
    /// A colour with a name.
    package struct Entry: Equatable, Sendable {
        /// One printable line.
        package var name: String
        /// The colour as it is shown. A colour outside of sRGB is clamped.
        package var hex: String
        package var lab: CIELab

        /// - Parameter name: Any text. An empty one is replaced by the colour in hexadecimal.
        init(name: String, lab: CIELab, rgb: RGB) {
            hex = rgb.rounded.hex
            let trimmed = name.trimmed
            self.name = trimmed.isEmpty ? hex : trimmed.sanitized(limit: Self.maxLength)
            self.lab = lab
        }

        package init(name: String, rgb: RGB) { self.init(name: name, lab: CIELab(rgb), rgb: rgb) }

        init(name: String, lab: CIELab) { self.init(name: name, lab: lab, rgb: RGB(lab)) }

        /// The maximum number of characters in a name, counted as Unicode scalars. A longer one is cut off.
        static let maxLength = 100
    }

    /// The nearest entry.
    package struct Match: Equatable, Sendable {
        package var name: String
        package var hex: String
        /// The difference by CIEDE2000.
        package var deltaE: Double
    }

    /// The maximum number of entries.
    package static let maxCount = 4096

    /// The entries in the order of the file, at least one.
    package let entries: [Entry]
    /// A sentence about a guess on which the names depend; nil if there was none.
    package let note: String?
    /// Their colours alone, through which a search is quicker.
    private let labs: [CIELab]

    init(_ entries: [Entry], note: String? = nil) {
        self.entries = entries
        self.note = note
        labs = entries.map(\.lab)
    }

    /// Returns the palette as the chart of a calibration.
    package func chart(named name: String) throws(PaletteFile.Problem) -> Chart {
        guard entries.count <= Chart.maxPatches else {
            throw PaletteFile.Problem(
                "a chart has at most \(Chart.maxPatches) patches, and this file has \(entries.count)")
        }
        return Chart(name: name, patches: entries.map { .init(name: $0.name, lab: $0.lab) })
    }

    /// Returns the entry with the least difference by CIEDE2000; of several, the first.
    package func nearest(to lab: CIELab) -> Match? {
        lab.nearest(among: labs).map { index, difference in
            Match(name: entries[index].name, hex: entries[index].hex, deltaE: difference)
        }
    }
}
