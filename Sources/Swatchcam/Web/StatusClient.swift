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

    private var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        headers[.host] = address.description
        headers[.connection] = "close"
        headers[.authorization] = token?.authorization
        return headers
    }
}
