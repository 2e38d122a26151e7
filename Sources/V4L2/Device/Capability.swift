import CV4L2

/// A driver's description of its device (`VIDIOC_QUERYCAP`).
public struct Capability: Equatable, Sendable {
    /// The driver's name: `uvcvideo`.
    public let driver: String
    /// The device's name: `HD Pro Webcam C920`.
    public let card: String
    /// The place where it is plugged in: `usb-0000:00:14.0-2`.
    public let bus: String
    /// The `V4L2_CAP_*` flags of the node that was opened.
    let flags: UInt32

    init(_ reply: v4l2_capability) {
        driver = string(of: reply.driver)
        card = string(of: reply.card)
        bus = string(of: reply.bus_info)
        // `capabilities` describes the whole device, which may have several nodes; `device_caps` describes this node.
        let wholeDevice = reply.capabilities
        flags = wholeDevice & UInt32(V4L2_CAP_DEVICE_CAPS) != 0 ? reply.device_caps : wholeDevice
    }

    /// Whether it is a camera: it captures video by streaming and is not a memory-to-memory codec.
    var isCamera: Bool {
        let memoryToMemory = UInt32(V4L2_CAP_VIDEO_M2M) | UInt32(V4L2_CAP_VIDEO_M2M_MPLANE)
        let capture = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE)
        return flags & capture != 0 && flags & UInt32(V4L2_CAP_STREAMING) != 0 && flags & memoryToMemory == 0
    }

    /// Whether it supports only the multi-planar API, not the single-planar one.
    var isMultiplanar: Bool { flags & UInt32(V4L2_CAP_VIDEO_CAPTURE) == 0 }

    /// The `enum v4l2_buf_type` of its capture queue.
    var bufferType: v4l2_buf_type {
        isMultiplanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE
    }
}
