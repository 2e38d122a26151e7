/// The shares of the descriptors that the process may open.
struct DescriptorShares: Equatable {
    private static let maxConnections = 6000
    /// With fewer descriptors hardly one browser could connect. This is half of the 64 that `WebError.descriptors` requires.
    private static let minConnections = 32

    /// Connections are accepted while there is a free descriptor below this number, for clients, pages and the rest.
    let connections: Int

    /// - Parameter limit: The number of descriptors that the process may open.
    init(of limit: Int) { connections = min(limit / 2, Self.maxConnections) }

    /// The connections of clients in the network. The last quarter is reserved for this machine, so that they cannot block
    /// its own screen.
    var network: Int { connections * 3 / 4 }

    /// Whether browsers can be served.
    var suffice: Bool { connections >= Self.minConnections }
}
