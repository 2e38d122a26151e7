import Configuration

/// The sender of a request, as far as the connection and trusted proxies reveal it.
struct Client: Equatable, Sendable {
    /// The network of the client, if known.
    var network: IPNetwork?
    /// Whether the connection is encrypted, according to a trusted proxy. Swatchcam itself serves only plain HTTP.
    var usesTLS = false
    /// Whether the client is a program on this machine that is not behind a proxy.
    var isLocal = false
}
