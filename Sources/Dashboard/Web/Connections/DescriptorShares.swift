/// The shares of connections in the file descriptors that the process may open.
struct DescriptorShares: Equatable {
    private static let maxConnections = 6000
    /// With fewer, hardly one browser could connect. This is half of the 64 descriptors that `WebError` requires.
    private static let minConnections = 32

    private static let maxBacklog = 1024

    /// Connections are accepted while a descriptor below this number is free. The rest is for cameras and files.
    let connections: Int
    /// The maximum number of connections that wait to be accepted. All of them may be accepted at once, which must leave
    /// descriptors for cameras and files. If there is no room for another one, its client tries again after a second.
    let backlog: Int

    /// - Parameter limit: The number of descriptors that the process may open.
    init(of limit: Int) {
        connections = min(limit / 2, Self.maxConnections)
        backlog = min((limit - connections) / 2, Self.maxBacklog)
    }

    /// The maximum number of connections from the network, and of this machine and the trusted proxies. A quarter is
    /// left for the other side, so that clients in the network cannot block this machine's own screen, nor the reverse.
    var sideConnections: Int { connections * 3 / 4 }

    /// The maximum number of connections of this machine, and of each trusted proxy.
    var serverConnections: Int { connections * 2 / 5 }

    /// Whether there are enough descriptors to serve a browser.
    var areSufficient: Bool { connections >= Self.minConnections }
}
