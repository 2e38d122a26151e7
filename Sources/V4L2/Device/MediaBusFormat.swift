import CV4L2

/// A format in which a sensor sends pictures (`MEDIA_BUS_FMT_*`), and the pixel formats in which a receiver may store
/// them, best first: packed ones take less memory and time to copy.
///
/// The pairs are those of the kernel's documentation "Media Bus Formats" and "Image Formats".
struct MediaBusFormat: Equatable, Sendable {
    let code: UInt32
    let bits: Int
    let fourCCs: [FourCC]

    /// The formats of sensors that can be read.
    static let all: [MediaBusFormat] =
        mosaics(
            8,
            [MEDIA_BUS_FMT_SBGGR8_1X8, MEDIA_BUS_FMT_SGBRG8_1X8, MEDIA_BUS_FMT_SGRBG8_1X8, MEDIA_BUS_FMT_SRGGB8_1X8],
            [["BA81", "GBRG", "GRBG", "RGGB"]])
        + mosaics(
            10,
            [
                MEDIA_BUS_FMT_SBGGR10_1X10, MEDIA_BUS_FMT_SGBRG10_1X10, MEDIA_BUS_FMT_SGRBG10_1X10,
                MEDIA_BUS_FMT_SRGGB10_1X10,
            ], [["pBAA", "pGAA", "pgAA", "pRAA"], ["BG10", "GB10", "BA10", "RG10"], sixteen])
        + mosaics(
            12,
            [
                MEDIA_BUS_FMT_SBGGR12_1X12, MEDIA_BUS_FMT_SGBRG12_1X12, MEDIA_BUS_FMT_SGRBG12_1X12,
                MEDIA_BUS_FMT_SRGGB12_1X12,
            ], [["pBCC", "pGCC", "pgCC", "pRCC"], ["BG12", "GB12", "BA12", "RG12"], sixteen])
        + mosaics(
            14,
            [
                MEDIA_BUS_FMT_SBGGR14_1X14, MEDIA_BUS_FMT_SGBRG14_1X14, MEDIA_BUS_FMT_SGRBG14_1X14,
                MEDIA_BUS_FMT_SRGGB14_1X14,
            ], [["pBEE", "pGEE", "pgEE", "pREE"], ["BG14", "GB14", "GR14", "RG14"], sixteen])
        + [
            MediaBusFormat(code: UInt32(MEDIA_BUS_FMT_Y8_1X8), bits: 8, fourCCs: ["GREY"]),
            MediaBusFormat(code: UInt32(MEDIA_BUS_FMT_Y10_1X10), bits: 10, fourCCs: ["Y10P", "Y10", "Y16"]),
            MediaBusFormat(code: UInt32(MEDIA_BUS_FMT_Y12_1X12), bits: 12, fourCCs: ["Y12P", "Y12", "Y16"]),
        ]

    /// The receiver of the Raspberry Pi 5 stores samples of any depth in the upper bits of 16.
    private static let sixteen: [FourCC] = ["BYR2", "GB16", "GR16", "RG16"]

    private static func mosaics(_ bits: Int, _ codes: [Int32], _ lists: [[FourCC]]) -> [MediaBusFormat] {
        codes.enumerated().map { index, code in
            MediaBusFormat(code: UInt32(bitPattern: code), bits: bits, fourCCs: lists.map { $0[index] })
        }
    }
}
