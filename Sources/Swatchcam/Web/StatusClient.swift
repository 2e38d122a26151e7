import FlyingFox
import FlyingSocks
import Foundation

/// Asks a running Swatchcam on this machine how it is.
struct StatusClient: Sendable {
    /// What it said.
    struct Answer: Sendable {
        var status: Int
        var body: Data
    }

    private static let patience = Duration.seconds(5)

    /// Where it listens, for people.
    let address: ListeningAddress
    private let token: Token?

    /// - Parameter web: of the configuration that it runs with.
    init(_ web: Config.Web) {
        var host = web.address
        // What listens everywhere is asked over the loopback.
        if let address = IPAddress(host), address.isWildcard { host = host.contains(":") ? "::1" : "127.0.0.1" }
        address = ListeningAddress(host: host, port: web.port)
        token = web.token ?? web.viewToken
    }

    /// - Returns: Nil when nobody answers.
    func get(_ path: String) async -> Answer? {
        guard let socketAddress = address.socketAddress else { return nil }
        let request = HTTPRequest(
            method: .GET, version: .http11, target: .init(path: path, query: ""), headers: headers,
            body: HTTPBodySequence())
        let answer: Answer?? = await answer(within: Self.patience) {
            do {
                var client = HTTPClient()
                let response = try await client.sendHTTPRequest(request, to: socketAddress)
                return Answer(status: response.statusCode.code, body: try await response.bodyData)
            } catch {
                // Nobody listens there, or somebody who does not speak HTTP.
                return nil
            }
        }
        return answer ?? nil
    }

    /// Whether anybody answers, whatever the answer is.
    ///
    /// A response that is only glanced at costs a third of one that is taken apart: FlyingFox's client has a system
    /// call for each byte of a head.
    func isAnswered(_ path: String) async -> Bool {
        guard let socketAddress = address.socketAddress else { return false }
        let request = Data("GET \(path) HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n\r\n".utf8)
        let isAnswered: Bool? = await answer(within: Self.patience) {
            do {
                let socket = try await AsyncSocket.connected(to: socketAddress)
                defer { try? socket.close() }
                try await socket.write(request)
                return try await socket.read(atMost: 4096).starts(with: Data("HTTP/1.1 ".utf8))
            } catch {
                return false
            }
        }
        return isAnswered == true
    }

    private var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        headers[.host] = address.description
        headers[.connection] = "close"
        headers[.authorization] = token?.authorization
        return headers
    }
}
