import FlyingFox
import Foundation
import Logging
import Pixels

@testable import Capture
@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings
@testable import State
@testable import V4L2

/// A target for requests whose head was parsed, with any method, target, headers and body.
///
/// The input has the form of a request, so that the same files can be sent to the running program through a socket.
enum RequestTarget: FuzzTarget {
    static let name = "request"

    static var seeds: [String: [UInt8]] {
        let json = "\r\nContent-Type: application/json\r\n\r\n"
        let own = "\r\nHost: 127.0.0.1:8080\r\nOrigin: http://127.0.0.1:8080"
        return [
            "get": "GET /api/reading HTTP/1.1\r\nHost: localhost:8080\r\nIf-None-Match: W/\"a\", *\r\n\r\n",
            "host6": "HEAD /resources/style.css?a=b HTTP/1.1\r\nHost: [::ffff:127.0.0.1]:65535\r\n\r\n",
            "region": "PUT /api/settings HTTP/1.1\(own)\(json){\"effect\": \"edges\", \"region\": [0, 0.5, 1e-1, 0.5]}",
            "nested":
                "PUT /api/settings HTTP/1.1\(own)\(json){\"region\": [[[{\"a\": [null, true, -0]}]], \"\\ud83d\\ude00\"]}",
            "camera": "POST /api/camera HTTP/1.1\(own)\(json){\"id\": \"/dev/video0\"}",
            "control": "PUT /api/controls/gain HTTP/1.1\(own)\(json){\"value\": 9223372036854775807}",
            "choice": "PUT /api/controls/auto%20exposure HTTP/1.1\(own)\(json){\"value\": \"manual mode\"}",
            "lock": "DELETE /api/controls/lock HTTP/1.1\(own)\r\nSec-Fetch-Site: same-origin\r\n\r\n",
            "snapshot": "GET /snapshot.jpg?view=processed&fps=1e1 HTTP/1.1\r\nHost: LOCALHOST\r\n\r\n",
            "color": "GET /test/ff00Ff HTTP/1.1\r\nHost: swatchcam.local:1\r\nOrigin: https://x\r\n\r\n",
            "upgrade":
                "GET /ws HTTP/1.1\(own)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\r\n",
        ].mapValues { Array($0.utf8) }
    }

    static func run(_ bytes: [UInt8]) async throws(Finding) {
        let request = ParsedRequest(bytes)
        for text in request.headers.map(\.value) + [request.target] { try checkAddress(text) }
        try checkValue(request.body)
        try await checkResponse(request)
    }

    /// Checks that a text read as an address is the same when written again.
    private static func checkAddress(_ text: String) throws(Finding) {
        if let authority = Authority(text) {
            let host = authority.host.contains(":") ? "[\(authority.host)]" : authority.host
            let written = authority.port.map { "\(host):\($0)" } ?? host
            // Text in brackets is kept even if it is not an address.
            try check(
                text.hasPrefix("[") || Authority(written) == authority, "\(text.debugDescription): \(authority)")
            try check(!authority.host.isEmpty, "a host without a name: \(text.debugDescription)")
        }
        guard let address = IPAddress(text) else { return }
        try check(!text.utf8.contains(0), "an address followed by other bytes: \(text.debugDescription)")
        switch address {
        case .v4(let bytes): try check(bytes.count == 4, "\(bytes)")
        case .v6(let bytes): try check(bytes.count == 16, "\(bytes)")
        }
        try check(!(address.isLoopback && address.isWildcard), "\(address)")
    }

    /// Checks that every value in a body has a description, every refusal a reason, and that sentences about names are
    /// short.
    private static func checkValue(_ body: Data) throws(Finding) {
        guard let values = try? JSONDecoder().decode([String: ConfigValue].self, from: body) else { return }
        for (name, value) in values {
            try check(!value.sentence.isEmpty, "a value without a description")
            for control in controls {
                guard let value = control.value(from: value) else { continue }
                guard let problem = control.problem(with: value) else { continue }
                try check(!problem.isEmpty, "a refusal without a reason")
            }
            try check(
                controls.unknownControlReason(for: name).utf8.count < 200,
                "a long sentence about \(name.utf8.count) bytes")
            if case .string(let device) = value,
                case .noMatch(let mismatch) = SourceSelection(device: device, among: [])
            {
                try check(mismatch.sentenceForClient.utf8.count < 100, "a long sentence, or one that repeats the name")
            }
        }
    }

    private static let controls = [
        Control(
            id: 1, name: "gain", label: "Gain", kind: .integer, minimum: 3, maximum: .max, step: 7,
            defaultValue: .number(3), value: .number(3), choices: [], isReadOnly: false, isInactive: false),
        Control(
            id: 2, name: "mask", label: "Mask", kind: .bitmask, minimum: 0, maximum: 0xF0, step: 0,
            defaultValue: .number(0), value: .number(0), choices: [], isReadOnly: false, isInactive: false),
        Control(
            id: 3, name: "text", label: "Text", kind: .string, minimum: 0, maximum: 8, step: 1, defaultValue: nil,
            value: .text(""), choices: [], isReadOnly: false, isInactive: false),
    ]

    /// Checks that the answer has a known status, and that a refusal has a message.
    private static func checkResponse(_ request: ParsedRequest) async throws(Finding) {
        let response: HTTPResponse
        let body: Data?
        do {
            let app = try Self.app.get()
            config.publish(Settings(withHosts()))
            response = await app.handleRequest(request.request)
            body = response.headers[.contentType] == "application/json" ? await content(of: response) : nil
        } catch {
            throw Finding(sentence: "\(error)")
        }
        let status = response.statusCode.code
        try check(status != 500, "the answer is 500 to \(request.target.debugDescription)")
        guard status >= 400, request.request.method != .HEAD else { return }
        let document = body.flatMap { try? JSONDecoder().decode([String: [String: String]].self, from: $0) }
        let error = document?["error"]
        try check(
            error?["code"]?.isEmpty == false && error?["message"]?.isEmpty == false,
            "\(status) without a message to \(request.target.debugDescription)")
    }

    /// Returns the content of a response. If the response closes its connection, reading the body ends with an error.
    private static func content(of response: HTTPResponse) async -> Data? {
        guard case .httpBody(let body) = response.payload else { return nil }
        var content = Data()
        do {
            for try await part in body { content += part }
        } catch {}
        return content
    }

    private static func withHosts() -> Config {
        var config = Config()
        config.web.allowedHosts = ["swatchcam.local"]
        return config
    }

    /// The configuration, which requests may change.
    private static let config = Latest(Settings(withHosts()))

    /// An app without a camera, whose threads do not reply and which admits no viewers.
    private static let app = Result {
        let reading = Reading(
            sequence: 1, time: Date(timeIntervalSince1970: 0), state: .noCamera, since: Date(timeIntervalSince1970: 0),
            message: "There is no camera.", effect: "none", region: .full,
            rate: .init(capture: 0, reading: 4, wanted: 4),
            dropped: 0)
        let shared = try SharedState(config: config, log: Logger(label: "fuzz"))
        shared.readings.publish(reading)
        shared.cameraRequests.stop()
        shared.controlRequests.stop()
        return WebApp(
            shared: shared, pages: try Pages(templates: nil, resources: nil),
            broadcaster: WebSocketBroadcaster())
    }
}

/// A request that is split only at its lines and colons.
private struct ParsedRequest {
    var method = "GET"
    var target = "/"
    var headers: [(name: String, value: String)] = []
    var body = Data()

    init(_ bytes: [UInt8]) {
        let separator = Data("\r\n\r\n".utf8)
        let data = Data(bytes)
        let end = data.range(of: separator)
        body = end.map { Data(data[$0.upperBound...]) } ?? Data()
        let head = String(decoding: data[..<(end?.lowerBound ?? data.endIndex)], as: UTF8.self)
        var lines = head.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
            String($0).trimmingCharacters(in: CharacterSet(charactersIn: "\r"))
        }
        let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        method = words[0]
        if words.count > 1 { target = words[1] }
        headers = lines.prefix(40).compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            return (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
        }
    }

    var request: HTTPRequest {
        var all = HTTPHeaders()
        for (name, value) in headers { all[HTTPHeader(name)] = value }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return HTTPRequest(
            method: HTTPMethod(method), version: .http11,
            target: .init(path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : ""), headers: all,
            body: HTTPBodySequence(data: body))
    }
}
