import FoundationEssentials
import Handoff
import Pixels

extension Reading {
    /// The placeholder until the first reading is published.
    package static let none = Reading(
        sequence: 0, time: Date(), state: .starting, since: Date(), message: "Swatchcam is starting.", effect: "none",
        region: .full, rate: .init(capture: 0, reading: 0, wanted: 0), dropped: 0)
}
