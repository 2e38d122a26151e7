import Documents
import Readings

extension Schemas {
    /// Of the history.
    static let history: KeyValuePairs<String, JSONSchema> = [
        "History": HistoryDocument.schema,
        "HistoryColor": .channels(.number(0...255)).described("R'G'B' to two decimals."),
        "Recording": RecordingDocument.schema.examples(
            [
                "problem": nil,
                "recording": [
                    "endsBy": "2026-12-21T19:20:02.000Z", "interval": 0.25, "name": "Titration 3",
                    "since": "2026-11-20T19:20:02.000Z", "until": nil,
                ],
            ]),
        "RecordingOrder": .object([
            .optional(
                "duration", .number(1...2_678_400).orNull,
                "The seconds after which it ends by itself: 31 days without it."),
            .optional(
                "name", .string(0...100).orNull,
                #"Control characters are replaced. An empty or missing name becomes "Recording"."#),
        ]).examples(["name": "Titration 3", "duration": 3600]),
        "Mark": Mark.schema.examples(
            [
                "id": 3, "time": "2026-11-20T19:30:00.250Z", "kind": "user", "text": "Reagent added", "name": nil,
                "from": nil, "to": nil, "picture": nil,
            ],
            [
                "id": 4, "time": "2026-11-20T19:31:00.250Z", "kind": "light", "text": "Fault: off → blinking",
                "name": "Fault", "from": "off", "to": "blinking", "picture": nil,
            ]),
        "MarkOrder": .object([
            .init(
                "text", ["type": "string", "minLength": 1, "maxLength": 200, "pattern": #"\S"#],
                "Control characters are replaced."),
            .optional(
                "time", .time.orNull,
                "The moment that it marks, with milliseconds and in UTC. It lies in the last hour; without it, the "
                    + "mark has the present moment."),
        ]).examples(["text": "Reagent added"], ["text": "Reagent added", "time": "2026-01-31T12:00:00.000Z"]),
    ]
}
