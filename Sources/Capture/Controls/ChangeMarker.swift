import Configuration
import Documents
import Handoff
import Pixels
import Readings
package import State
import Untrusted

/// A listener that marks the history where something other than the scene has changed the colour or the verdict: the
/// region, the camera's controls, a target, or an edit to the configuration file.
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
        var targets = start.effective.targets
        for await settings in updates {
            if settings.effective.readings.region != region {
                region = settings.effective.readings.region
                let text = region.markText(in: shared.readings.value.frame?.picture)
                shared.history.mark(.region, text, about: "region")
            }
            if let text = settings.effective.targets.markText(since: targets) { shared.history.mark(.target, text) }
            targets = settings.effective.targets
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
    /// - Parameter size: The size of the picture, so that the text also has the area in pixels, as the page does; nil
    ///   if there is none.
    fileprivate func markText(in size: Reading.Size?) -> String {
        guard self != .full else { return "Area: the whole picture" }
        if let size {
            let pixels = [
                (width, size.width), (height, size.height), (x, size.width), (y, size.height),
            ].map { Int(($0 * Double($1)).rounded()) }
            return "Area: \(pixels[0]) × \(pixels[1]) px, \(pixels[2]) px from the left, \(pixels[3]) px from the top"
        }
        let percentages = [width, height, x, y].map { "\((100 * $0).formatted(decimals: 1)) %" }
        return "Area: \(percentages[0]) × \(percentages[1]) of the picture, \(percentages[2]) from the left, "
            + "\(percentages[3]) from the top"
    }
}

extension [Config.Target] {
    /// The maximum number of targets that a mark names.
    private static var maxNames: Int { 3 }

    /// Returns the text of the mark for what was set, changed and removed; nil if nothing was.
    fileprivate func markText(since before: Self) -> String? {
        func named(_ targets: Self, _ name: Name) -> Config.Target? { targets.first { $0.name == name } }
        let changes =
            filter { $0 != named(before, $0.name) }.map { target in
                "Target \(target.name) \(named(before, target.name) == nil ? "set" : "changed")"
            } + before.filter { named(self, $0.name) == nil }.map { "Target \($0.name) removed" }
        guard !changes.isEmpty else { return nil }
        let more = changes.count - Self.maxNames
        return (changes.prefix(Self.maxNames).joined(separator: ", ") + (more > 0 ? " and \(more) more" : ""))
            .sanitized(limit: Mark.maxLength)
    }
}
