import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import Dashboard
@testable import Documents
@testable import Readings

/// Tests that docs/openapi.json follows from the routes and the schemas.
@Suite("The description of the API")
struct DescriptionTests {
    /// The sections of the description.
    private static let tags = [
        "Readings", "Samples", "Targets", "Probes", "Scales", "Absorbance", "History", "Pictures", "Cameras",
        "Controls", "Fleet",
        "Settings", "Program", "Access",
    ]

    private static let about = """
        Reads the colour that a camera sees. Every path that supports GET also supports HEAD. Every response carries \
        `X-Content-Type-Options`, `Referrer-Policy`, `Cross-Origin-Resource-Policy`, `Permissions-Policy`, \
        `Content-Security-Policy` and `Date`.

        Other methods are refused with 405 and `Allow`, or with 501 if HTTP servers need not know them. A request that is \
        not HTTP, or too long, is refused with 400, 414, 431 or 505, and the connection ends. A token is required only if \
        the configuration has `web.token`; the one of `web.view_token` allows only GET and HEAD. A request from a browser \
        that changes something must come from a page of the same origin.
        """

    /// The answers that many routes have, by their names.
    private static let shared: [(name: String, answer: Route.Answer)] = [
        (
            "BadRequest",
            .refusal(
                400,
                "The request is malformed, or has a parameter or a value that is not allowed; `message` says which.")
        ),
        (
            "Unauthorized",
            .refusal(
                401, "There is no token, or a wrong one.",
                headers: [.init("WWW-Authenticate", "How to send one.", .string(pattern: "^Bearer "))])
        ),
        ("Forbidden", .refusal(403, "The token is read-only, or another site's page sent the request.")),
        (
            "TooLarge",
            .refusal(
                413,
                "The body is longer than 65,536 bytes (4,096 for `/login`), or its length is not given by a Content-Length."
            )
        ),
        ("UnsupportedMediaType", .refusal(415, "The Content-Type is not the one described.")),
        ("ExpectationFailed", .refusal(417, "An expectation other than `100-continue`.")),
        (
            "WrongHost",
            .refusal(
                421, "The Host is not a name of this machine; `web.allowed_hosts` lists those that it has.")
        ),
        (
            "WebSocketOnly",
            .refusal(
                426, "This address accepts only WebSocket, version 13.",
                headers: [
                    .init("Upgrade", "The protocol.", .words(["websocket"])),
                    .init("Sec-WebSocket-Version", "Its version.", .words(["13"])),
                ])
        ),
        (
            "TooManyGuesses",
            .refusal(429, "Too many wrong tokens came from this address.", headers: [.retryAfter])
        ),
        (
            "Unavailable",
            .refusal(
                503,
                "No camera, no picture, too much at a time for one client or for all, or Swatchcam is stopping; `code` says "
                    + "which.",
                headers: [
                    .init(
                        "Retry-After", "Seconds to wait, if a limit was reached.", .string(pattern: "^[0-9]+$"),
                        isOptional: true)
                ])
        ),
        ("OldVersion", .refusal(505, "The request is one of HTTP/1.0, which has no WebSockets.")),
    ]

    /// The keys of a reading that are null exactly if it has no colour.
    private static let ofColor = [
        "hex", "rgb", "mean", "brightness", "textColor", "color", "linear", "luminance", "statistics", "frame",
        "quality",
    ]
    /// The keys of a reading that are null if it has no colour, and may be null if it has one.
    private static let onlyWithColor = [
        "absorbance", "blank", "concentration", "calibrated", "calibration", "noise", "settled", "drift", "totalDrift",
        "match",
    ]

    /// Returns the names of the shared answers that a route has besides its own.
    private static func sharedNames(of route: Route, _ description: Route.Description) -> [String] {
        let mayHaveBody = route.method != .GET
        let names = [
            "BadRequest", route.right == .open ? nil : "Unauthorized",
            route.right == .open && route.method == .GET ? nil : "Forbidden",
            mayHaveBody ? "TooLarge" : nil,
            description.body.map { $0.type != "application/octet-stream" } == true ? "UnsupportedMediaType" : nil,
            mayHaveBody ? "ExpectationFailed" : nil, "WrongHost", description.isSocket ? "WebSocketOnly" : nil,
            route.right == .open ? nil : "TooManyGuesses", description.isAlwaysReady ? nil : "Unavailable",
            description.isSocket ? "OldVersion" : nil,
        ]
        return names.compactMap(\.self)
    }

    private static func tree(_ answer: Route.Answer) -> JSONTree {
        var fields: [(key: String, value: JSONTree)] = [("description", .string(answer.meaning))]
        if !answer.fields.isEmpty {
            let headers = answer.fields.map { field in
                let header: JSONTree = [
                    "description": .string(field.meaning), "required": .boolean(!field.isOptional),
                    "schema": field.schema.tree,
                ]
                return (key: field.name, value: header)
            }
            fields.append(("headers", .object(headers)))
        }
        if let message = answer.message { fields.append(("x-message", JSONSchema.component(message).tree)) }
        if let type = answer.type {
            // A page asks browsers for the token.
            let page: [(key: String, value: JSONTree)] =
                answer.status == 401 && type == "application/json"
                ? [("text/html", ["schema": JSONSchema.string.tree])] : []
            fields.append(("content", .object([(type, JSONTree.object([("schema", answer.schema.tree)]))] + page)))
        }
        return .object(fields)
    }

    private static func tree(_ route: Route, _ description: Route.Description) -> JSONTree {
        var fields: [(key: String, value: JSONTree)] = [
            ("operationId", .string(description.id)), ("tags", [.string(route.tag ?? "")]),
            ("summary", .string(route.summary ?? "")),
        ]
        if !description.text.isEmpty { fields.append(("description", .string(description.text))) }
        if !route.parameters.isEmpty {
            fields.append(("parameters", .array(route.parameters.map { tree($0, of: route) })))
        }
        if let body = description.body {
            let example: [(key: String, value: JSONTree)] = body.example.map { [("example", $0)] } ?? []
            let content = JSONTree.object([("schema", body.schema.tree)] + example)
            fields.append(
                ("requestBody", JSONTree.object([("required", true), ("content", .object([(body.type, content)]))])))
        }
        if route.right == .open { fields.append(("security", JSONTree.array([]))) }
        let names = sharedNames(of: route, description)
        let own = Set(description.answers.map(\.status))
        let responses =
            description.answers.map { ($0.status, tree($0)) }
            + shared.filter { names.contains($0.name) && !own.contains($0.answer.status) }.map {
                ($0.answer.status, JSONTree.object([("$ref", .string("#/components/responses/\($0.name)"))]))
            }
        let sorted = responses.sorted { $0.0 < $1.0 }.map { (key: "\($0.0)", value: $0.1) }
        return .object(fields + [("responses", .object(sorted))])
    }

    private static func tree(_ parameter: Parameter, of route: Route) -> JSONTree {
        let isInQuery = route.queryNames.contains(parameter.name)
        var fields: [(key: String, value: JSONTree)] = [
            ("name", .string(parameter.name)), ("in", isInQuery ? "query" : "path"),
        ]
        if !isInQuery || parameter.isRequired { fields.append(("required", true)) }
        if !parameter.meaning.isEmpty { fields.append(("description", .string(parameter.meaning))) }
        fields.append(("schema", parameter.schema.tree))
        if let example = parameter.example { fields.append(("example", example)) }
        return .object(fields)
    }

    /// The schema of a component, with what only the description has.
    private static func schema(_ name: String, _ schema: JSONSchema) throws -> JSONSchema {
        switch name {
        case "Reading":
            func keys(_ keys: [String], _ schema: JSONTree) -> [(key: String, value: JSONTree)] {
                keys.map { ($0, schema) }
            }
            let isNull: JSONTree = ["type": "null"]
            let sample = Reading.sample.with {
                $0.quality = Quality(flags: [.init(.automatic, value: 1, message: "Lock for measuring.")])
            }
            let with = keys(ofColor + ["camera"], ["not": isNull]) + [("message", isNull)]
            let without =
                keys(ofColor + onlyWithColor, isNull) + [("message", JSONSchema.nonEmptyString.tree)]
            return
                try schema
                .described("The colour of the region, or why there is none. Every key is always present.")
                .with(
                    "if",
                    [
                        "properties": ["state": JSONSchema.words(["live", "test-pattern"]).tree],
                        "required": ["state"],
                    ]
                )
                .with("then", ["properties": .object(with)]).with("else", ["properties": .object(without)])
                .examples(
                    JSONDecoder().decode(JSONTree.self, from: sample.json()),
                    JSONDecoder().decode(JSONTree.self, from: Reading.noCamera.json()))
        default: return schema
        }
    }

    private func description() throws -> JSONTree {
        let routes = try WebApp.sample(.sample()).routes
        let paths = routes.reduce(into: [(key: String, value: [Route])]()) { paths, route in
            guard route.description != nil else { return }
            if let index = paths.firstIndex(where: { $0.key == route.path }) {
                paths[index].value.append(route)
            } else {
                paths.append((route.path, [route]))
            }
        }
        let operations = paths.map { path, routes in
            let operations = routes.compactMap { route in
                route.description.map { (key: route.method.rawValue.lowercased(), value: Self.tree(route, $0)) }
            }
            return (key: path, value: JSONTree.object(operations))
        }
        let schemas = try Schemas.all.map { (key: $0.key, value: try Self.schema($0.key, $0.value).tree) }
        let components: JSONTree = [
            "securitySchemes": [
                "bearer": [
                    "type": "http", "scheme": "bearer",
                    "description": "`web.token` or `web.view_token` of the configuration.",
                ],
                "cookie": [
                    "type": "apiKey", "in": "cookie", "name": "swatchcam-8080",
                    "description": """
                    The id of a session, which begins with a login. The cookie's name ends with the port of the server, \
                    and begins with `__Secure-` behind a TLS proxy. Scripts send the token itself instead.
                    """,
                ],
            ],
            "responses": .object(Self.shared.map { (key: $0.name, value: Self.tree($0.answer)) }),
            "schemas": .object(schemas),
        ]
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Swatchcam", "version": .string(try Self.version()),
                "license": ["name": "MIT", "identifier": "MIT"],
                "description": .string(Self.about),
            ],
            "servers": [["url": "../"]], "security": [["bearer": []], ["cookie": []]],
            "tags": .array(Self.tags.map { ["name": .string($0)] }), "paths": .object(operations),
            "components": components,
        ]
    }

    /// Returns the version of the program, as its source has it.
    private static func version() throws -> String {
        let file = URL(filePath: #filePath).appending(path: "../../../../Sources/Swatchcam/App.swift").standardized
        let source = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        return String(try #require(source.firstMatch(of: /static let version = "([^"]+)"/)).1)
    }

    @Test("docs/openapi.json follows from the routes and the schemas; SWATCHCAM_WRITE_DOCS=1 writes it")
    func document() throws {
        try expectFile("docs/openapi.json", try description().text)
    }

    @Test("every route is described or is that of a page, and has a tag of the description")
    func routes() throws {
        for route in try WebApp.sample(.sample()).routes {
            #expect((route.description == nil) == (route.summary == nil), "\(route.path)")
            #expect(route.description == nil || Self.tags.contains(route.tag ?? ""), "\(route.path)")
        }
    }
}

extension JSONTree: Decodable {
    /// Reads a value. Its keys come in alphabetical order.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .boolean(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let values = try? value.decode([JSONTree].self) {
            self = .array(values)
        } else {
            let fields = try value.decode([String: JSONTree].self)
            self = .object(fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        }
    }
}
