import Configuration
package import Documents
package import V4L2

extension Control {
    var number: Int64? {
        if case .number(let number) = value { number } else { nil }
    }
}

/// The exposure that is set once, on request.
package enum ExposureState: Equatable, Sendable {
    case setting(ExposureSetting, before: [Before])
    case ended(Result)

    /// The outcome; nil if there is none yet.
    var result: Result? {
        if case .ended(let result) = self { result } else { nil }
    }

    /// A control and the value it had before.
    package typealias Before = MeasuringLock.Before

    /// The outcome of setting the exposure.
    package struct Result: Equatable, Sendable {
        /// The level of the values; nil if it was not measured.
        var level: Double?
        /// The controls with the values that stay.
        var values: [Control]
        /// The reason why the wanted level was not reached; nil if it was.
        var problem: ExposureSetting.Problem?

        /// - Parameter controls: The controls as they were read back.
        package init(level: Double?, problem: ExposureSetting.Problem?, controls: [Control]) {
            let automatic = Set(controls.automaticallySet.map(\.id))
            let ids = Set([controls.exposureControl, controls.gainControl].compactMap { $0?.id })
            self.level = level
            self.problem = problem
            values = controls.filter { control in
                !automatic.contains(control.id) && !control.isInactive
                    && (ids.contains(control.id) || control.isAutomaticExposure)
            }
        }
    }
}

extension Control {
    /// Whether this is an automatic control of exposure or gain.
    fileprivate var isAutomaticExposure: Bool {
        AutoControl.all.contains { $0.id == id && ($0.quantity == .exposure || $0.quantity == .gain) }
    }
}

extension [Control] {
    /// The controls that setting the exposure changes.
    package var exposureControls: [Control] {
        filter { $0.isAutomaticExposure } + [exposureControl, gainControl].compactMap(\.self)
    }

    /// The values of exposure and gain; nil if there is no exposure.
    package var exposureValues: ExposureSetting.Values? {
        exposureControl?.number.map { ExposureSetting.Values(exposure: $0, gain: gainControl?.number) }
    }

    /// The lines for `config.toml` that restore the values of these controls at the next start.
    var configuration: String {
        (["[camera.controls]"] + compactMap { control in control.value.map { "\(control.name) = \($0)" } })
            .map { $0 + "\n" }.joined()
    }
}

extension ExposureSetting.Problem {
    /// The reason as a sentence for people.
    package var sentence: String {
        switch self {
        case .tooDark: "Too dark even at the longest exposure and the highest gain. Add light."
        case .tooBright: "Too bright even at the shortest exposure and the lowest gain. Reduce the light."
        case .coarse: "The camera's steps are too coarse: no exposure comes closer."
        case .unsteady: "The light changes, or the camera does not follow its controls. Try again in steady light."
        case .noReadings: "No new readings arrived in time. Try again."
        case .cancelled: "It was cancelled."
        case .refused(let sentence): sentence
        }
    }
}

extension Control {
    /// A control with the value that was set, in the documents of the API.
    static let settings: JSONFieldList<Control> = [
        .value("label", .string) { $0.label },
        .value("name", .string) { $0.name },
        .encoded("value", .component("ControlValue")) { $0.value },
    ]
}

/// The exposure in the documents of the API.
package struct ExposureDocument: JSONFields {
    private let setting: ExposureSetting?
    private let result: ExposureState.Result?

    /// - Parameter state: Nil if the exposure has not been set.
    package init(_ state: ExposureState?) {
        switch state {
        case nil: (setting, result) = (nil, nil)
        case .setting(let setting, _): (self.setting, result) = (setting, nil)
        case .ended(let result): (setting, self.result) = (nil, result)
        }
    }

    private var phase: String {
        if let result { result.problem == nil ? "set" : "failed" } else { setting == nil ? "idle" : "setting" }
    }

    package static let fields: JSONFieldList<Self> = [
        .value(
            "config", .string.orNull,
            "The lines for `config.toml` that restore these values at every start; null until the outcome is known."
        ) { $0.result?.values.configuration },
        .number(
            "level", .number(0...1).orNull, decimals: 4,
            "The 99th percentile of the region's brightest channel, as a share of the range of linear light; 1 if it is "
                + "clipped; null if it is not known."
        ) { $0.result?.level ?? $0.setting?.best?.level },
        .value(
            "message", .string.orNull,
            "The reason why the level is not 0.77 to 0.83; null unless the phase is `failed`."
        ) { $0.result?.problem?.sentence },
        .value("phase", .words(["idle", "setting", "set", "failed"])) { $0.phase },
        .value(
            "step", .integer(0...8).orNull, "The number of changes so far; null unless the exposure is being set."
        ) { $0.setting?.steps },
        .objects(
            "values",
            "The controls of exposure and gain with the values that stay; empty until the outcome is known.",
            Control.settings
        ) { $0.result?.values ?? [] },
    ]
}
