import Documents
import Readings
import State
import V4L2

extension Schemas {
    private static let controlWithValue = JSONSchema.object([
        .init("label", .string), .init("name", .string), .init("value", .component("ControlValue")),
    ])

    /// Of cameras and their controls.
    static let cameras: KeyValuePairs<String, JSONSchema> = [
        "CameraList": .object([
            .init(
                "cameras",
                .objects([
                    .init("bus", .string),
                    .init("chosen", .boolean, "Whether it is the one in use, or the one that Swatchcam waits for."),
                    .init("device", .string),
                    .init("driver", .string),
                    .init("id", .nonEmptyString),
                    .init("name", .string),
                    .init("problem", .string.orNull, "Why it cannot be opened; null if it can."),
                ])),
            .init(
                "faults",
                .objects([
                    .init("frames", .integer(from: 1)),
                    .init(
                        "kind", .words(of: FrameFault.Kind.self),
                        "`size`: another than the negotiated one; `color-space`: a JPEG image whose colours are "
                            + "neither Y'CbCr nor grey, or of more than 8 bits; `not-jpeg`: no JPEG image, although "
                            + "the format promises one; `damaged`: wrong data, or data of two frames; `too-short`: "
                            + "the picture is cut off; `empty`: no bytes; `flagged`: the driver marks it as damaged; "
                            + "`stale`: from before the camera was opened; `repeated`: delivered before."),
                ]),
                "How many frames of the camera in use could not be used since it was first opened, by the kind of "
                    + "fault; kinds that did not occur are left out."),
        ]),
        "CameraChoice": .object([
            .init("id", .string(0...255), "A stable id, a device node, a part of a name, `auto`, or `test-pattern`.")
        ]).examples(["id": "test-pattern"]),
        "ChosenCamera": .object([
            .init("camera", .component("Camera").orNull),
            .init(
                "problem", .string.orNull,
                "Why the change will be forgotten when the program ends; null if it is kept."),
        ]),
        "ControlValue": .types("integer", "string", "null").described(
            "A whole number, or a text for controls of type `string`."),
        "Control": .object([
            .optional(
                "choices",
                [
                    "type": "object", "patternProperties": ["^-?[0-9]+$": ["type": "string"]],
                    "additionalProperties": false,
                ],
                "For menus: the names of the choices, by value. Other types do not have this key."),
            .init("controlledBy", .string.orNull, "The name of the automatic control that has taken it over."),
            .init("default", .component("ControlValue")),
            .init("inactive", .boolean),
            .init("label", .string),
            .init("maximum", .integer),
            .init("minimum", .integer),
            .init("name", .nonEmptyString),
            .init("readOnly", .boolean),
            .init("step", .integer(from: 0)),
            .init("type", .words(of: V4L2.Control.Kind.self)),
            .init("value", .component("ControlValue")),
        ]),
        "Controls": .object([
            .init("automatics", .array(of: .string), "Names of the automatic controls that are on."),
            .init(
                "camera", .component("Camera").orNull,
                "Null while there is no picture. The test pattern has the controls of its scene."),
            .init("controls", .array(of: .component("Control"))),
            .init("exposure", .component("Exposure").orNull, "Null if the camera has no control for its exposure."),
            .init("lock", .component("Lock").orNull, "Null while nothing is locked."),
        ]),
        "Lock": JSONSchema.object([
            .init("phase", ["const": "settling"]),
            .init("seconds", .number(from: 0), "How long the lock has been waiting for the automatic controls."),
        ]).with("title", "Waiting for the automatic controls to settle").or(
            JSONSchema.object([
                .init("config", .string, "The lines for `config.toml` that restore these values at every start."),
                .init("locked", .array(of: controlWithValue)),
                .init(
                    "missing",
                    .array(of: .words(AutoControl.Quantity.allCases.filter { $0 != .other }.map(\.rawValue))),
                    "The quantities for which the camera has no control."),
                .init("phase", ["const": "locked"]),
                .init("refused", .objects([.init("name", .string), .init("reason", .string)])),
                .init("settled", .boolean, "Whether they had settled when they were locked."),
            ]).with("title", "Locked")),
        "Exposure": .object([
            .init(
                "config", .string.orNull,
                "The lines for `config.toml` that restore these values at every start; null until the outcome is "
                    + "known."),
            .init(
                "level", .number(0...1).orNull,
                "The 99th percentile of the region's brightest channel, as a share of the range of linear light; 1 "
                    + "if it is clipped; null if it is not known."),
            .init(
                "message", .string.orNull,
                "The reason why the level is not 0.77 to 0.83; null unless the phase is `failed`."),
            .init("phase", .words(["idle", "setting", "set", "failed"])),
            .init(
                "step", .integer(0...8).orNull,
                "The number of changes so far; null unless the exposure is being set."),
            .init(
                "values", .array(of: controlWithValue),
                "The controls of exposure and gain with the values that stay; empty until the outcome is known."),
        ]),
        "ControlChange": .object([
            .init(
                "value", ["type": ["integer", "number", "boolean", "string", "null"], "maxLength": 255],
                "`true` is 1; a menu's choice may be given by name; null restores the default. A number with a "
                    + "fraction is refused.")
        ]).examples(["value": 128], ["value": nil]),
    ]
}
