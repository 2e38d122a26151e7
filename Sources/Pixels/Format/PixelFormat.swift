/// Where the components of each pixel lie in memory.
///
/// A format is a description, not a piece of code: the same loops read them all.
public struct PixelFormat: Equatable, Sendable {
    /// What the components mean.
    public enum Model: Equatable, Sendable {
        /// Red, green, blue.
        case rgb
        /// Luma, blue difference, red difference.
        case yCbCr
        /// Luma only, of full range whatever the driver declares: grey cameras have no footroom.
        case grey
    }

    /// The 8-bit samples of one component.
    struct Component: Equatable, Sendable {
        /// Which of the format's planes.
        var plane = 0
        /// Of the first sample in a row, in bytes.
        var offset: Int
        /// From one sample to the next, in bytes.
        var step: Int
        /// log2 of the number of pixels in a row that share a sample.
        var xShift = 0
        /// log2 of the number of rows that share a sample.
        var yShift = 0
    }

    /// One plane. All planes of a format lie one after another in one buffer.
    struct Plane: Equatable, Sendable {
        /// log2 of the number of picture rows to one row of the plane.
        var yShift = 0
    }

    /// V4L2's code, as `V4L2_PIX_FMT_*` has it, trailing spaces removed.
    public let fourCC: String
    /// What people call it.
    public let name: String
    /// What the components mean.
    public let model: Model
    /// Three components in the order of the model, or one of a grey format.
    let components: [Component]
    let planes: [Plane]

    /// Every format that can be read, by its code.
    ///
    /// Memory layouts: "Image Formats" in the kernel's V4L2 documentation. Better ones first: colour before grey, and
    /// of equals the one that has more chroma, then the one that costs less to move over USB.
    public static let all: [PixelFormat] = [
        .packedRGB("RGB3", "24-bit RGB", bytes: 3, red: 0, green: 1, blue: 2),
        .packedRGB("BGR3", "24-bit BGR", bytes: 3, red: 2, green: 1, blue: 0),
        .packedRGB("XR24", "32-bit BGRX", bytes: 4, red: 2, green: 1, blue: 0),
        .packedRGB("BGR4", "32-bit BGRA/X", bytes: 4, red: 2, green: 1, blue: 0),
        .packed422("YUYV", "YUYV 4:2:2", y: 0, cb: 1, cr: 3),
        .packed422("UYVY", "UYVY 4:2:2", y: 1, cb: 0, cr: 2),
        PixelFormat(
            fourCC: "NV12", name: "Y/CbCr 4:2:0", model: .yCbCr,
            components: [
                Component(offset: 0, step: 1),
                Component(plane: 1, offset: 0, step: 2, xShift: 1, yShift: 1),
                Component(plane: 1, offset: 1, step: 2, xShift: 1, yShift: 1),
            ],
            planes: [Plane(), Plane(yShift: 1)]),
        PixelFormat(
            fourCC: "GREY", name: "8-bit greyscale", model: .grey, components: [Component(offset: 0, step: 1)],
            planes: [Plane()]),
    ]

    /// The format of a V4L2 code; nil if it cannot be read.
    public static func named(_ fourCC: String) -> PixelFormat? {
        all.first { $0.fourCC == fourCC }
    }

    private static func packedRGB(
        _ fourCC: String, _ name: String, bytes: Int, red: Int, green: Int, blue: Int
    ) -> PixelFormat {
        PixelFormat(
            fourCC: fourCC, name: name, model: .rgb,
            components: [red, green, blue].map { Component(offset: $0, step: bytes) }, planes: [Plane()])
    }

    private static func packed422(_ fourCC: String, _ name: String, y: Int, cb: Int, cr: Int) -> PixelFormat {
        PixelFormat(
            fourCC: fourCC, name: name, model: .yCbCr,
            components: [
                Component(offset: y, step: 2),
                Component(offset: cb, step: 4, xShift: 1),
                Component(offset: cr, step: 4, xShift: 1),
            ],
            planes: [Plane()])
    }
}
