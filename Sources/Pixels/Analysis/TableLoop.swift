/// Adds up the pixels of any format, by table.
struct TableLoop: Sendable {
    private let conversion: Conversion

    init(_ layout: PictureLayout) {
        conversion = Conversion(layout.format, encoding: layout.encoding)
    }

    /// Adds the pixels of the picture's rectangle.
    func add(_ picture: PictureBytes, to sums: inout some PixelSums) {
        let format = unsafe picture.layout.format
        let isWholeByte = format.components.allSatisfy { $0.bits == 8 }
        unsafe conversion.entries.withUnsafeBufferPointer { entries in
            guard let entries = entries.baseAddress else { return }
            switch format.word {
            case _ where format.model == .hsv: unsafe addHues(picture, entries, to: &sums)
            case .byte where isWholeByte: unsafe add(picture, entries, as: WholeByte.self, to: &sums)
            case .byte: unsafe add(picture, entries, as: PartOfByte.self, to: &sums)
            case .littleEndian16: unsafe add(picture, entries, as: LittleEndian16.self, to: &sums)
            case .bigEndian16: unsafe add(picture, entries, as: BigEndian16.self, to: &sums)
            case .packed10: unsafe add(picture, entries, as: Packed10.self, to: &sums)
            case .packed12: unsafe add(picture, entries, as: Packed12.self, to: &sums)
            case .packed14: unsafe add(picture, entries, as: Packed14.self, to: &sums)
            }
        }
    }

    /// For all models whose channels are sums over components.
    private func add<Sample: SampleWord>(
        _ picture: PictureBytes, _ entries: UnsafePointer<UInt64>, as type: Sample.Type, to sums: inout some PixelSums
    ) {
        let rect = unsafe picture.rect
        let columns = rect.x..<rect.x + rect.width
        for y in rect.y..<rect.y + rect.height {
            let rows = unsafe sampleRows(picture, row: y, entries, as: type)
            switch unsafe rows.count {
            case 1: unsafe sums.add(rows[0], columns)
            case 3: unsafe sums.add(rows[0], rows[1], rows[2], columns)
            default: unsafe sums.add(rows, columns)
            }
        }
    }

    private func addHues(
        _ picture: PictureBytes, _ entries: UnsafePointer<UInt64>, to sums: inout some PixelSums
    ) {
        let hue = unsafe HueConversion(picture.layout.encoding.hue)
        let rect = unsafe picture.rect
        for y in rect.y..<rect.y + rect.height {
            let rows = unsafe sampleRows(picture, row: y, entries, as: WholeByte.self)
            for x in rect.x..<rect.x + rect.width {
                sums.add(unsafe hue.pixel(h: rows[0].code(x), s: rows[1].code(x), v: rows[2].code(x)))
            }
        }
    }

    private func sampleRows<Sample: SampleWord>(
        _ picture: PictureBytes, row: Int, _ entries: UnsafePointer<UInt64>, as type: Sample.Type
    ) -> [SampleRow<Sample>] {
        let components = unsafe picture.layout.format.components
        return unsafe components.indices.map { index in
            unsafe SampleRow(
                row: picture.row(row, ofComponent: index), component: components[index],
                lastSample: picture.extents[index].lastSample, entries: entries + conversion.starts[index])
        }
    }
}
