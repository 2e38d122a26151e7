import CMosquitto
import Configuration
import Glibc
import Untrusted

/// The reason why there is no connection to the broker.
package enum BrokerFailure: Error, Equatable, Sendable {
    /// libmosquitto cannot be loaded: what the loader says.
    case library(String)
    case noMemory
    /// The system allows no thread or file descriptor: a sentence.
    case noThread(String)
    /// The password cannot be read: a sentence.
    case password(String)
    /// There is no machine of this name.
    case unknownName(String)
    /// No name server has answered a question for this name, with the reason if there is one.
    case noNameServer(String, String?)
    case refused(place: String)
    case noAnswer(place: String)
    /// The network does not lead there: the reason.
    case unreachable(place: String, String)
    /// The connection was accepted, but no broker has answered.
    case silent(place: String, isEncrypted: Bool)
    /// TLS could not be set up, so nothing was sent: the reason.
    case encryption(String)
    case wrongName(place: String)
    case untrusted(place: String, hasFile: Bool)
    case noTLS(place: String)
    case certificateRequired(place: String)
    /// The connection ended while the encryption was being agreed on.
    case unfinishedTLS(place: String)
    /// TLS has failed for another reason: what the library says.
    case tls(place: String, String)
    case protocolVersion(place: String)
    case clientID(place: String, String)
    case unavailable(place: String)
    case wrongPassword(place: String)
    case notAuthorised(place: String, hasUser: Bool)
    case notMQTT(place: String)
    case tooLong(place: String)
    case lost(place: String)
    /// The connection was lost again and again as soon as it was there.
    case twin(place: String, id: String)
    /// Something else: what the library says.
    case other(place: String, String)
}

extension BrokerFailure: CustomStringConvertible {
    /// What happened, and what to do about it.
    package var description: String {
        switch self {
        case .library(let reason) where reason.contains("No such file"):
            "MQTT requires libmosquitto, which is not installed. Run: apt install libmosquitto1"
        case .library(let reason): "libmosquitto cannot be loaded: \(reason.sanitized())."
        case .noMemory: "There is no memory for a connection to the broker."
        case .noThread(let sentence), .password(let sentence): sentence
        case .unknownName(let name): "There is no machine named \(name). Correct mqtt.host."
        case .noNameServer(let name, let reason):
            "The address of \(name) cannot be looked up\(reason.map { ": \($0)" } ?? ", because no name server answers")."
        case .refused(let place):
            "\(place) refuses the connection: nothing listens there. Start the broker, or correct mqtt.host and mqtt.port."
        case .noAnswer(let place):
            "\(place) does not answer. Check that the machine is on, and that no firewall blocks the port."
        case .unreachable(let place, let reason): "\(place) cannot be reached: \(reason)."
        case .silent(let place, let isEncrypted):
            "\(place) accepts connections, but does not answer as a broker. "
                + (isEncrypted
                    ? "Check that this port is the one for TLS." : "If this port is for TLS, set mqtt.tls = true.")
        case .encryption(let reason): "The connection cannot be encrypted, so none is made: \(reason)."
        case .wrongName(let place):
            "The certificate of \(place) is for another name. Set mqtt.host to a name in it, or mqtt.insecure = true."
        case .untrusted(let place, let hasFile):
            "The certificate of \(place) is not accepted: it has expired, this machine's clock is wrong, or "
                + (hasFile
                    ? "it is not signed by a CA in mqtt.ca_file."
                    : "it is not signed by a CA that this system knows; name that CA in mqtt.ca_file.")
        case .noTLS(let place):
            "\(place) does not answer with TLS. Correct mqtt.port, or set mqtt.tls = false."
        case .certificateRequired(let place):
            "\(place) does not accept the connection without a certificate that it knows. "
                + "Check mqtt.certificate_file and mqtt.key_file."
        case .unfinishedTLS(let place):
            "\(place) ends the connection before it is encrypted. Check that this port is the one for TLS. If the broker "
                + "requires a certificate of its clients, set mqtt.certificate_file and mqtt.key_file."
        case .tls(let place, let reason): "TLS with \(place) fails: \(reason)."
        case .protocolVersion(let place): "The broker at \(place) does not support MQTT 3.1.1."
        case .clientID(let place, let id): "The broker at \(place) does not accept the client id \(id)."
        case .unavailable(let place): "The broker at \(place) says that it is not available."
        case .wrongPassword(let place):
            "The broker at \(place) refuses the user or the password. Check mqtt.user and mqtt.password_file."
        case .notAuthorised(let place, let hasUser):
            "The broker at \(place) does not authorise this client. "
                + (hasUser
                    ? "Check mqtt.user and mqtt.password_file, and what the broker allows this user."
                    : "If it requires a password, set mqtt.user and mqtt.password_file.")
        case .notMQTT(let place): "What answers at \(place) is not an MQTT broker. Correct mqtt.host and mqtt.port."
        case .tooLong(let place):
            "The broker at \(place) has sent a message of more than 1 MB, which ends the connection."
        case .lost(let place): "The connection to the broker at \(place) was lost."
        case .twin(let place, let id):
            "The broker at \(place) ends the connection again and again as soon as it is there. Another client probably has "
                + "the same id, \(id): if this machine is a copy of another one, delete instance.json in its state folder, and restart it."
        case .other(let place, let reason): "The connection to the broker at \(place) fails: \(reason)."
        }
    }
}

extension BrokerFailure {
    /// Explains what TLS could not be set up with.
    static func encryption(_ problem: MosquittoClient.Problem, _ mqtt: Config.MQTT) -> BrokerFailure {
        let files = [mqtt.caFile, mqtt.certificateFile, mqtt.keyFile].compactMap(\.self)
        if let missing = files.first(where: { unsafe access($0, R_OK) != 0 }) {
            return .encryption("\(missing.sanitized()) cannot be read")
        }
        return .encryption(problem.log.firstLine ?? "libmosquitto says \(problem.code)")
    }

    /// Explains the code of a CONNACK other than 0 (MQTT 3.1.1, 3.2.2.3).
    static func refusal(_ code: Int32, place: String, _ settings: BrokerSettings) -> BrokerFailure {
        switch code {
        case 1: .protocolVersion(place: place)
        case 2: .clientID(place: place, settings.clientID)
        case 3: .unavailable(place: place)
        case 4: .wrongPassword(place: place)
        case 5: .notAuthorised(place: place, hasUser: settings.mqtt.user != nil)
        default: .notMQTT(place: place)
        }
    }

    /// Explains the end of a connection. TLS is explained by what the library has logged, because the codes differ
    /// between its versions.
    /// - Parameter wasConnected: Whether the broker had accepted the client.
    static func end(
        _ problem: MosquittoClient.Problem, place: String, _ mqtt: Config.MQTT, wasConnected: Bool
    ) -> BrokerFailure {
        let log = problem.log.lowercased()
        if mqtt.tls, !wasConnected {
            if log.contains("host name verification failed") { return .wrongName(place: place) }
            if log.contains("certificate verify failed") {
                return .untrusted(place: place, hasFile: mqtt.caFile != nil)
            }
            // Some files are only read now.
            if log.contains("unable to load"), let line = problem.log.firstLine { return .encryption(line) }
            if log.contains("certificate required") || log.contains("handshake failure")
                || log.contains("unknown ca") || log.contains("bad certificate")
            {
                return .certificateRequired(place: place)
            }
            if log.contains("wrong version number") || log.contains("packet length too long")
                || log.contains("record layer failure")
            {
                return .noTLS(place: place)
            }
            // What ends the connection does not always get as far as the log.
            let isEnd = log.contains("reset by peer") || log.contains("unexpected eof")
            guard !isEnd, let line = problem.log.firstLine else { return .unfinishedTLS(place: place) }
            return .tls(place: place, line)
        }
        switch problem.code {
        case SWATCHCAM_MQTT_PROTOCOL: return .notMQTT(place: place)
        case SWATCHCAM_MQTT_KEEPALIVE: return .noAnswer(place: place)
        case SWATCHCAM_MQTT_LOST, SWATCHCAM_MQTT_NOT_CONNECTED: return .lost(place: place)
        case SWATCHCAM_MQTT_ERRNO:
            // EPROTO is what TLS leaves when the broker is gone.
            if [ECONNRESET, EPIPE, EPROTO, 0].contains(problem.errno) { return .lost(place: place) }
            return .network(problem.errno, place: place)
        default: return .other(place: place, problem.log.firstLine ?? "libmosquitto says \(problem.code)")
        }
    }

    /// Explains why an address cannot be connected to.
    static func network(_ errno: Int32, place: String) -> BrokerFailure {
        switch errno {
        case ECONNREFUSED: .refused(place: place)
        case ETIMEDOUT: .noAnswer(place: place)
        default: .unreachable(place: place, unsafe String(cString: strerror(errno)))
        }
    }
}

extension String {
    /// The first line that is not empty, sanitized and without the full stop; nil if there is none.
    fileprivate var firstLine: String? {
        guard let line = split(whereSeparator: \.isNewline).first(where: { !$0.allSatisfy(\.isWhitespace) }) else {
            return nil
        }
        let text = String(line).trimmed.sanitized(limit: 200)
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}
