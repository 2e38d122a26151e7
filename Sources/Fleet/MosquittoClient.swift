import CMosquitto
import Glibc

/// A message that the broker keeps for clients that subscribe later. An empty payload removes an earlier one.
package struct RetainedMessage: Equatable, Sendable {
    package var topic: String
    package var payload: [UInt8]
}

struct ReceivedMessage: Equatable {
    var topic: String
    var payload: [UInt8]
    /// Whether the broker had kept it, so that it may be old.
    var isRetained: Bool
}

/// The messages that one call of ``MosquittoClient/read()`` has received. A payload that is too long is cut off, which
/// leaves nothing that is valid; one with a topic that is too long is left out.
final class Inbox {
    /// The maximum length of a topic and of a payload, in bytes. What Swatchcam reads is far shorter.
    static let (maxTopic, maxPayload) = (512, 16_384)

    private(set) var messages: [ReceivedMessage] = []

    func add(_ message: ReceivedMessage) { messages.append(message) }

    func takeAll() -> [ReceivedMessage] {
        defer { messages.removeAll(keepingCapacity: true) }
        return messages
    }
}

/// A client of libmosquitto, used on one thread.
@safe struct MosquittoClient: ~Copyable {
    /// What goes wrong during a connection: the code, the errno of the system, and what the library has logged.
    struct Problem: Error {
        var code: Int32
        var errno: Int32
        var log: String
    }

    private let client: OpaquePointer
    let inbox: Inbox
    /// The number of messages that were handed to the library.
    private(set) var published: UInt64 = 0

    /// Loads the library if necessary.
    /// - Throws: `BrokerFailure` if it cannot be loaded, or if there is no memory.
    init(id: String) throws(BrokerFailure) {
        if let reason = unsafe swatchcam_mqtt_load() { throw .library(unsafe String(cString: reason)) }
        guard let client = unsafe swatchcam_mqtt_new(id) else { throw .noMemory }
        // Not where it is declared: at that, the compiler of Swift 6.2 crashes.
        inbox = Inbox()
        unsafe self.client = client
        unsafe swatchcam_mqtt_set_receiver(
            client,
            { context, topic, payload, size, isRetained in
                guard let context = unsafe context, let topic = unsafe topic,
                    unsafe strnlen(topic, Inbox.maxTopic + 1) <= Inbox.maxTopic
                else { return }
                let bytes = unsafe UnsafeBufferPointer(start: payload, count: min(Int(max(0, size)), Inbox.maxPayload))
                let inbox = unsafe Unmanaged<Inbox>.fromOpaque(context).takeUnretainedValue()
                inbox.add(
                    ReceivedMessage(
                        topic: unsafe String(cString: topic), payload: unsafe Array(bytes), isRetained: isRetained))
            }, Unmanaged.passUnretained(inbox).toOpaque())
    }

    deinit { unsafe swatchcam_mqtt_free(client) }

    /// The version of the library: `2.0.11`.
    var version: String {
        let number = swatchcam_mqtt_version()
        return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
    }

    /// Sets the message that the broker publishes, and keeps, when the connection ends without a farewell.
    func setWill(_ payload: String, on topic: String) throws(Problem) {
        try check(unsafe swatchcam_mqtt_set_will(client, topic, payload))
    }

    func setUser(_ user: String, password: String?) throws(Problem) {
        try check(unsafe swatchcam_mqtt_set_user(client, user, password))
    }

    /// Requires encryption. If this throws, the client must not connect: it would do so without.
    func setTLS(ca: String?, certificate: String?, key: String?, acceptsAnyName: Bool) throws(Problem) {
        try check(unsafe swatchcam_mqtt_set_tls(client, ca, certificate, key, acceptsAnyName))
    }

    /// Connects, which blocks. What follows does not.
    /// - Parameter wildcard: The address that binds the connection to a family; nil for the first that answers.
    func connect(to host: String, port: Int, keepalive: Int, from wildcard: String?) throws(Problem) {
        try check(unsafe swatchcam_mqtt_connect(client, host, Int32(port), Int32(keepalive), wildcard))
    }

    /// The socket; nil if there is no connection.
    var socket: Int32? {
        let socket = unsafe swatchcam_mqtt_socket(client)
        return socket >= 0 ? socket : nil
    }

    /// Whether the network does not take what is sent.
    var isBehind: Bool { unsafe swatchcam_mqtt_is_behind(client) }
    /// Whether the broker has sent a message of QoS 2, to which nobody has subscribed.
    var hasQoS2: Bool { unsafe swatchcam_mqtt_has_qos2(client) }
    var wantsWrite: Bool { unsafe swatchcam_mqtt_wants_write(client) }
    /// The code of CONNACK; nil before that.
    var connack: Int32? {
        let code = unsafe swatchcam_mqtt_connack(client)
        return code >= 0 ? code : nil
    }
    /// The number of messages that the library still holds: not sent, or not acknowledged.
    var outstanding: UInt64 {
        let completed = unsafe swatchcam_mqtt_completed(client)
        return published > completed ? published - completed : 0
    }
    /// The number of bytes of a packet that is not complete yet.
    var unfinished: UInt64 { unsafe swatchcam_mqtt_unfinished(client) }

    /// Reads at most one packet.
    /// - Returns: Whether there may be more.
    func read() throws(Problem) -> Bool {
        var hasMore = false
        try check(unsafe swatchcam_mqtt_read(client, &hasMore))
        return hasMore
    }

    func write() throws(Problem) { try check(unsafe swatchcam_mqtt_write(client)) }
    /// Sends pings, and detects that they are not answered.
    func tend() throws(Problem) { try check(unsafe swatchcam_mqtt_tend(client)) }

    mutating func publish(_ payload: [UInt8], on topic: String, qos: Int32, isRetained: Bool) throws(Problem) {
        try check(unsafe swatchcam_mqtt_publish(client, topic, payload, Int32(payload.count), qos, isRetained))
        published += 1
    }

    /// - Returns: The number of the subscription.
    func subscribe(to topic: String, qos: Int32) throws(Problem) -> Int32 {
        var number: Int32 = 0
        try check(unsafe swatchcam_mqtt_subscribe(client, topic, qos, &number))
        return number
    }

    /// Returns the number of a subscription that the broker has refused, once for each; nil if there is no other.
    func takeRefused() -> Int32? {
        let number = unsafe swatchcam_mqtt_take_refused(client)
        return number > 0 ? number : nil
    }

    func unsubscribe(from topic: String) throws(Problem) {
        try check(unsafe swatchcam_mqtt_unsubscribe(client, topic))
    }

    /// Says farewell, so that the broker does not publish the will.
    func disconnect() throws(Problem) { try check(unsafe swatchcam_mqtt_disconnect(client)) }

    private func check(_ code: Int32) throws(Problem) {
        let number = errno
        guard code != 0 else { return }
        throw Problem(code: code, errno: number, log: unsafe String(cString: swatchcam_mqtt_log(client)))
    }
}
