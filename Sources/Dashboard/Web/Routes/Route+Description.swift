import Documents
import State

/// A parameter in the query of a route, or in its path if that has the name in braces.
struct Parameter: Sendable {
    let name: String
    let meaning: String
    let schema: JSONSchema
    /// Whether a query without it is refused.
    let isRequired: Bool
    let example: JSONTree?

    init(
        _ name: String, _ meaning: String = "", _ schema: JSONSchema = .string, isRequired: Bool = false,
        example: JSONTree? = nil
    ) {
        (self.name, self.meaning, self.schema) = (name, meaning, schema)
        (self.isRequired, self.example) = (isRequired, example)
    }

    /// A parameter that is 1 or 0, and 0 if it is missing.
    static func flag(_ name: String, _ meaning: String) -> Self {
        Self(name, meaning, .words(["0", "1"]).defaulting(to: "0"))
    }

    static let probeDetail = Self(
        "probes",
        "`all` for everything that is known of the probes; without it, they have only their names, colours and verdicts.",
        .words(["all"]))
    static let view = Self(
        "view", "The picture from the camera, or with the effect applied.",
        .words(of: Picture.View.self).defaulting(to: "live"))
    static let recording = flag(
        "recording",
        "1 selects the time of the recording that is running, or else of the one that ended last, instead of a span.")

    /// Those of `HTTPRequest.tableFormat()`.
    static let tableFormat = [
        Self("separator", "The text between two cells.", .words([",", ";", "\t"]).defaulting(to: ",")),
        Self(
            "decimal", "The decimal point, which must not be the separator.", .words([".", ","]).defaulting(to: ".")),
        .flag("bom", "1 adds a byte order mark at the beginning, which Excel needs to read UTF-8."),
    ]

    /// The name of an item in the path.
    static func item(_ noun: String) -> Self { Self("name", "The name of \(noun).", .component("TargetName")) }

    /// The number of an item in the path.
    static func number(_ meaning: String, example: JSONTree) -> Self {
        Self("id", meaning, .string(pattern: "^[1-9][0-9]{0,15}$"), example: example)
    }
}

extension Route {
    /// What docs/openapi.json says of a route besides its method, path, right, parameters and summary.
    struct Description: Sendable {
        /// The name of the operation, for programs that make clients.
        let id: String
        /// Sentences; empty if the summary says enough.
        let text: String
        let body: Body?
        /// Whether it never answers 503, because it neither waits for the camera nor holds places of its client.
        let isAlwaysReady: Bool
        /// The answers that are not those of every route.
        let answers: [Answer]

        /// Whether it opens a WebSocket.
        var isSocket: Bool { answers.contains { $0.status == 101 } }
    }

    /// The body of a request.
    struct Body: Sendable {
        let type: String
        let schema: JSONSchema
        let example: JSONTree?

        static func json(_ component: String) -> Self {
            Self(type: "application/json", schema: .component(component), example: nil)
        }

        /// The content of a file. The pattern describes some of those that are accepted.
        static func file(_ pattern: String, example: JSONTree) -> Self {
            Self(type: "application/octet-stream", schema: .string(pattern: pattern), example: example)
        }

        static func form(_ fields: [JSONProperty]) -> Self {
            Self(
                type: "application/x-www-form-urlencoded",
                schema: .openObject(fields).with("additionalProperties", ["type": "string"]), example: nil)
        }
    }

    struct Answer: Sendable {
        /// A field of the header.
        struct Field: Sendable {
            let name: String
            let meaning: String
            let schema: JSONSchema
            let isOptional: Bool

            init(_ name: String, _ meaning: String, _ schema: JSONSchema = .string, isOptional: Bool = false) {
                (self.name, self.meaning, self.schema, self.isOptional) = (name, meaning, schema, isOptional)
            }

            static let fileName = Self("Content-Disposition", "A name for the file.")
            static let retryAfter = Self("Retry-After", "Seconds to wait.", .string(pattern: "^[0-9]+$"))
            static let location = Self("Location", "The page, relative to this address.")
        }

        let status: Int
        let meaning: String
        /// The type of its content; nil without one.
        let type: String?
        let schema: JSONSchema
        let fields: [Field]
        /// The component of the messages of a WebSocket that are JSON.
        var message: String?

        /// The answer that opens a WebSocket.
        static func socket(_ meaning: String, _ message: String? = nil) -> Self {
            var answer = other(101, meaning)
            answer.message = message
            return answer
        }

        /// Any answer.
        static func other(
            _ status: Int, _ meaning: String, _ type: String? = nil, _ schema: JSONSchema = .string,
            headers: [Field] = []
        ) -> Self {
            Self(status: status, meaning: meaning, type: type, schema: schema, fields: headers)
        }

        static func file(
            _ meaning: String, _ type: String, _ schema: JSONSchema = .string, headers: [Field] = []
        ) -> Self {
            .other(200, meaning, type, schema, headers: headers)
        }

        /// A file to keep, with a name.
        static func download(_ meaning: String, _ type: String) -> Self {
            let isText = type.hasPrefix("text/")
            return .file(meaning, type, isText ? .string : .string.with("format", "binary"), headers: [.fileName])
        }

        static func ok(_ meaning: String, _ schema: JSONSchema, headers: [Field] = []) -> Self {
            .other(200, meaning, "application/json", schema, headers: headers)
        }

        static func ok(_ meaning: String, _ component: String, headers: [Field] = []) -> Self {
            .ok(meaning, .component(component), headers: headers)
        }

        static func created(_ meaning: String, _ component: String, headers: [Field] = []) -> Self {
            .other(201, meaning, "application/json", .component(component), headers: headers)
        }

        static func accepted(_ meaning: String, _ component: String) -> Self {
            .other(202, meaning, "application/json", .component(component))
        }

        /// An error, with its sentence and its code.
        static func refusal(_ status: Int, _ meaning: String, headers: [Field] = []) -> Self {
            .other(status, meaning, "application/json", .component("Error"), headers: headers)
        }
    }

    /// Returns the route with what is said of it.
    func described(
        _ id: String, tag: String? = nil, _ text: String, takes body: Body? = nil, isAlwaysReady: Bool = false,
        _ answers: Answer...
    ) -> Route {
        described(
            Description(
                id: id, text: text, body: body, isAlwaysReady: isAlwaysReady, answers: answers), tag
        )
    }

    /// Returns the route with what is said of it, if its summary says enough of what it does.
    func described(
        _ id: String, tag: String? = nil, takes body: Body? = nil, isAlwaysReady: Bool = false, _ answers: Answer...
    ) -> Route {
        described(Description(id: id, text: "", body: body, isAlwaysReady: isAlwaysReady, answers: answers), tag)
    }

    private func described(_ description: Description, _ tag: String?) -> Route {
        var route = self
        (route.description, route.tag) = (description, tag)
        return route
    }
}

extension [Route] {
    /// Returns the routes under a heading, except those that have another one.
    func tagged(_ tag: String) -> [Route] {
        map { route in
            var route = route
            route.tag = route.tag ?? tag
            return route
        }
    }
}
