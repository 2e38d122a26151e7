import Documents
import Readings
import State
import V4L2

extension Schemas {
    /// Of cameras and their controls.
    static let cameras: KeyValuePairs<String, JSONSchema> = [
        "CameraList": CameraList.schema,
        "CameraChoice": .object([
            .init("id", .string(0...255), "A stable id, a device node, a part of a name, `auto`, or `test-pattern`.")
        ]).examples(["id": "test-pattern"]),
        "ChosenCamera": ChosenCamera.schema,
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
        "Controls": ControlState.schema,
        "Lock": MeasuringLock.schema,
        "Exposure": ExposureDocument.schema,
        "ControlChange": .object([
            .init(
                "value", ["type": ["integer", "number", "boolean", "string", "null"], "maxLength": 255],
                "`true` is 1; a menu's choice may be given by name; null restores the default. A number with a "
                    + "fraction is refused.")
        ]).examples(["value": 128], ["value": nil]),
    ]
}
