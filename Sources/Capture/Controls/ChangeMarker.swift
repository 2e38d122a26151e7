package import Configuration
package import Handoff
import Pixels
package import Readings
import Untrusted

/// A listener that marks the history where something other than the scene has changed the colour: the region, the
/// camera's controls, or an edit to the configuration file.
package struct ChangeMarker: Sendable {
    let config: Latest<Config>
    let configured: Latest<Config>
    let notices: Notices
    let controls: Latest<ControlState>
    let history: History

    /// - Parameters:
    ///   - config: The config in effect.
    ///   - configured: The config of the file. Its changes are those that the notice about the configuration names.
    ///   - controls: The controls of the camera in use.
    package init(
        config: Latest<Config>, configured: Latest<Config>, notices: Notices, controls: Latest<ControlState>,
        history: History
    ) {
        self.config = config
        self.configured = configured
        self.notices = notices
        self.controls = controls
        self.history = history
    }

    /// Follows the changes until the task is cancelled.
    package func run() async {
        await withTaskGroup { group in
            group.addTask { await followRegion() }
            group.addTask { await followFile() }
            group.addTask { await followControls() }
        }
    }

    private func followRegion() async {
        let updates = config.updates()
        var before = config.value.readings.region
        for await config in updates where config.readings.region != before {
            before = config.readings.region
            history.mark(.region, before.markText, about: "region")
        }
    }

    private func followFile() async {
        for await _ in configured.updates() {
            guard let notice = notices.all.first(where: { $0.topic == .configuration }) else { continue }
            history.mark(.configuration, notice.message.sanitized(limit: Mark.maxLength))
        }
    }

    private func followControls() async {
        let updates = controls.updates()
        var before = controls.value
        for await state in updates {
            defer { before = state }
            guard let mark = state.mark(since: before) else { continue }
            history.mark(mark.kind, mark.text, about: mark.subject)
        }
    }
}

extension Region {
    fileprivate var markText: String {
        guard self != .full else { return "Region: the whole picture" }
        let (x, y) = (x.formatted(decimals: 3), y.formatted(decimals: 3))
        return "Region: \(width.formatted(decimals: 3)) × \(height.formatted(decimals: 3)) at \(x), \(y)"
    }
}
