import Documents
import Metrology
import Pixels
import Readings

extension Schemas {
    /// Of single values that several documents have.
    static let values: KeyValuePairs<String, JSONSchema> = [
        "Error": .object([
            .init(
                "error",
                .object([
                    .init("code", .component("ErrorCode")),
                    .init("message", .nonEmptyString, "A message for people: what is wrong, and what to do."),
                ]))
        ]).described("Why a request was refused."),
        "ErrorCode": .words([
            "absorbance-refused", "bad-absorbance", "bad-calibration", "bad-camera", "bad-color",
            "bad-control", "bad-fps", "bad-handshake", "bad-history", "bad-host", "bad-json", "bad-mark",
            "bad-palette", "bad-patches", "bad-probe", "bad-probes", "bad-recording", "bad-sample", "bad-scale",
            "bad-settings", "bad-show", "bad-state", "bad-table", "bad-target", "bad-teach-in", "bad-timer",
            "bad-verdict",
            "bad-view", "body-too-large", "busy", "calibration-not-found", "calibration-worse",
            "camera-not-found", "camera-unusable", "control-not-found", "control-refused", "cookie-not-kept",
            "denied", "failed", "incomplete-body", "internal", "lost", "malformed-request", "mark-not-found",
            "mark-not-written", "method-not-allowed", "no-camera", "no-length", "no-picture", "no-signal",
            "no-probes", "no-reference", "no-such-color", "no-targets", "no-token", "not-a-form", "not-found",
            "not-json", "old-version", "palette-not-found", "picture-not-found", "probe-not-found",
            "probes-full", "read-only", "recording-not-found", "recording-runs", "repeated-parameter",
            "sample-interrupted", "sample-clipped", "sample-not-found", "samples-full", "scale-busy", "scale-not-found",
            "scales-full", "slow-camera",
            "standard-not-found", "standards-full", "starting", "target-not-found", "targets-full",
            "timer-not-found", "too-many-clients", "too-many-colors", "too-many-patches", "too-many-guesses",
            "too-many-marks",
            "too-many-samples", "too-many-transfers", "too-many-viewers", "unavailable", "unknown-method",
            "unknown-parameter", "unsupported", "websocket-only", "wrong-host", "wrong-origin", "wrong-token",
        ]).described(
            "What is wrong, for programs. Codes never change their meaning. `/healthz` uses the states of a reading "
                + "without a colour."),
        "State": .words(of: Reading.State.self).described(
            "Where the colour comes from: `live`, from a camera; `test-pattern`, from the built-in one. In every "
                + "other state there is no colour. `starting`: the camera is being opened; `no-camera`: there is no "
                + "such camera; `denied`: this user may not open it; `busy`: another program uses it; `no-signal`: "
                + "nothing is plugged into it; `lost`: it was unplugged, fell silent, or delivers no new frames; "
                + "`unsupported`: it has no pixel format that Swatchcam reads; `failed`: anything else."),
        "Effect": .words(Effects.all.map(\.name)),
        "Region": JSONSchema([
            "type": "array",
            "prefixItems": [
                ["type": "number", "minimum": 0, "exclusiveMaximum": 1],
                ["type": "number", "minimum": 0, "exclusiveMaximum": 1],
                ["type": "number", "exclusiveMinimum": 0, "maximum": 1],
                ["type": "number", "exclusiveMinimum": 0, "maximum": 1],
            ],
            "items": false, "minItems": 4, "maxItems": 4,
        ]).described(
            "The part of the picture that is read: x, y, width and height as fractions of the picture from its upper "
                + "left corner, as people see it. x + width and y + height are at most 1."
        ).examples([0.25, 0.25, 0.5, 0.5]),
        "Shape": .words(of: Shape.self).defaulting(to: "rectangle").described(
            "The pixels of the region that are measured: all, or those whose centres lie in the ellipse that is "
                + "inscribed in it."),
        "CSSColor": .string(0...128).with(
            "pattern",
            .string(
                #"^(#[0-9A-Fa-f]{3}[Ff]?|#[0-9A-Fa-f]{6}([Ff]{2})?|[A-Za-z]+|"#
                    + #"(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([^()]+\))$"#)
        ).described(
            "An opaque colour of CSS Color 4: a name, `#` with 3, 4, 6 or 8 digits, `rgb()`, `hsl()`, `hwb()`, "
                + "`lab()`, `lch()`, `oklab()`, `oklch()` or `color()`, in ASCII, without escapes and `calc()`. "
                + "Numbers outside their range are clamped as CSS says; an alpha must be 1."),
        "TargetName": .string(1...60),
        "TargetColor": .component("CSSColor").or(.array(of: .component("CSSColor"), 1...ColorTarget.maxColors))
            .described("The colour of a target, or several of which any will do."),
        "ToleranceLimit": .number(0.1...100),
        "MeanColor": .channels(.number(0...255)),
        "RoundedColor": .channels(.integer(0...255)),
        "Light": .channels(.number(0...1)).described(
            "Linear light of sRGB's primaries: each channel through the transfer function of IEC 61966-2-1."),
        "RelativeLight": .channels(.number(from: 0)),
        "CalibratedLab": .object([
            .init("a", .number),
            .init("b", .number),
            .init("l", .number),
        ]).described("CIELAB for D50 and 2°."),
        "CalibratedLight": .channels(.number).described(
            "Linear light of sRGB, outside of 0...1 if sRGB does not hold the colour."),
        "CodeValues": .channels(.number(0...255)).described("A code value for each channel."),
        "Shares": .channels(.number(0...1)).described("A share of pixels for each channel."),
        "Histogram": .channels(.array(of: .integer(from: 0), 256...256)).described(
            "The number of pixels of each code value, rounded."),
    ]
}
