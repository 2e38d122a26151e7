/// Factories for the common memory layouts.
extension PixelFormat {
    /// Creates a format of three one-byte components in a pixel of some bytes. Offsets are in the order of the model's
    /// channels.
    static func packed(
        _ fourCC: String, _ name: String, _ model: Model, bytes: Int, _ offsets: [Int]
    ) -> PixelFormat {
        PixelFormat(
            fourCC, name, model,
            offsets.enumerated().map { Component(channel: $0.offset, offset: $0.element, step: bytes) })
    }

    /// Creates a format with two pixels in four bytes, which share chroma.
    static func packed422(_ fourCC: String, _ name: String, y: Int, cb: Int, cr: Int) -> PixelFormat {
        PixelFormat(
            fourCC, name, .yCbCr,
            [
                Component(channel: 0, offset: y, step: 2),
                Component(channel: 1, offset: cb, step: 4, xShift: 1),
                Component(channel: 2, offset: cr, step: 4, xShift: 1),
            ])
    }

    /// Creates a format with luma in one plane and both chroma samples side by side in another. Samples of more than 8
    /// bits are in the upper bits of 16.
    static func semiPlanar(
        _ fourCC: String, _ name: String, xShift: Int, yShift: Int, bits: Int = 8, crFirst: Bool = false,
        separate: Bool = false
    ) -> PixelFormat {
        let size = bits > 8 ? 2 : 1
        func component(_ channel: Int, plane: Int, offset: Int) -> Component {
            let isChroma = plane == 1
            return Component(
                channel: channel, plane: plane, offset: offset * size, step: (isChroma ? 2 : 1) * size,
                xShift: isChroma ? xShift : 0, yShift: isChroma ? yShift : 0, bits: bits, shift: size * 8 - bits)
        }
        return PixelFormat(
            fourCC, name, .yCbCr, word: bits > 8 ? .littleEndian16 : .byte,
            [
                component(0, plane: 0, offset: 0), component(1, plane: 1, offset: crFirst ? 1 : 0),
                component(2, plane: 1, offset: crFirst ? 0 : 1),
            ],
            planes: [
                Plane(),
                Plane(buffer: separate ? 1 : 0, yShift: yShift, strideMultiple: xShift == 0 && !separate ? 2 : 1),
            ])
    }

    /// Creates a format with luma and chroma in three buffers, as a decoder returns them.
    /// - Parameters:
    ///   - xShift: log2 of the number of pixels in a row that share chroma.
    ///   - yShift: log2 of the number of rows that share chroma.
    public static func decoded(xShift: Int, yShift: Int) -> PixelFormat {
        planar("", "decoded Y/Cb/Cr", xShift: xShift, yShift: yShift, separate: true)
    }

    /// The format of luma alone, as a decoder returns it.
    public static let decodedGrey = grey("", "decoded luma", bits: 8)

    /// Creates a format of three planes.
    static func planar(
        _ fourCC: String, _ name: String, xShift: Int, yShift: Int, crFirst: Bool = false, separate: Bool = false
    ) -> PixelFormat {
        let chroma = { Plane(buffer: separate ? $0 : 0, yShift: yShift, strideShift: separate ? 0 : xShift) }
        return PixelFormat(
            fourCC, name, .yCbCr,
            [
                Component(channel: 0, offset: 0, step: 1),
                Component(channel: 1, plane: crFirst ? 2 : 1, offset: 0, step: 1, xShift: xShift, yShift: yShift),
                Component(channel: 2, plane: crFirst ? 1 : 2, offset: 0, step: 1, xShift: xShift, yShift: yShift),
            ],
            planes: [Plane(), chroma(1), chroma(2)])
    }

    /// Creates formats of three components in 16 bits, each given as (bits, shift) in the order of the model.
    static func word16(
        _ fourCCs: [String], _ name: String, _ model: Model, _ fields: [(bits: Int, shift: Int)],
        bigEndian: Bool = false
    ) -> [PixelFormat] {
        fourCCs.map { fourCC in
            PixelFormat(
                fourCC, name, model, word: bigEndian ? .bigEndian16 : .littleEndian16,
                fields.enumerated().map { channel, field in
                    Component(channel: channel, offset: 0, step: 2, bits: field.bits, shift: field.shift)
                })
        }
    }

    /// Creates a format of one plane in which two rows of luma alternate with one of chroma.
    static func interleavedRows(_ fourCC: String, _ name: String) -> PixelFormat {
        let chroma = { channel, offset in
            Component(channel: channel, offset: offset, step: 2, xShift: 1, yShift: 1, rowStep: 3, rowOffset: 2)
        }
        return PixelFormat(
            fourCC, name, .yCbCr,
            [Component(channel: 0, offset: 0, step: 1, rowStep: 3, rowGroup: 2), chroma(1, 0), chroma(2, 1)])
    }

    /// Creates a format with one sample a pixel. Samples of more than 8 bits are in the lower bits of 16, or packed
    /// across bytes.
    static func grey(_ fourCC: String, _ name: String, bits: Int, isPacked: Bool = false) -> PixelFormat {
        let word = fourCC.hasSuffix("-BE") ? .bigEndian16 : Word.ofRawSamples(bits: bits, isPacked: isPacked)
        return PixelFormat(
            fourCC, name, .grey, word: word,
            [Component(channel: 0, offset: 0, step: word.rawStep, bits: bits)])
    }

    /// Creates a format with one sample a pixel, of the colour of its filter. Filters form cells of two by two, given
    /// row by row.
    ///
    /// A pixel gets the colour of its whole cell, with both greens averaged. A mean needs no better interpolation.
    static func mosaic(_ fourCC: String, bits: Int, _ channels: [Int], isPacked: Bool = false) -> PixelFormat {
        let word = Word.ofRawSamples(bits: bits, isPacked: isPacked)
        let letters = channels.map { ["R", "G", "B"][$0] }.joined()
        return PixelFormat(
            fourCC, "\(bits)-bit Bayer \(letters)" + (isPacked ? ", packed" : ""), .rgb, word: word,
            channels.enumerated().map { position, channel in
                Component(
                    channel: channel, offset: position % 2 * word.rawStep, step: 2 * word.rawStep, xShift: 1, yShift: 1,
                    rowStep: 2, rowOffset: position / 2, bits: bits, weight: channel == 1 ? 0.5 : 1)
            })
    }
}

extension PixelFormat.Word {
    /// Returns the word that holds a sensor's samples.
    fileprivate static func ofRawSamples(bits: Int, isPacked: Bool) -> Self {
        switch bits {
        case 8: .byte
        case 10 where isPacked: .packed10
        case 12 where isPacked: .packed12
        case 14 where isPacked: .packed14
        default: .littleEndian16
        }
    }

    /// The distance between two samples of a sensor, in places.
    fileprivate var rawStep: Int { self == .littleEndian16 || self == .bigEndian16 ? 2 : 1 }
}
