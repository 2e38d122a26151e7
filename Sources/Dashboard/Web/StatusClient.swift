package import Configuration
import FlyingSocks
import Foundation

/// Asks whoever listens where Swatchcam should, on this machine: perhaps another program, perhaps a hostile one.
///
/// The answer is bounded in size and in time, and is shown no more than may be lost.
package struct StatusClient: Sendable {
    /// For a whole exchange.
    package static let patience = Duration.seconds(5)

    /// Where it listens, for people.
    package let address: ListeningAddress

    /// - Parameter web: of the configuration that it runs with.
    package init(_ web: Config.Web) {
        var host = web.address
        // What listens everywhere is asked over the loopback.
        if let address = IPAddress(host), address.isWildcard { host = host.contains(":") ? "::1" : "127.0.0.1" }
        address = ListeningAddress(host: host, port: web.port)
    }

    /// Makes a GET request.
    /// - Parameters:
    ///   - token: Is shown to whoever listens there, whose word for it being Swatchcam is all there is.
    ///   - limit: When to give up.
    /// - Returns: Nil when nobody answers in time, or not in HTTP, or with more than is wanted.
    package func get(_ path: String, showing token: Token? = nil, within limit: Duration = patience) async
        -> StatusResponse?
    {
        let authorization = token.map { "Authorization: \($0.authorization)\r\n" } ?? ""
        let answer: StatusResponse?? = await exchange(path, authorization, within: limit) { socket in
            var received = ReceivedResponse()
            while !received.isComplete {
                do {
                    try received.append(try await socket.read(atMost: 4096))
                } catch SocketError.disconnected {
                    return received.atEnd
                }
            }
            return received.answer
        }
        return answer ?? nil
    }

    /// Whether anybody answers, whatever the answer is.
    ///
    /// A response that is only glanced at costs a third of one that is taken apart.
    package func isAnswered(_ path: String) async -> Bool {
        let isAnswered: Bool? = await exchange(path, "", within: Self.patience) { socket in
            try await socket.read(atMost: 4096).starts(with: Data("HTTP/1.1 ".utf8))
        }
        return isAnswered == true
    }

    /// - Returns: Nil when nobody answers in time.
    private func exchange<Value: Sendable>(
        _ path: String, _ fields: String, within limit: Duration,
        _ read: @escaping @Sendable (AsyncSocket) async throws -> Value
    ) async -> Value? {
        guard let socketAddress = address.socketAddress else { return nil }
        let request = Data("GET \(path) HTTP/1.1\r\nHost: \(address)\r\n\(fields)Connection: close\r\n\r\n".utf8)
        let value: Value?? = await answer(within: limit) {
            do {
                let socket = try await AsyncSocket.connected(to: socketAddress)
                defer { try? socket.close() }
                try await socket.write(request)
                return try await read(socket)
            } catch {
                // Nobody listens there, or somebody who does not speak HTTP.
                return nil
            }
        }
        return value ?? nil
    }
}
