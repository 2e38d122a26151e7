import Handoff
import Pixels
import V4L2

/// A watch for movements of the picture since the areas were set. It looks at most once a second.
struct SceneWatch {
    /// What the picture at the beginning belongs to: when it changes, the picture is remembered anew.
    struct Subject: Equatable {
        private let cameraID: String
        private let width: Int
        private let height: Int
        private let orientation: Orientation
        private let areas: [Region]

        init(_ cameraID: String, _ format: FrameFormat, _ parameters: PictureReader.Parameters) {
            (self.cameraID, width, height) = (cameraID, format.width, format.height)
            orientation = parameters.orientation
            areas = [parameters.region] + parameters.probes.map(\.region)
        }

        /// Whether the picture has moved too far: by more than 2 pixels, or 1 % of a side that has fewer than 200.
        func isBeyondTolerance(_ shift: PictureShift) -> Bool {
            abs(shift.x) > min(2, Double(width) / 100) || abs(shift.y) > min(2, Double(height) / 100)
        }
    }

    private static let interval = 1.0

    private var subject: Subject?
    private var reference: TileProfiles?
    private var lastLook: MonotonicTime?
    /// The distance by which the picture has moved, in pixels; nil if it has not. While nothing can be recognised,
    /// because somebody stands in front of the camera, the last result holds.
    private(set) var moved: Double?

    /// Returns whether to look at a frame that arrives now.
    mutating func isDue(at now: MonotonicTime, for subject: Subject) -> Bool {
        if subject != self.subject {
            self = SceneWatch()
            self.subject = subject
        }
        return lastLook.map { now - $0 >= Self.interval } ?? true
    }

    /// Compares a picture with that at the beginning.
    mutating func look(at profiles: TileProfiles, _ now: MonotonicTime) {
        lastLook = now
        // A picture in which nothing can be recognised, such as a dark one, is not worth remembering.
        guard let reference, reference.hasTexture else {
            reference = profiles
            return
        }
        guard let shift = reference.shift(to: profiles) else { return }
        moved = subject?.isBeyondTolerance(shift) == true ? shift.distance : nil
    }
}
