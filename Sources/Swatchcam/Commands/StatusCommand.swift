import ArgumentParser
import Foundation

/// `swatchcam status`: how the one that runs on this machine is.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Ask the Swatchcam that runs how it is, and print it.",
        discussion: "It is found by the configuration, which also has its token. Exit status 69: it is not well.")

    @OptionGroup var options: ConfigOptions

    @Option(help: "It listens on this address.")
    var address: String?

    @Option(help: "It listens on this port.")
    var port: String?

    @Flag(help: "Print its newest reading as a JSON object.")
    var json = false

    func run() async throws {
        let client = StatusClient(try options.resolve(address: address, port: port).config.web)
        let place = client.address
        guard let health = await client.get("/healthz"), let reading = await client.get("/api/reading") else {
            throw Failure(status: .unavailable, message: "\(place): no Swatchcam answers. Start it: swatchcam serve")
        }
        guard reading.status == 200, let report = try? JSONDecoder().decode(Report.self, from: reading.body) else {
            throw Failure(status: .unavailable, message: "\(place): \(Self.problem(of: reading))")
        }
        try Console.write(
            json
                ? String(decoding: reading.body, as: UTF8.self)
                : "http://\(place)/: \(health.status == 200 ? "well" : "not well")\n\(report.text)")
        guard health.status == 200 else { throw ExitCode(ExitStatus.unavailable.rawValue) }
    }

    private static func problem(of answer: StatusClient.Answer) -> String {
        let refusal = try? JSONDecoder().decode([String: [String: String]].self, from: answer.body)
        guard let error = refusal?["error"], let message = error["message"] else {
            return "another program answers there (\(answer.status))"
        }
        return error["code"] == "wrong-token" || error["code"] == "no-token"
            ? "\(message) Name its configuration with --config" : message
    }
}

/// What a person wants to know of a reading.
private struct Report: Decodable {
    struct Camera: Decodable {
        var name: String
        var device: String?
    }

    struct Frame: Decodable {
        var width: Int
        var height: Int
        var format: String
    }

    struct Rate: Decodable {
        var capture: Double?
        var wanted: Double?
    }

    struct Notice: Decodable {
        var message: String
    }

    var state: String
    var since: String
    var message: String?
    var hex: String?
    var rgb: [String: Int]?
    var brightness: Double?
    var camera: Camera?
    var frame: Frame?
    var rate: Rate
    var dropped: Int
    var notices: [Notice]

    var text: String {
        var lines = ["State: \(state) since \(since)"]
        if let message { lines.append(message) }
        if let hex, let rgb, let brightness {
            let channels = ["r", "g", "b"].map { "\($0.uppercased()): \(rgb[$0] ?? 0)" }.joined(separator: " ")
            lines.append("Colour: \(hex)  \(channels)  brightness \(String(format: "%.2f", brightness))")
        }
        if let camera {
            let frame = frame.map { ", \($0.format) \($0.width)x\($0.height)" } ?? ""
            lines.append("Camera: \(camera.name)\(camera.device.map { " (\($0))" } ?? "")\(frame)")
        }
        let rates = [rate.capture.map { ("frames", $0) }, rate.wanted.map { ("readings while somebody watches", $0) }]
            .compactMap(\.self).map { "\(String(format: "%.1f", $0.1)) \($0.0)" }
        lines.append("Each second: \(rates.joined(separator: ", ")); \(dropped) frames dropped so far")
        lines += notices.map { "Notice: \($0.message)" }
        return lines.joined(separator: "\n")
    }
}
