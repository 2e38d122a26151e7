import CLinux
import FoundationEssentials
import Glibc
import Handoff

struct BrokerAddress: Sendable {
    let family: Int32
    /// The bytes of the `sockaddr`.
    let bytes: [UInt8]
    /// The address in numbers, without the port.
    let text: String

    /// The address that binds a connection to this family.
    var wildcard: String { family == AF_INET6 ? "::" : "0.0.0.0" }

    /// `192.0.2.1:1883` or `[2001:db8::1]:1883`
    func place(port: Int) -> String { family == AF_INET6 ? "[\(text)]:\(port)" : "\(text):\(port)" }
}

extension BrokerAddress {
    /// The maximum number of addresses that are tried.
    private static let maxCount = 16

    /// Looks up a name. The system's resolver sets no limit to the time that this takes.
    ///
    /// It asks more often than usual, so that a name server that comes late is noticed soon.
    static func all(of host: String, port: Int) throws(BrokerFailure) -> [BrokerAddress] {
        swatchcam_set_resolver_patience(2, 3)
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, "\(port)", &hints, &list)
        guard code == 0 else {
            switch code {
            case EAI_NONAME, -5: throw .unknownName(host)  // EAI_NODATA
            case EAI_AGAIN: throw .noNameServer(host, nil)
            default: throw .noNameServer(host, unsafe String(cString: gai_strerror(code)))
            }
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [BrokerAddress] = []
        var next = unsafe list
        while let entry = unsafe next?.pointee, addresses.count < maxCount {
            unsafe next = entry.ai_next
            guard let address = unsafe entry.ai_addr else { continue }
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard
                unsafe getnameinfo(
                    address, entry.ai_addrlen, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0
            else { continue }
            let bytes = unsafe Array(UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen)))
            let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            addresses.append(BrokerAddress(family: unsafe entry.ai_family, bytes: bytes, text: text))
        }
        guard !addresses.isEmpty else { throw .unknownName(host) }
        return addresses
    }

    /// Tries to connect, and closes the connection.
    /// - Parameter timeout: The time to wait for an answer, in seconds.
    /// - Returns: 0, or the error: ETIMEDOUT if there is no answer; nil if the waker was triggered.
    func probe(timeout: Double, until waker: Waker) -> Int32? {
        let file = socket(
            family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return errno }
        defer { _ = close(file) }
        let result = unsafe bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return EINVAL }
            return unsafe Glibc.connect(file, base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
                ? 0 : errno
        }
        guard result == EINPROGRESS else { return result }
        let deadline = MonotonicTime.now() + timeout
        repeat {
            var entries = [
                pollfd(fd: file, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let count = unsafe poll(&entries, 2, deadline.pollTimeout)
            if count > 0, entries[1].revents != 0 { return nil }
            if count > 0 {
                var problem: Int32 = 0
                var size = socklen_t(MemoryLayout<Int32>.size)
                guard unsafe getsockopt(file, SOL_SOCKET, SO_ERROR, &problem, &size) == 0 else { return errno }
                return problem
            }
        } while deadline.pollTimeout > 0
        return ETIMEDOUT
    }
}
