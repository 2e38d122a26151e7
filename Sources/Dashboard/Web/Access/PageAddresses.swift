import Configuration
import Glibc

/// The addresses at which other devices reach the pages.
struct PageAddresses: Equatable {
    /// The addresses, the surest first; empty if only this machine can connect.
    let all: [String]
    /// The addresses at which others will reach them once the server listens on every network; empty if they do now.
    let future: [String]

    /// - Parameters:
    ///   - host: What the request has as `Host`.
    ///   - client: The sender of the request.
    ///   - machine: The addresses of this machine in its networks.
    init(_ web: Config.Web, host: String?, client: Client = Client(), machine: [String] = PageAddresses.ofMachine) {
        func addresses(_ hosts: [String]) -> [String] { hosts.map { "http://\(Authority(host: $0, port: web.port))/" } }
        // By this name, the client has just reached it, perhaps through a proxy.
        if let host, let authority = Authority(host), authority.host != "localhost",
            IPAddress(authority.host)?.isLoopback != true
        {
            (all, future) = (["\(client.usesTLS ? "https" : "http")://\(authority)\(client.prefix)/"], [])
            return
        }
        guard let address = IPAddress(web.address), !address.isLoopback else {
            (all, future) = ([], addresses(web.allowedHosts + machine))
            return
        }
        (all, future) = (addresses(web.allowedHosts + (address.isWildcard ? machine : [web.address])), [])
    }

    /// The IPv4 addresses of the network interfaces that are up, without loopback: phones do not resolve every name of a
    /// machine.
    static var ofMachine: [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { return [] }
        defer { unsafe freeifaddrs(first) }
        var found: [String] = []
        var next = unsafe first
        while let interface = unsafe next {
            unsafe next = interface.pointee.ifa_next
            let isUp = unsafe interface.pointee.ifa_flags & UInt32(IFF_UP) != 0
            guard isUp, let address = unsafe interface.pointee.ifa_addr,
                unsafe Int32(address.pointee.sa_family) == AF_INET
            else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let flags = NI_NUMERICHOST
            guard unsafe getnameinfo(address, size, &text, socklen_t(text.count), nil, 0, flags) == 0 else { continue }
            let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if IPAddress(name)?.isLoopback == false { found.append(name) }
        }
        return found
    }
}
