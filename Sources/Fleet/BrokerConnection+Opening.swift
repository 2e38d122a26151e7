import Configuration
import Files
import FoundationEssentials
import Glibc
import Handoff
import Synchronization
import Untrusted

/// How a connection begins.
extension BrokerConnection {
    /// The time for each address to accept a connection, in seconds.
    private static let addressTimeout = 2.0
    /// The time without traffic after which the broker is asked whether it is still there, in seconds.
    private static let keepalive = 10

    /// Looks the name up, finds an address that accepts connections, and connects to it.
    /// - Throws: `BrokerFailure`, or `Stopped`.
    func open() throws -> MosquittoClient {
        // A failure of what does not need the network comes first.
        let client = try prepared()
        let addresses = try BrokerAddress.all(of: settings.host, port: settings.mqtt.effectivePort)
        state.withLock { $0.isLookingUp = false }
        var firstFailure: BrokerFailure?
        // libmosquitto tries the addresses in turn, and would wait for minutes for one that does not answer.
        var silent: [Int32] = []
        for address in addresses {
            guard let problem = address.probe(timeout: Self.addressTimeout, until: waker) else { throw Stopped() }
            guard problem != 0 else {
                if settings.mqtt.tls, silent.contains(address.family) { break }
                try connect(client, to: address)
                return client
            }
            if problem == ETIMEDOUT { silent.append(address.family) }
            firstFailure =
                firstFailure ?? .network(problem, place: address.place(port: settings.mqtt.effectivePort))
        }
        throw firstFailure ?? .unknownName(settings.host)
    }

    /// Returns a client with everything that it needs before it may connect.
    private func prepared() throws -> MosquittoClient {
        let mqtt = settings.mqtt
        let client = try MosquittoClient(id: settings.clientID)
        if mqtt.tls {
            do throws(MosquittoClient.Problem) {
                try client.setTLS(
                    ca: mqtt.caFile, certificate: mqtt.certificateFile, key: mqtt.keyFile, acceptsAnyName: mqtt.insecure
                )
            } catch {
                throw BrokerFailure.encryption(error, mqtt)
            }
        }
        let password = try mqtt.passwordFile.map(Self.password)
        do throws(MosquittoClient.Problem) {
            if traffic != nil { try client.setWill("offline", on: settings.topics.availability) }
            if let user = mqtt.user { try client.setUser(user, password: password) }
        } catch {
            throw BrokerFailure.end(error, place: settings.place, mqtt, wasConnected: false)
        }
        return client
    }

    private static func password(in path: String) throws(BrokerFailure) -> String {
        do throws(SecretFile.Problem) {
            return try SecretFile.firstLine(of: path)
        } catch {
            throw .password("mqtt.password_file: \(error.sentence)")
        }
    }

    /// Connects to an address. TLS verifies the name, so that the library has to look it up again: it is limited to the
    /// family of the address, and those before it refuse connections at once.
    private func connect(_ client: borrowing MosquittoClient, to address: BrokerAddress) throws(BrokerFailure) {
        let tls = settings.mqtt.tls
        do throws(MosquittoClient.Problem) {
            try client.connect(
                to: tls ? settings.host : address.text, port: settings.mqtt.effectivePort, keepalive: Self.keepalive,
                from: tls ? address.wildcard : nil)
        } catch {
            throw .end(error, place: settings.place, settings.mqtt, wasConnected: false)
        }
    }
}
