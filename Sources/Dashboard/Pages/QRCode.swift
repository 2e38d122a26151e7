import CQREncode

/// A QR code (ISO/IEC 18004), which libqrencode computes if it is installed.
struct QRCode: Equatable {
    /// Why there is no code.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// The light modules that have to surround a code.
    private static let margin = 4
    /// The width of the largest code (version 40).
    private static let maxWidth = 177

    /// The number of modules of each row and column.
    let width: Int
    /// Whether each module is dark, row by row.
    private let isDark: [Bool]

    /// - Throws: A `Problem` if the library is not installed, or the text is too long for a code.
    init(_ text: String) throws(Problem) {
        var modules = [UInt8](repeating: 0, count: Self.maxWidth * Self.maxWidth)
        var reason: UnsafePointer<CChar>?
        let width = Int(unsafe swatchcam_qr_encode(text, &modules, modules.count, &reason))
        guard width > 0 else { throw Problem(description: unsafe reason.map { unsafe String(cString: $0) } ?? "") }
        self.width = width
        isDark = modules.prefix(width * width).map { $0 != 0 }
    }

    /// The width of a drawing with its margin, in modules.
    var side: Int { width + 2 * Self.margin }

    /// The dark modules as a path of SVG.
    var path: String {
        (0..<width).map { row in
            runs(of: row).map { "M\($0.lowerBound + Self.margin) \(row + Self.margin)h\($0.count)v1h-\($0.count)z" }
                .joined()
        }.joined()
    }

    /// Returns the runs of dark modules of a row.
    private func runs(of row: Int) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for column in 0..<width where isDark[row * width + column] {
            if let last = runs.last, last.upperBound == column {
                runs[runs.count - 1] = last.lowerBound..<column + 1
            } else {
                runs.append(column..<column + 1)
            }
        }
        return runs
    }
}
