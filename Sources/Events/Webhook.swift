import Configuration
import Documents
import FoundationEssentials
import Handoff
import Logging
import Readings
package import State
import Untrusted

/// Sends each event to the address that `config.toml` names, for as long as the program runs.
///
/// Events are sent one after another, in their order. While they cannot be sent, they wait, and nothing else does.
package final class Webhook: Sendable {
    /// The age at which an event that could not be sent is given up, in seconds.
    private static let maxAge = 86_400.0

    private let shared: SharedState
    private let userAgent: String
    private let log: RateLimitedLogger

    /// - Parameter version: The version of the program.
    package init(_ shared: SharedState, version: String) {
        self.shared = shared
        userAgent = "Swatchcam/\(version)"
        log = RateLimitedLogger(shared.log, remembering: 20, clocks: shared.clocks)
    }

    /// Sends events until the task is cancelled, and follows the configuration.
    package func run() async {
        let edits = shared.config.updates()
        var settings = Follower(shared.config) { Settings($0.effective.events) }
        while !Task.isCancelled {
            let current = settings.current
            await withTaskGroup { group in
                if let current { group.addTask { await self.send(current) } }
                for await _ in edits where settings.takeChange() != nil { break }
                group.cancelAll()
            }
            post(nil)
        }
    }

    /// What a request depends on.
    private struct Settings: Equatable, Sendable {
        let address: WebhookAddress
        let tokenFile: String?

        init?(_ events: Config.Events) {
            guard let webhook = events.webhook else { return nil }
            (address, tokenFile) = (webhook, events.webhookTokenFile)
        }
    }

    private func post(_ problem: String?) {
        shared.notices.post(problem.map { "Events are not sent to the webhook. \($0)" }, about: .events)
        log.report(problem.map { "Webhook: \($0)" })
    }

    /// Sends all further events until the task is cancelled.
    private func send(_ settings: Settings) async {
        let (queue, token) = shared.events.subscribe()
        // Otherwise, a reading a minute would be all that is known while no page is open.
        let watch = shared.demand.watch()
        defer { withExtendedLifetime((token, watch)) {} }
        if let path = settings.tokenFile, ConfigFile.isReadableByAll(path) {
            let path = path.sanitized()
            log.log(
                .warning, "\(path) contains a token that every user of this machine can read. Run: chmod o= \(path)")
        }
        var delay = RetryDelay()
        while let (number, event) = await queue.next() {
            await send(event, settings, &delay)
            guard !Task.isCancelled else { return }
            queue.remove(number)
            let dropped = queue.takeDropped()
            guard dropped > 0 else { continue }
            let events = dropped == 1 ? "1 event was" : "\(dropped) events were"
            log.log(.warning, "Webhook: \(events) dropped, because too many waited.", isEvent: true)
        }
    }

    /// Sends an event again and again until it is received, refused for good, or too old.
    private func send(_ event: Event, _ settings: Settings, _ delay: inout RetryDelay) async {
        let body = JSONWriter.data(event)
        while !Task.isCancelled {
            guard let failure = await trySending(body, settings) else {
                // A request that was cancelled says nothing.
                guard !Task.isCancelled else { return }
                succeed(settings)
                delay.reset()
                return
            }
            post(failure.description)
            let now = shared.clocks.now()
            guard !failure.isFinal, shared.clocks.date().timeIntervalSince(event.mark.time) < Self.maxAge else {
                log.log(.warning, "Webhook: an event is given up: \(event.mark.text)", isEvent: true)
                return
            }
            guard (try? await shared.clocks.sleep(.seconds(delay.next(at: now)))) != nil else { return }
        }
    }

    private func succeed(_ settings: Settings) {
        log.log(.info, "Events are sent to \(settings.address.place) (libcurl \(WebhookRequest.version)).")
        post(nil)
    }

    /// Sends a document once.
    /// - Returns: The reason why it was not received; nil if it was, or if the task was cancelled.
    private func trySending(_ body: Data, _ settings: Settings) async -> WebhookFailure? {
        let request: WebhookRequest
        do throws(WebhookFailure) {
            request = try WebhookRequest()
        } catch {
            return error
        }
        let result = Latest(WebhookFailure?.none)
        await BlockingThread.run(named: "webhook") { [userAgent] in
            result.publish(Self.post(body, settings, by: request, userAgent))
        } onCancel: {
            request.cancel()
        }
        return result.value
    }

    private static func post(
        _ body: Data, _ settings: Settings, by request: WebhookRequest, _ userAgent: String
    ) -> WebhookFailure? {
        let token: String?
        do throws(SecretFile.Problem) {
            token = try settings.tokenFile.map { path throws(SecretFile.Problem) in
                try SecretFile.firstLine(of: path)
            }
        } catch {
            return .token("events.webhook_token_file: \(error.sentence)")
        }
        // Anything else could end the line of the header.
        guard token?.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) ?? true else {
            let path = settings.tokenFile?.sanitized() ?? ""
            return .token(
                "events.webhook_token_file: \(path): its first line contains a space or a character beyond ASCII.")
        }
        let address = settings.address
        let outcome = request.post(
            body, to: address.url, isEncrypted: address.isEncrypted, token: token, userAgent: userAgent)
        return WebhookFailure(
            outcome, place: address.place, isEncrypted: address.isEncrypted, hasToken: token != nil)
    }
}
