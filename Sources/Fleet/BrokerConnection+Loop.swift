import Configuration
import Documents
import FoundationEssentials
import Glibc
import Handoff
import State
import Synchronization
import Untrusted

/// The loop of a connection.
extension BrokerConnection {
    /// The time for the broker to accept the client, in seconds.
    private static let connackTimeout = 3.0
    /// The time for the farewell, in seconds.
    private static let farewellTimeout = 0.3
    /// The maximum number of packets that are read at a time.
    private static let maxPackets = 100
    /// The shortest time between two looks at the state, in seconds: making its message takes a millisecond.
    private static let lookInterval = 0.05
    /// The maximum size of a packet in bytes. The library would take 256 MB.
    private static let maxPacket = 1 << 20
    /// The packets that are read without delay, and the time for each further one.
    private static let (packetBurst, packetPeriod) = (2000.0, Duration.microseconds(500))
    /// The maximum number of messages that the library holds.
    private static let maxOutstanding = 20
    /// The time in which the broker has sent what it keeps, in seconds.
    private static let keptTime = 10.0
    /// The maximum number of topics of probes that are noticed: other clients may write there.
    private static let maxEarlierProbes = 200
    /// The greatest delay after Home Assistant's birth message, in seconds.
    private static let maxBirthDelay = 5.0

    /// What the loop keeps from one turn to the next.
    private struct Session {
        let began = MonotonicTime.now()
        /// The time at which the broker accepted the client.
        var connected: MonotonicTime?
        var schedule: StateSchedule
        /// What the broker keeps, and what of it is still to be sent, before the next state.
        var kept: [RetainedMessage] = []
        var pending: [RetainedMessage] = []
        /// What the broker keeps of each probe, by its topic.
        var probes: [String: ProbeMessage] = [:]
        /// The topics of probes that the broker has kept since before this connection, while they are being received.
        var earlierProbes: Set<String>? = []
        /// What was last sent to the topic `camera`, and when.
        var camera: (isOnline: Bool, time: MonotonicTime)?
        /// The number of the event that was sent and is not acknowledged yet.
        var event: Int?
        /// When everything is sent again for Home Assistant, and when that was done.
        var birth: MonotonicTime?
        var lastBirth: MonotonicTime?
        var hasMembers = false
        /// The numbers of the subscriptions, by their topics.
        var subscriptions: [String: Int32] = [:]
        var packets: TokenBucket
        /// The time until which nothing is read.
        var pause: MonotonicTime?
        var mayHaveMore = false
        /// The time from which the next state is looked at, and whether one was left for then.
        var look: MonotonicTime?
        var isLookDue = false

        mutating func subscribe(
            _ client: borrowing MosquittoClient, to topic: String, qos: Int32
        ) throws(MosquittoClient.Problem) {
            subscriptions[topic] = try client.subscribe(to: topic, qos: qos)
        }

        /// Sends these messages, or only those that differ from the ones before.
        mutating func keep(_ messages: [RetainedMessage], all: Bool = true) {
            pending = all ? messages : pending + messages.filter { !kept.contains($0) }
            kept = messages
        }

        /// Sends what has changed of the probes, and has the broker forget those that are gone.
        mutating func keep(_ messages: [ProbeMessage], change: Double) {
            let topics = Set(messages.map(\.topic))
            let gone = Set(probes.keys).union(earlierProbes ?? []).subtracting(topics)
            pending += gone.sorted().map { RetainedMessage(topic: $0, payload: []) }
            for topic in gone { probes[topic] = nil }
            if earlierProbes != nil { earlierProbes = [] }
            for message in messages
            where probes[message.topic].map({ message.differs(from: $0, byMoreThan: change) }) ?? true {
                probes[message.topic] = message
                pending.append(RetainedMessage(topic: message.topic, payload: message.payload))
            }
        }
    }

    func serve(_ client: inout MosquittoClient) -> End {
        let mqtt = settings.mqtt
        var session = Session(
            schedule: StateSchedule(interval: Double(mqtt.interval), change: mqtt.change),
            packets: TokenBucket(capacity: Self.packetBurst, period: Self.packetPeriod, at: .now()))
        do {
            while !state.withLock({ $0.isStopped }) {
                try exchange(&client, &session)
                try check(client, &session)
                guard session.connected != nil else { continue }
                guard traffic != nil else {
                    try? client.disconnect()
                    return .done
                }
                try send(&client, &session)
            }
            if session.connected != nil { leave(&client, session.probes.keys) }
            return .done
        } catch {
            let failure: BrokerFailure
            switch error {
            // A refusal also ends the connection.
            case _ where session.connected == nil && (client.connack ?? 0) != 0:
                failure = .refusal(client.connack ?? 0, place: settings.place, settings)
            case let error as BrokerFailure: failure = error
            case let error as MosquittoClient.Problem:
                failure = .end(error, place: settings.place, mqtt, wasConnected: session.connected != nil)
            default: failure = .lost(place: settings.place)
            }
            return .failed(failure, after: session.connected.map { .now() - $0 })
        }
    }

    /// Waits for the socket or a wake-up, and reads and writes what is possible.
    private func exchange(_ client: inout MosquittoClient, _ session: inout Session) throws {
        guard let socket = client.socket else { throw BrokerFailure.lost(place: settings.place) }
        let now = MonotonicTime.now()
        if let pause = session.pause, pause <= now { session.pause = nil }
        // The library would keep the acknowledgements of what is read while the broker does not read them.
        let mayRead = session.pause == nil && !(session.connected != nil && client.isBehind)
        let events = (mayRead ? POLLIN : 0) | (client.wantsWrite ? POLLOUT : 0)
        var deadline = now + 1
        let look = session.isLookDue ? session.look : nil
        for other in [session.pause, session.birth, session.schedule.opening, look].compactMap(\.self)
        where other > now {
            deadline = min(deadline, other)
        }
        if session.mayHaveMore, mayRead { deadline = now }
        var entries = [
            pollfd(fd: socket, events: Int16(events), revents: 0),
            pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let count = unsafe poll(&entries, 2, deadline.pollTimeout)
        if count > 0, entries[1].revents != 0 { waker.reset() }
        let ready = count > 0 ? Int32(entries[0].revents) : 0
        // An error is found by reading.
        if mayRead && (session.mayHaveMore || ready & POLLIN != 0) || ready & (POLLERR | POLLHUP) != 0 {
            try read(&client, &session)
        }
        if client.wantsWrite { try client.write() }
        try client.tend()
    }

    private func read(_ client: inout MosquittoClient, _ session: inout Session) throws {
        var count = 0
        repeat {
            session.mayHaveMore = try client.read()
            while let number = client.takeRefused() {
                // Without the topics of probes, only those of probes that are gone stay.
                if let topic = session.subscriptions.first(where: { $0.value == number })?.key,
                    topic != settings.topics.probe("+")
                {
                    traffic?.refused(topic)
                }
            }
            count += 1
            // A read of a part of a packet counts as well.
            if !session.packets.take(at: .now()) {
                session.pause = .now() + 0.05
                traffic?.flooded()
                break
            }
            guard session.mayHaveMore else { break }
            if session.connected != nil, client.isBehind { break }
        } while count < Self.maxPackets
        guard client.unfinished <= Self.maxPacket else { throw BrokerFailure.tooLong(place: settings.place) }
        guard !client.hasQoS2 else { throw BrokerFailure.notMQTT(place: settings.place) }
        for message in client.inbox.takeAll() { receive(message, &session) }
    }

    /// Notices that the broker accepts the client, or does not answer in time.
    private func check(_ client: borrowing MosquittoClient, _ session: inout Session) throws {
        guard session.connected == nil else { return }
        guard let code = client.connack else {
            guard .now() - session.began < Self.connackTimeout else {
                throw BrokerFailure.silent(place: settings.place, isEncrypted: settings.mqtt.tls)
            }
            return
        }
        guard code == 0 else { throw BrokerFailure.refusal(code, place: settings.place, settings) }
        session.connected = .now()
        guard let traffic else { return }
        if settings.mqtt.control { try session.subscribe(client, to: settings.topics.command("+"), qos: 1) }
        if settings.mqtt.discovery { try session.subscribe(client, to: FleetTopics.birth, qos: 1) }
        session.keep(keptMessages(traffic))
        // The broker may have kept what an earlier program has sent.
        try session.subscribe(client, to: settings.topics.probe("+"), qos: 0)
        let description = Discovery.topic(of: settings.id)
        if !session.kept.contains(where: { $0.topic == description }) {
            try session.subscribe(client, to: description, qos: 1)
        }
        traffic.connected(client.version)
    }

    /// Everything that the broker keeps, except for the topic `camera`.
    private func keptMessages(_ traffic: BrokerTraffic) -> [RetainedMessage] {
        traffic.retained() + [RetainedMessage(topic: settings.topics.availability, payload: Array("online".utf8))]
    }

    /// Sends what is due, unless the broker is behind: what waits here is replaced by what is newer.
    private func send(_ client: inout MosquittoClient, _ session: inout Session) throws {
        guard let traffic else { return }
        try followMembers(traffic, client, &session)
        let now = MonotonicTime.now()
        if let birth = session.birth, birth <= now {
            (session.birth, session.lastBirth) = (nil, now)
            session.keep(keptMessages(traffic))
            session.camera = nil
            session.schedule.force()
        }
        func isReady(_ client: borrowing MosquittoClient) -> Bool {
            !client.wantsWrite && client.outstanding < Self.maxOutstanding
        }
        try sendEvent(traffic, &client, &session)
        while !session.pending.isEmpty, isReady(client) {
            let message = session.pending.removeFirst()
            try client.publish(message.payload, on: message.topic, qos: 1, isRetained: true)
        }
        guard session.pending.isEmpty, isReady(client), (session.schedule.opening ?? now) <= now else { return }
        session.isLookDue = session.look.map { now < $0 } ?? false
        guard !session.isLookDue else { return }
        session.look = now + Self.lookInterval
        guard let message = traffic.state() else { return }
        if session.camera?.isOnline != message.hasColor, now - (session.camera?.time ?? now + -1) >= 1 {
            session.camera = (message.hasColor, now)
            let payload = Array((message.hasColor ? "online" : "offline").utf8)
            try client.publish(payload, on: settings.topics.camera, qos: 1, isRetained: true)
        }
        guard isReady(client), let payload = session.schedule.next(message, at: now) else { return }
        // The cameras and the name may have changed.
        session.keep(keptMessages(traffic), all: false)
        try client.publish(payload, on: settings.topics.state, qos: 0, isRetained: false)
        session.keep(ProbeMessage.all(message.reading, settings.topics), change: settings.mqtt.change)
        if let connected = session.connected, session.earlierProbes != nil, now - connected > Self.keptTime {
            session.earlierProbes = nil
            try client.unsubscribe(from: settings.topics.probe("+"))
        }
        if let payload = message.probesPayload {
            try client.publish(payload, on: settings.topics.probes, qos: 0, isRetained: false)
        }
    }

    /// Sends the oldest event. It is forgotten once the broker has acknowledged it, so that the next connection sends what
    /// this one has lost.
    private func sendEvent(
        _ traffic: BrokerTraffic, _ client: inout MosquittoClient, _ session: inout Session
    ) throws {
        guard !client.wantsWrite else { return }
        if let number = session.event {
            guard client.outstanding == 0 else { return }
            traffic.events.remove(number)
            session.event = nil
        }
        guard client.outstanding < Self.maxOutstanding, let (number, event) = traffic.events.first else { return }
        try client.publish(Array(JSONWriter.data(event)), on: settings.topics.event, qos: 1, isRetained: false)
        session.event = number
    }

    private func followMembers(
        _ traffic: BrokerTraffic, _ client: borrowing MosquittoClient, _ session: inout Session
    ) throws {
        let isWanted = traffic.wantsMembers()
        guard isWanted != session.hasMembers, !client.wantsWrite else { return }
        session.hasMembers = isWanted
        for topic in settings.topics.ofMembers {
            if isWanted {
                try session.subscribe(client, to: topic, qos: 0)
            } else {
                try client.unsubscribe(from: topic)
            }
        }
    }

    private func receive(_ message: ReceivedMessage, _ session: inout Session) {
        guard let traffic, message.topic.isStreamSafe else { return }
        if message.topic == FleetTopics.birth {
            guard settings.mqtt.discovery, message.payload == Array("online".utf8), session.birth == nil else { return }
            let now = MonotonicTime.now()
            let earliest = max(now, session.lastBirth.map { $0 + Self.maxBirthDelay } ?? now)
            session.birth = earliest + .random(in: 0...Self.maxBirthDelay)
        } else if message.topic == Discovery.topic(of: settings.id) {
            guard !settings.mqtt.discovery, message.isRetained else { return }
            session.keep([RetainedMessage(topic: message.topic, payload: [])] + session.kept, all: false)
        } else if let slug = message.topic.rest(after: settings.topics.probe("")) {
            // What others have written there under names of other kinds is not Swatchcam's.
            guard message.isRetained, !message.payload.isEmpty, String(slug).slug(or: "") == slug, !slug.isEmpty else {
                return
            }
            if session.earlierProbes.map({ $0.count < Self.maxEarlierProbes }) ?? false {
                session.earlierProbes?.insert(message.topic)
            }
        } else if let name = message.topic.rest(after: "\(settings.topics.base)/set/") {
            // The broker may send what nobody subscribed to.
            if settings.mqtt.control { traffic.command(name, message) }
        } else if session.hasMembers, let rest = message.topic.rest(after: "\(settings.mqtt.topic)/") {
            traffic.member(rest, message)
        }
    }

    /// Says farewell. If that takes too long, the broker publishes the will instead.
    ///
    /// If the next connection has other topics, the broker is not to keep these: after `offline`, an empty message removes
    /// each.
    /// - Parameter probes: The topics of the probes.
    private func leave(_ client: inout MosquittoClient, _ probes: some Collection<String>) {
        let deadline = MonotonicTime.now() + Self.farewellTimeout
        do {
            guard !client.wantsWrite else { return }
            // Without a program, nobody knows the states of the probes.
            for topic in probes { try client.publish([], on: topic, qos: 1, isRetained: true) }
            let topics = [settings.topics.camera, settings.topics.availability]
            for payload in traffic?.isMoving() == true ? ["offline", ""] : ["offline"] {
                for topic in topics { try client.publish(Array(payload.utf8), on: topic, qos: 1, isRetained: true) }
            }
            // Until it is acknowledged: closing a socket with unread data could discard what the broker has not read.
            while client.outstanding > 0 || client.wantsWrite {
                guard let socket = client.socket, deadline.pollTimeout > 0 else { return }
                let events = POLLIN | (client.wantsWrite ? POLLOUT : 0)
                var entry = pollfd(fd: socket, events: Int16(events), revents: 0)
                _ = unsafe poll(&entry, 1, deadline.pollTimeout)
                while try client.read(), deadline.pollTimeout > 0 {}
                if client.wantsWrite { try client.write() }
            }
            try client.disconnect()
        } catch {
            // The connection is lost, and the will has been published.
        }
    }
}
