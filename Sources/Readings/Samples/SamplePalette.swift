import Color
package import FoundationEssentials
import Untrusted

/// Samples as a GIMP palette, which Inkscape, Krita and other programs read too.
package enum SamplePalette {
    /// The number of colours that GIMP shows side by side.
    private static let columns = 8

    /// Returns the palette of some samples in UTF-8.
    package static func data(_ samples: [Sample]) -> Data {
        let header = ["GIMP Palette", "Name: Swatchcam samples", "Columns: \(columns)", "#"]
        let lines = samples.map { sample in
            let channels = sample.color.values.map { channel in
                String(repeating: " ", count: 3 - String(channel).count) + String(channel)
            }
            // A name is one line already. It is sanitized once more, because a second line could be another colour.
            return "\(channels.joined(separator: " "))\t\(sample.name.sanitized())"
        }
        return Data((header + lines).map { $0 + "\n" }.joined().utf8)
    }
}
