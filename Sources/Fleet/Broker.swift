package import Configuration
import Documents
import FoundationEssentials
package import Handoff
import Logging
import Readings
package import State
import Storage
import Synchronization
import Untrusted

/// Whether there is a connection to the broker.
package enum BrokerStatus: Equatable, Sendable {
    /// No broker is configured.
    case off
    /// The first attempt is under way.
    case connecting
    case connected
    /// There is no connection: the reason, in a sentence.
    case away(String)
}

/// What a message about this camera may contain, such as that with which Home Assistant discovers it.
package typealias RetainedMessages = @Sendable (BrokerSettings) -> [RetainedMessage]

/// The connection to the broker that `config.toml` names, for as long as the program runs.
package final class Broker: Sendable {
    /// The commands that may wait. Others are refused.
    private static let maxCommands = 8
    /// After this time, a name that is still being looked up counts as a failure.
    private static let lookupTimeout = Duration.seconds(5)
    /// A connection that was lost sooner than this was ended by another client with the same id, if it happens several
    /// times in a row. In seconds.
    private static let (twinTime, twinCount) = (3.0, 5)

    /// Whether there is a connection.
    package let status: Latest<BrokerStatus>
    /// The instances of Swatchcam that use the same broker.
    package let roster: FleetRoster
    private let shared: SharedState
    private let retained: RetainedMessages
    private let log: RateLimitedLogger
    /// The refusals of commands, each of which is logged once.
    private let refusals: RateLimitedLogger

    /// - Parameter retained: Makes the messages that the broker keeps, such as that with which Home Assistant discovers
    ///   this camera. They are sent after each connection, and again when Home Assistant has started.
    package init(_ shared: SharedState, retained: @escaping RetainedMessages = { _ in [] }) {
        (self.shared, self.retained) = (shared, retained)
        // The server answers before the first attempt begins.
        status = Latest(shared.config.value.effective.mqtt.host == nil ? .off : .connecting)
        roster = FleetRoster(clocks: shared.clocks)
        log = RateLimitedLogger(shared.log, remembering: 20, clocks: shared.clocks)
        refusals = RateLimitedLogger(shared.log, remembering: 50, clocks: shared.clocks)
    }

    /// Tries to connect once, without disturbing a program that runs.
    /// - Returns: The broker's place; nil if none is configured.
    /// - Throws: The reason why there is no connection.
    package static func check(_ config: Config) async throws(BrokerFailure) -> String? {
        guard let settings = BrokerSettings(config, id: "check_\(UInt32.random(in: 0...(.max)))") else { return nil }
        let connection: BrokerConnection
        do throws(HandoffError) {
            connection = try BrokerConnection(settings, traffic: nil)
        } catch {
            throw .noThread(error.description)
        }
        let end = await withTimeout(.seconds(30)) { await connection.run() }
        switch end {
        case .done where !connection.isLookingUp: return settings.place
        case .failed(let failure, _): throw failure
        default:
            throw connection.isLookingUp ? .noNameServer(settings.host, nil) : .noAnswer(place: settings.place)
        }
    }

    /// Stays connected until the task is cancelled, and follows the configuration.
    package func run() async {
        let edits = shared.config.updates()
        let id = shared.instanceID.latest.value ?? ""
        var settings = Follower(shared.config) { BrokerSettings($0.effective, id: id) }
        while !Task.isCancelled {
            let current = settings.current
            if current != nil { await shared.instanceID.save() }
            await withTaskGroup { group in
                if let current { group.addTask { await self.stayConnected(current) } }
                for await _ in edits where settings.takeChange() != nil { break }
                group.cancelAll()
            }
            post(.off)
        }
    }

    private func post(_ status: BrokerStatus) {
        let problem: String? = if case .away(let reason) = status { reason } else { nil }
        shared.notices.post(problem.map { "The colour is not sent to the broker. \($0)" }, about: .broker)
        log.report(problem)
        if status != self.status.value { self.status.publish(status) }
    }

    private func stayConnected(_ settings: BrokerSettings) async {
        let (commands, queue) = AsyncStream.makeStream(
            of: BrokerCommand.self, bufferingPolicy: .bufferingOldest(Self.maxCommands))
        let (events, token) = shared.events.subscribe()
        defer { withExtendedLifetime(token) {} }
        post(.connecting)
        await withTaskGroup { group in
            group.addTask { await self.carryOut(commands) }
            group.addTask { await self.publishRoster() }
            await connect(settings, queue, events)
            group.cancelAll()
        }
    }

    /// Connects again and again until the task is cancelled.
    private func connect(
        _ settings: BrokerSettings, _ queue: AsyncStream<BrokerCommand>.Continuation, _ events: EventQueue
    ) async {
        if let path = settings.mqtt.passwordFile, ConfigFile.isReadableByAll(path) {
            let path = path.sanitized()
            log.log(
                .warning,
                "\(path) contains a password that every user of this machine can read. Run: chmod o= \(path)")
        }
        var delay = RetryDelay()
        var shortConnections = 0
        while !Task.isCancelled {
            guard case .failed(var failure, let time) = await connectOnce(settings, queue, events) else { return }
            let isShort = if let time, case .lost = failure { time < Self.twinTime } else { false }
            shortConnections = isShort ? shortConnections + 1 : 0
            if shortConnections >= Self.twinCount { failure = .twin(place: settings.place, id: settings.clientID) }
            if time != nil { delay.reset() }
            post(.away(failure.description))
            let wait = delay.next(at: shared.clocks.now())
            guard (try? await shared.clocks.sleep(.seconds(wait))) != nil else { return }
        }
    }

    private func connectOnce(
        _ settings: BrokerSettings, _ queue: AsyncStream<BrokerCommand>.Continuation, _ events: EventQueue
    ) async -> BrokerConnection.End {
        let connection: BrokerConnection
        do throws(HandoffError) {
            connection = try BrokerConnection(settings, traffic: traffic(settings, queue, events))
        } catch {
            return .failed(.noThread(error.description), after: nil)
        }
        defer { roster.reset(isConnected: false) }
        return await withTaskGroup(of: BrokerConnection.End?.self) { [shared] group in
            group.addTask { await connection.run() }
            group.addTask {
                guard (try? await shared.clocks.sleep(Self.lookupTimeout)) != nil else { return nil }
                if connection.isLookingUp {
                    self.post(.away(BrokerFailure.noNameServer(settings.host, nil).description))
                }
                return nil
            }
            let readings = shared.readings.updates()
            group.addTask {
                for await _ in readings { connection.wake() }
                return nil
            }
            let news = events.updates()
            group.addTask {
                for await _ in news { connection.wake() }
                return nil
            }
            group.addTask {
                await self.requestReadings()
                return nil
            }
            for await case let end? in group {
                group.cancelAll()
                return end
            }
            return .done
        }
    }

    /// Requests as many readings as are sent: one a second, or fewer if the configuration says so. While somebody
    /// watches, there are enough anyway.
    private func requestReadings() async {
        while true {
            let rate = shared.config.value.effective.readings.rate
            guard (try? await shared.clocks.sleep(.seconds(max(StateSchedule.minGap, 1 / rate)))) != nil else { return }
            guard status.value == .connected else { continue }
            _ = await shared.demand.newest(of: shared.readings, rate: rate)
        }
    }

    private func publishRoster() async {
        while (try? await shared.clocks.sleep(.seconds(FleetRoster.period))) != nil { roster.publish() }
    }

    private func traffic(
        _ settings: BrokerSettings, _ queue: AsyncStream<BrokerCommand>.Continuation, _ events: EventQueue
    ) -> BrokerTraffic {
        BrokerTraffic(
            connected: { [self] version in
                post(.connected)
                roster.reset(isConnected: true)
                log.log(.info, "Connected to the broker at \(settings.place) (libmosquitto \(version)).")
            },
            state: { [self] in state(settings) },
            events: events,
            isMoving: { [shared] in
                let next = BrokerSettings(shared.config.value.effective, id: settings.id)
                return next.map { ($0.topics.base, $0.place) != (settings.topics.base, settings.place) } ?? false
            },
            retained: { [retained] in retained(settings) },
            command: { [self] name, message in
                // It may be old, and would be carried out again after each connection.
                guard !message.isRetained else {
                    return refuse("A retained message on \(message.topic.sanitized(limit: 100)) is ignored.")
                }
                do throws(BrokerCommand.Refusal) {
                    let command = try BrokerCommand(name, message.payload)
                    if case .dropped = queue.yield(command) { refuse("Too many commands wait; some are ignored.") }
                } catch {
                    refuse(error.sentence)
                }
            },
            wantsMembers: { [roster] in roster.isWatched },
            member: { [roster] in roster.add($0, $1) },
            refused: { [self, roster] topic in
                // Then nothing of this Swatchcam can be seen there that should be removed.
                guard topic != Discovery.topic(of: settings.id) else { return }
                log.log(
                    .warning,
                    "The broker at \(settings.place) refuses the subscription to \(topic). "
                        + "Allow it for the client \(settings.clientID).")
                if settings.topics.ofMembers.contains(topic) {
                    roster.refuse("The broker at \(settings.place) does not let this Swatchcam read \(topic).")
                }
            },
            flooded: { [self] in
                log.log(.warning, "The broker at \(settings.place) sends more messages than are read; it has to wait.")
            })
    }

    private func state(_ settings: BrokerSettings) -> StateMessage? {
        let reading = shared.readings.value.asOf(shared.clocks.now())
        guard reading.sequence > 0 else { return nil }
        return StateMessage(reading, isLocked: shared.controls.value.isLocked, name: settings.name)
    }

    private func refuse(_ sentence: String) {
        refusals.log(.warning, "MQTT: \(sentence)")
    }

    /// Carries commands out one after another, but takes samples beside the others.
    private func carryOut(_ commands: AsyncStream<BrokerCommand>) async {
        let isSampling = Latest(false)
        await withTaskGroup { group in
            for await command in commands {
                if command == .sample {
                    guard !isSampling.value else {
                        refuse("set/sample: a sample is under way.")
                        continue
                    }
                    isSampling.publish(true)
                    group.addTask {
                        await self.carryOut(command)
                        isSampling.publish(false)
                    }
                } else {
                    await carryOut(command)
                }
            }
            group.cancelAll()
        }
    }

    private func carryOut(_ command: BrokerCommand) async {
        do throws(BrokerCommand.Refusal) {
            try await command.carryOut(shared)
        } catch {
            refuse(error.sentence)
        }
    }
}
