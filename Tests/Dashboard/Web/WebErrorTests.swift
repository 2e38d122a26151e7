import Glibc
import Testing

@testable import Configuration
@testable import Dashboard

@Suite("Reasons why the dashboard is not served")
struct WebErrorTests {
    private static let address = ListeningAddress(host: "192.0.2.1", port: 80)

    @Test(
        "the error about a dashboard that is not served says what is wrong",
        arguments: [
            (WebError.badAddress("pi"), "pi: not an IPv4 or IPv6 address; "),
            (.bind(address, errno: EADDRINUSE), "192.0.2.1:80: address already in use. "),
            (.bind(address, errno: EADDRNOTAVAIL), "192.0.2.1:80: this machine has no such address; "),
            (.bind(address, errno: EACCES), "192.0.2.1:80: permission denied. "),
            (.bind(address, errno: EPERM), "192.0.2.1:80: permission denied. "),
            (.bind(address, errno: EAFNOSUPPORT), "192.0.2.1:80: this system does not support this kind of address; "),
            (.bind(address, errno: EIO), "192.0.2.1:80: cannot listen: Input/output error"),
            (.descriptors(20), "This process may open 20 files at once, too few to serve browsers; "),
            (.unpatched("0.0.0.0"), "0.0.0.0: this build of Swatchcam listens on this machine only, "),
            (.failed(address, problem: "no more"), "192.0.2.1:80: the web server failed: no more. "),
        ])
    func description(error: WebError, start: String) {
        #expect(error.description.hasPrefix(start))
    }
}
