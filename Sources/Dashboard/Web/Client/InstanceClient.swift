package import Configuration
import Documents
import FlyingSocks
import FoundationEssentials
package import Handoff

/// A client for the running instance on this machine. Another program, even a hostile one, may listen at its address.
///
/// The response is bounded in size and in time.
package struct InstanceClient: Sendable {
    /// The time limit of an exchange.
    package static let timeLimit = Duration.seconds(5)

    /// The pool that waits for the sockets of all clients. FlyingFox's own starts twice if the first two clients come at
    /// the same time, and its queue can be misled (see ``EpollQueue``).
    private static let pool = Task {
        let pool = SocketPool(queue: EpollQueue())
        try await pool.prepare()
        Task { try await pool.run() }
        return pool
    }

    /// The address of the server.
    package let address: ListeningAddress
    /// The clocks that measure the time limits.
    private let clocks: Clocks

    /// - Parameter web: The configuration of the running instance.
    package init(_ web: Config.Web, clocks: Clocks = Clocks()) {
        self.clocks = clocks
        var host = web.address
        // A server on all addresses is reached over the loopback address.
        if let address = IPAddress(host), address.isWildcard { host = host.contains(":") ? "::1" : "127.0.0.1" }
        address = ListeningAddress(host: host, port: web.port)
    }

    /// Sends a GET request.
    /// - Parameter token: The token to send. Nothing proves that the program at the address is Swatchcam.
    /// - Returns: The response; nil if no valid response of bounded size arrives in time.
    package func get(_ path: String, with token: Token? = nil, within limit: Duration = timeLimit) async
        -> InstanceResponse?
    {
        let authorization = token.map { "Authorization: \($0.authorization)\r\n" } ?? ""
        return await response(to: request("GET", path, authorization), within: limit)
    }

    /// Sends a POST request with a JSON document.
    ///
    /// No token is sent, because only the control token would do, which grants full access.
    /// - Returns: The response; nil if no valid response of bounded size arrives in time.
    package func post(_ path: String, _ document: some Encodable, within limit: Duration) async -> InstanceResponse? {
        await send("POST", path, document, within: limit)
    }

    /// Sends a request with a JSON document, without a token, as ``post(_:_:within:)`` does.
    package func send(
        _ method: String, _ path: String, _ document: some Encodable, within limit: Duration
    ) async -> InstanceResponse? {
        let body = JSONText.data(of: document)
        let fields = "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n"
        return await response(to: request(method, path, fields) + body, within: limit)
    }

    private func response(to request: Data, within limit: Duration) async -> InstanceResponse? {
        await exchange(request, within: limit) { socket -> InstanceResponse? in
            var received = ReceivedResponse()
            while !received.isComplete {
                do {
                    try received.append(try await socket.read(atMost: 4096))
                } catch SocketError.disconnected {
                    return received.atEnd
                }
            }
            return received.response
        } ?? nil
    }

    /// Returns whether any HTTP response arrives within ``timeLimit``.
    ///
    /// This takes a third of the processor time of parsing the response.
    package func isAnswered(_ path: String) async -> Bool {
        let isAnswered: Bool? = await exchange(request("GET", path), within: Self.timeLimit) { socket in
            try await socket.read(atMost: 4096).starts(with: Data("HTTP/1.1 ".utf8))
        }
        return isAnswered == true
    }

    private func request(_ method: String, _ path: String, _ fields: String = "") -> Data {
        Data("\(method) \(path) HTTP/1.1\r\nHost: \(address)\r\n\(fields)Connection: close\r\n\r\n".utf8)
    }

    /// Sends a request and reads from the connection.
    /// - Returns: The result; nil if there is none in time.
    private func exchange<Value: Sendable>(
        _ request: Data, within limit: Duration,
        _ read: @escaping @Sendable (AsyncSocket) async throws -> Value
    ) async -> Value? {
        guard let socketAddress = address.socketAddress else { return nil }
        return await withAbandonment(after: limit, clocks: clocks) { () -> Value? in
            do {
                // `AsyncSocket.connected` would allow five seconds for this, whatever the limit.
                let socket = try AsyncSocket(
                    socket: Socket(domain: Int32(socketAddress.family), type: .stream), pool: await Self.pool.value)
                defer { try? socket.close() }
                try await socket.connect(to: socketAddress)
                try await socket.write(request)
                return try await read(socket)
            } catch {
                // No program listens there, or one that does not use HTTP.
                return nil
            }
        } ?? nil
    }
}
