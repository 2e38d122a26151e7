import Glibc
import Testing

@testable import Configuration
@testable import Dashboard

@Suite("Reasons why the dashboard is not served")
struct WebErrorTests {
    private static let address = ListeningAddress(host: "192.0.2.1", port: 80)

    private static let sentences: [(WebError, String)] = [
        (
            .badAddress("pi"),
            "pi: not an IPv4 or IPv6 address; set web.address or --address to one such as 127.0.0.1 or ::1"
        ),
        (
            .bind(address, errno: EADDRINUSE),
            """
            192.0.2.1:80: address already in use. Another program, perhaps another Swatchcam, \
            listens there; stop it or choose another port with --port or web.port
            """
        ),
        (
            .bind(address, errno: EADDRNOTAVAIL),
            """
            192.0.2.1:80: this machine has no such address; set web.address or --address to one of \
            its own, 127.0.0.1 for this machine only or 0.0.0.0 for every network
            """
        ),
        (
            .bind(address, errno: EACCES),
            "192.0.2.1:80: permission denied. Ports below 1024 are for root; choose another with --port or web.port"
        ),
        (
            .bind(address, errno: EPERM),
            "192.0.2.1:80: permission denied. Ports below 1024 are for root; choose another with --port or web.port"
        ),
        (
            .bind(address, errno: EAFNOSUPPORT),
            """
            192.0.2.1:80: this system does not support this kind of address; set web.address or \
            --address to another one
            """
        ),
        (.bind(address, errno: EIO), "192.0.2.1:80: cannot listen: Input/output error"),
        (
            .descriptors(20),
            """
            This process may open 20 files at once, too few to serve browsers; raise the limit to \
            64 or more (ulimit -n, or LimitNOFILE= in systemd)
            """
        ),
        (
            .unpatched("0.0.0.0"),
            """
            0.0.0.0: this build of Swatchcam listens on this machine only, 127.0.0.1 or ::1, \
            because its web server lacks the patches that a network requires. Build it with `make build` to include them
            """
        ),
        (
            .failed(address, problem: "no more"),
            "192.0.2.1:80: the web server failed: no more. Start Swatchcam again; systemd does so automatically"
        ),
    ]

    @Test("the error about a dashboard that is not served says what is wrong and what to do", arguments: sentences)
    func description(error: WebError, sentence: String) {
        #expect(error.description == sentence)
    }
}
