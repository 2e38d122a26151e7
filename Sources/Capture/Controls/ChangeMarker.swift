import Configuration
import Handoff
import Pixels
import Readings
import Untrusted

/// A listener that marks the history where something other than the scene has changed the colour: the region, the
/// camera's controls, or an edit to the configuration file.
package struct ChangeMarker: Sendable {
    private let shared: SharedState

    package init(_ shared: SharedState) { self.shared = shared }

    /// Follows the changes until the task is cancelled.
    package func run() async {
        await withTaskGroup { group in
            group.addTask { await followSettings() }
            group.addTask { await followControls() }
        }
    }

    private func followSettings() async {
        let updates = shared.config.updates()
        let start = shared.config.value
        var (region, edit) = (start.effective.readings.region, start.lastEdit)
        for await settings in updates {
            if settings.effective.readings.region != region {
                region = settings.effective.readings.region
                shared.history.mark(.region, region.markText, about: "region")
            }
            guard settings.lastEdit != edit else { continue }
            edit = settings.lastEdit
            guard let summary = edit?.summary else { continue }
            shared.history.mark(.configuration, summary.sanitized(limit: Mark.maxLength))
        }
    }

    private func followControls() async {
        let updates = shared.controls.updates()
        var before = shared.controls.value
        for await state in updates {
            defer { before = state }
            guard let mark = state.mark(since: before) else { continue }
            shared.history.mark(mark.kind, mark.text, about: mark.subject)
        }
    }
}

extension Region {
    fileprivate var markText: String {
        guard self != .full else { return "Region: the whole picture" }
        let percentages = [width, height, x, y].map { "\((100 * $0).formatted(decimals: 1)) %" }
        return "Region: \(percentages[0]) × \(percentages[1]) of the picture, \(percentages[2]) from the left, "
            + "\(percentages[3]) from the top"
    }
}
