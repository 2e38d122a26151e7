import Configuration
import Handoff
import Pixels
import Readings
import State
import Storage
import Untrusted

/// A command from the broker, of the topic `set/NAME`.
package enum BrokerCommand: Equatable, Sendable {
    case camera(String)
    case effect(String)
    case rate(Double)
    case lock(Bool)
    case sample

    /// The last level of a command's topic.
    enum Name: String, CaseIterable, Sendable { case camera, effect, rate, locked, sample }

    /// The reason why a command is not carried out: a sentence.
    package struct Refusal: Error, Equatable, Sendable {
        let sentence: String
    }

    /// The maximum length of a payload in bytes.
    static let maxLength = 512

    /// Creates a command from what was received.
    /// - Parameter name: The last level of the topic.
    /// - Throws: The reason why it is none.
    init(_ name: Substring, _ payload: [UInt8]) throws(Refusal) {
        func refusal(_ reason: String) -> Refusal {
            Refusal(sentence: "set/\(String(name).sanitized(limit: 40)): \(reason)")
        }
        guard payload.count <= Self.maxLength else { throw refusal("more than \(Self.maxLength) bytes.") }
        guard let text = String(validating: payload, as: UTF8.self)?.trimmed else {
            throw refusal("the payload is not UTF-8.")
        }
        switch Name(rawValue: String(name)) {
        case .camera:
            guard !text.isEmpty else { throw refusal("expected \"next\" or the id of a camera.") }
            self = .camera(text)
        case .effect: self = .effect(text == StateMessage.noEffect ? "none" : text)
        case .rate:
            guard let rate = Double(text), rate.isFinite else { throw refusal("\(text.quoted()) is not a number.") }
            self = .rate(rate)
        case .locked:
            guard text == "ON" || text == "OFF" else { throw refusal("\(text.quoted()) is neither ON nor OFF.") }
            self = .lock(text == "ON")
        case .sample:
            guard text == "PRESS" else { throw refusal("\(text.quoted()) is not PRESS.") }
            self = .sample
        case nil: throw refusal("there is no such command.")
        }
    }

    /// Carries the command out, validated like a request to the API.
    /// - Throws: The reason why it is not carried out.
    func carryOut(_ shared: SharedState) async throws(Refusal) {
        switch self {
        case .camera(let device):
            switch await Self.submit(device == "next" ? .next : .device(device), to: shared.cameraRequests) {
            case nil: return
            case .notFound(let sentence), .unusable(let sentence): throw Refusal(sentence: "set/camera: \(sentence)")
            case .unavailable: throw Refusal(sentence: "set/camera: too many requests wait.")
            }
        case .effect(let name): try await change(["effect": .string(name)], shared)
        case .rate(let rate): try await change(["rate": .float(rate)], shared)
        case .lock(let isLocked):
            switch await Self.submit(isLocked ? .lock : .unlock, to: shared.controlRequests) {
            case nil: return
            case .noCamera: throw Refusal(sentence: "set/locked: no camera is in use.")
            case .unknown(let sentence), .badValue(let sentence), .refused(let sentence):
                throw Refusal(sentence: "set/locked: \(sentence)")
            case .unavailable: throw Refusal(sentence: "set/locked: too many requests wait.")
            }
        case .sample:
            do throws(MeasuringRefusal) {
                _ = try await shared.takeSample()
            } catch {
                throw Refusal(sentence: "set/sample: \(error.sentence)")
            }
        }
    }

    /// Has a thread carry out a command. One that takes too long is carried out later all the same.
    /// - Returns: The reason why it is not carried out.
    private static func submit<Work: Command>(_ command: Work, to requests: RequestQueue<Work>) async -> Work.Refusal? {
        let reply = await withAbandonment(after: Demand.maxWait) { await requests.submit(command) }
        return if case .failure(let refusal)? = reply { refusal } else { nil }
    }

    private func change(_ values: [String: ConfigValue], _ shared: SharedState) async throws(Refusal) {
        do throws(ConfigError) {
            let change = try SettingsChange(values)
            await shared.settingsMemory.change { change.apply(to: &$0) }
        } catch {
            throw Refusal(sentence: "set/\(error.description)")
        }
    }
}

extension MeasuringRefusal {
    fileprivate var sentence: String {
        switch self {
        case .full: "There are as many samples as are kept. Export them, and delete some."
        case .failed(let failure): failure.sentence
        case .notAdmitted: SampleTaker.Failure.cancelled.sentence
        case .changed(let change): "\(change) while the sample was being taken."
        }
    }
}
