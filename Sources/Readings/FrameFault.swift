/// The reason why a frame was not used, other than that a newer one was already waiting.
package struct FrameFault: Error, Equatable, Sendable {
    /// The kind of fault, with its name in the API and the metrics.
    package enum Kind: String, CaseIterable, Sendable {
        /// It has another size than the negotiated one.
        case size
        /// It is a JPEG image whose colours are not Y'CbCr or grey.
        case colorSpace = "color-space"
        /// It is no JPEG image, although the format promises one.
        case notJPEG = "not-jpeg"
        /// Its data are wrong, or belong to more than one frame.
        case damaged
        /// It ends before its picture does.
        case tooShort = "too-short"
        /// It has no bytes.
        case empty
        /// The driver marks it as damaged (`V4L2_BUF_FLAG_ERROR`).
        case flagged
        /// It is from before the camera was opened.
        case stale
        /// It was delivered before.
        case repeated
    }

    package var kind: Kind
    /// What is wrong with its size or its colours, as part of a sentence.
    var detail: String?

    package init(_ kind: Kind, detail: String? = nil) { (self.kind, self.detail) = (kind, detail) }

    /// What a camera does that sends such frames only: the verb and the object of a sentence.
    package var habit: String {
        let detail = detail ?? "unknown"
        return switch kind {
        case .size: "sends frames of another size (\(detail))"
        case .colorSpace: "sends JPEG images whose colours cannot be read (\(detail))"
        case .notJPEG: "sends frames that are not JPEG images, although it promises them"
        case .damaged: "sends only damaged frames"
        case .tooShort: "sends only frames that are cut off"
        case .empty: "sends only empty frames"
        case .flagged: "sends only frames that its driver marks as damaged"
        case .stale: "delivers only frames from before it was opened"
        case .repeated: "delivers the same frame again and again"
        }
    }

    /// What a person can do about it: one or two sentences.
    package var advice: String {
        switch kind {
        case .size: "Set camera.width and camera.height to a size that the camera keeps to, or choose another format."
        case .colorSpace, .notJPEG: "Choose another camera.format, such as YUYV."
        case .damaged, .tooShort, .empty, .flagged:
            "Try another cable or USB port without a hub, or a smaller picture or a lower frame rate."
        case .stale, .repeated:
            "Restart the program or the network camera that feeds it, or unplug the camera and plug it in again."
        }
    }
}

/// The numbers of frames that were not used since a camera was first opened, by the kind of fault.
package struct FrameFaults: Equatable, Sendable {
    private var counts: [FrameFault.Kind: UInt64] = [:]

    package init() {}

    package subscript(kind: FrameFault.Kind) -> UInt64 {
        get { counts[kind] ?? 0 }
        set { counts[kind] = newValue > 0 ? newValue : nil }
    }

    package var total: UInt64 { counts.values.reduce(0, +) }

    /// The kinds of which there are any, with their numbers.
    package var all: [(kind: FrameFault.Kind, count: UInt64)] {
        FrameFault.Kind.allCases.filter { self[$0] > 0 }.map { ($0, self[$0]) }
    }

    /// The kind of most of them; nil if there are none.
    package var mostFrequent: FrameFault.Kind? {
        all.max { $0.count < $1.count }?.kind
    }

    package static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.counts.merge(right.counts, uniquingKeysWith: +)
        return sum
    }

    /// The faults since an earlier count.
    package static func - (newer: Self, older: Self) -> Self {
        var rest = Self()
        for kind in FrameFault.Kind.allCases where newer[kind] > older[kind] { rest[kind] = newer[kind] - older[kind] }
        return rest
    }
}
