import Configuration
import Documents
package import Fleet
import FlyingFox
import FlyingSocks
import FoundationEssentials
import Glibc
import Handoff
import Logging
import Readings
package import State
import Synchronization
import Untrusted

/// The web server, which serves a `WebApp` and pushes readings to WebSockets.
///
/// If FlyingFox fails, so does the server. The program then exits, and systemd starts it again.
package final class WebServer: Sendable {
    private enum Phase: Sendable {
        case idle
        case listening(ListeningAddress)
        case ended
    }

    private struct State {
        var server: HTTPServer?
        var isStopping = false
    }

    /// Shorter than the pool's read deadline, so that silent WebSockets stay open.
    static let pingPeriod = Duration.seconds(15)
    /// The time for clients to answer the close frame, which is sent to all of them at once.
    private static let closeTimeout = Duration.milliseconds(400)

    private let web: Config.Web
    private let config: Latest<Settings>
    private let descriptors: DescriptorShares
    private let readings: Latest<Reading>
    private let app: WebApp
    let broadcaster: WebSocketBroadcaster
    private let connections: Connections
    private let pictures: PictureHub
    private let log: Logger
    private let clocks: Clocks
    private let phase = Latest(Phase.idle)
    private let state = Mutex(State())

    /// - Parameters:
    ///   - shared: The state that is served. The address is read from its configuration only here.
    ///   - broker: The connection whose state the health check reports; nil if there is none.
    package init(shared: SharedState, pages: Pages, broker: Broker? = nil) {
        config = shared.config
        web = shared.config.value.effective.web
        descriptors = DescriptorShares(of: DescriptorLimit.raise())
        connections = Connections(
            limits: .init(
                network: descriptors.sideConnections, eachNearby: descriptors.nearbyConnections,
                nearby: descriptors.sideConnections),
            proxies: TrustedProxies(web.trustedProxies))
        readings = shared.readings
        pictures = shared.pictures
        broadcaster = WebSocketBroadcaster(demand: shared.demand)
        log = shared.log
        clocks = shared.clocks
        app = WebApp(shared: shared, pages: pages, broadcaster: broadcaster, broker: broker)
    }

    /// Serves until `stop` is called or the task is cancelled. A server can run only once.
    /// - Throws: An error if there are too few file descriptors, if the server may not or cannot listen on the address,
    ///   or if it fails later.
    package func run() async throws(WebError) {
        defer { phase.publish(.ended) }
        try FlyingFoxPatches.check(web.address, log: log)
        guard descriptors.areSufficient else { throw .descriptors(DescriptorLimit.current) }
        // This is not a child task, so that the server closes its WebSockets properly even if the caller is cancelled.
        let serving = Task { await self.serve() }
        let result = await withTaskCancellationHandler {
            await serving.value
        } onCancel: {
            Task { await self.stop() }
        }
        try result.get()
    }

    /// Closes every WebSocket with status 1001 and stops the server, well within a second.
    package func stop() async {
        let isFirst = state.withLock { state in
            defer { state.isStopping = true }
            return !state.isStopping
        }
        guard isFirst else { return }
        pictures.close()
        for sockets in app.allSockets { sockets.close(.goingAway) }
        await withTaskGroup(of: Void.self) { group in
            for sockets in app.allSockets {
                group.addTask { await sockets.waitUntilEmpty(upTo: Self.closeTimeout) }
            }
        }
        await state.withLock { $0.server }?.stop(timeout: 0)
    }

    /// Waits until the server listens, and returns its address with the actual port; nil if the server ended first or
    /// the task was cancelled.
    package func waitUntilListening() async -> ListeningAddress? {
        let changes = phase.updates()
        var current: Phase? = phase.value
        var iterator = changes.makeAsyncIterator()
        while let phase = current {
            switch phase {
            case .listening(let address): return address
            case .ended: return nil
            case .idle: current = await iterator.next()
            }
        }
        return nil
    }

    private func serve() async -> Result<Void, WebError> {
        await withTaskGroup(of: Result<Void, WebError>?.self) { group in
            for work in [pushReadings, pushFleet, sendPings, followTokens] {
                group.addTask {
                    await work()
                    return nil
                }
            }
            group.addTask { await self.serveRequests() }
            defer { group.cancelAll() }
            for await case let result? in group { return result }
            return .success(())
        }
    }

    @Sendable private func pushReadings() async {
        let updates = readings.updates()
        offer(readings.value)
        for await reading in updates { offer(reading.asOf(clocks.now())) }
    }

    private func offer(_ reading: Reading) {
        // A colour is valid only for its moment, but a reason for having none is valid until the next message.
        broadcaster.offer(TextFrame(text: reading.json()), isLasting: !reading.state.hasColor)
        app.probeSockets.offer(
            TextFrame(text: reading.json(withWholeProbes: true)), isLasting: !reading.state.hasColor)
    }

    /// While somebody looks, sends the fleet once a second if it has changed, and otherwise often enough that pages do not
    /// take the connection for dead. A long list, which a browser handles as a whole, is sent less often.
    @Sendable private func pushFleet() async {
        let sockets = app.fleetSockets
        for await count in sockets.clientCount.updates() where count > 0 {
            var last = Data()
            var silence = 0
            var period = 1.0
            while sockets.count > 0, (try? await clocks.sleep(.seconds(period))) != nil {
                let (members, status) = (app.broker?.roster.members.value, app.broker?.status.value)
                let document = JSONWriter.data(FleetDocument(members, status ?? .off, at: clocks.date()))
                period = min(max(1, Double(members?.byID.count ?? 0) / 250), 2)
                silence += 1
                guard document != last || silence >= 5 else { continue }
                (last, silence) = (document, 0)
                sockets.offer(TextFrame(text: document))
            }
        }
    }

    @Sendable private func sendPings() async {
        while (try? await clocks.sleep(Self.pingPeriod)) != nil {
            for sockets in app.allSockets { sockets.ping() }
            app.touchSessions()
        }
    }

    @Sendable private func followTokens() async {
        let updates = config.updates()
        app.followTokens(config.value.effective.web)
        for await settings in updates { app.followTokens(settings.effective.web) }
    }

    private func serveRequests() async -> Result<Void, WebError> {
        let address = ListeningAddress(host: web.address, port: web.port)
        guard let server = makeServer(at: address) else { return .failure(.badAddress(web.address)) }
        let mayRun = state.withLock { state in
            state.server = server
            return !state.isStopping
        }
        guard mayRun else { return .success(()) }
        let (error, listening) = await run(server)
        guard !state.withLock({ $0.isStopping }) else { return .success(()) }
        return .failure(listening.map { .failed($0, problem: error.reason) } ?? .bind(address, error))
    }

    /// Runs a server until it ends.
    /// - Returns: The reason why it ended, and the address that it listened on, which is nil if it never listened.
    private func run(_ server: HTTPServer) async -> (any Error, ListeningAddress?) {
        let announcing = Task { () -> ListeningAddress? in
            guard (try? await server.waitUntilListening(timeout: 60)) != nil else { return nil }
            guard let address = await server.listeningAddress.flatMap(ListeningAddress.init) else { return nil }
            phase.publish(.listening(address))
            // An earlier call of `stop` had no effect, because the server did not listen yet.
            if state.withLock({ $0.isStopping }) { await server.stop(timeout: 0) }
            return address
        }
        var reason: any Error = SocketError.disconnected
        do { try await server.run() } catch { reason = error }
        announcing.cancel()
        return (reason, await announcing.value)
    }

    private func makeServer(at address: ListeningAddress) -> HTTPServer? {
        guard let address = address.socketAddress else { return nil }
        return HTTPServer(
            config: .init(
                address: address, timeout: FlyingFoxPatches.responseTimeout,
                pool: GuardedSocketPool(
                    limits: .init(
                        firstReservedDescriptor: Int32(clamping: descriptors.connections),
                        backlog: Int32(clamping: descriptors.backlog)),
                    connections: connections),
                logger: FlyingFoxLog(log: log)),
            handler: app)
    }
}

extension WebError {
    fileprivate static func bind(_ address: ListeningAddress, _ error: any Error) -> WebError {
        guard case SocketError.failed(_, let errno, _) = error else {
            return .failed(address, problem: error.reason)
        }
        return .bind(address, errno: errno)
    }
}

/// The address that the server listens on.
package struct ListeningAddress: Equatable, Sendable, CustomStringConvertible {
    /// A literal IP address.
    package var host: String
    /// The TCP port; 0 stands for any free one until the server listens.
    package var port: UInt16

    /// The host and the port, such as `127.0.0.1:8080` or `[::1]:8080`.
    package var description: String { Authority(host: host, port: port).description }

    /// The URL of the dashboard for a browser on this machine.
    package var url: String {
        guard IPAddress(host)?.isWildcard == true else { return "http://\(self)/" }
        return "http://localhost:\(port)/"
    }
}

extension ListeningAddress {
    /// The address of a socket; nil if the host is not a literal address.
    var socketAddress: (any SocketAddress)? {
        if let ip4 = try? sockaddr_in.inet(ip4: host, port: port) { return ip4 }
        return try? sockaddr_in6.inet6(ip6: host, port: port)
    }

    fileprivate init?(_ address: Socket.Address) {
        switch address {
        case .ip4(let host, let port), .ip6(let host, let port): self.init(host: host, port: port)
        case .unix: return nil
        }
    }
}

/// A log that forwards FlyingFox's messages to the program's log, as debug messages.
///
/// They report connections that clients open, reset and misuse, with three lines each, and failures that `WebServer`
/// reports itself.
struct FlyingFoxLog: FlyingSocks.Logging {
    let log: Logger

    func logDebug(_ debug: @autoclosure () -> String) { forward(debug()) }
    func logInfo(_ info: @autoclosure () -> String) { forward(info()) }
    func logWarning(_ warning: @autoclosure () -> String) { forward(warning()) }
    func logError(_ error: @autoclosure () -> String) { forward(error()) }
    func logCritical(_ critical: @autoclosure () -> String) { forward(critical()) }

    private func forward(_ message: @autoclosure () -> String) {
        // Messages may contain text from clients.
        log.debug("\(message().sanitized())")
    }
}
