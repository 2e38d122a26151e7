import CMosquitto
import Glibc
import Testing

@testable import Configuration
@testable import Fleet

@Suite("Why there is no connection to the broker")
struct BrokerFailureTests {
    private func end(_ code: Int32, errno: Int32 = 0, log: String = "", tls: Bool = false, wasConnected: Bool = false)
        -> BrokerFailure
    {
        var mqtt = Config.MQTT()
        mqtt.tls = tls
        return .end(.init(code: code, errno: errno, log: log), place: "b:1", mqtt, wasConnected: wasConnected)
    }

    @Test("a missing library is explained by the command that installs it")
    func library() {
        let reason = "libmosquitto.so.1: cannot open shared object file: No such file or directory"
        #expect(BrokerFailure.library(reason).description.hasSuffix("Run: apt install libmosquitto1"))
        #expect(BrokerFailure.library("bad\u{1B}").description == "libmosquitto cannot be loaded: bad\u{FFFD}.")
    }

    @Test(
        "TLS is explained by what the library logs, because its codes differ",
        arguments: [
            ("Error: host name verification failed.\n", BrokerFailure.wrongName(place: "b:1")),
            ("OpenSSL Error[0]: ...:certificate verify failed\n", .untrusted(place: "b:1", hasFile: false)),
            ("OpenSSL Error[0]: ...:unexpected eof while reading\n", .unfinishedTLS(place: "b:1")),
            ("", .unfinishedTLS(place: "b:1")),
            ("OpenSSL Error[0]: ...:wrong version number\n", .noTLS(place: "b:1")),
            ("OpenSSL Error[0]: ...::Connection reset by peer.\n", .unfinishedTLS(place: "b:1")),
            ("Error: Unable to load CA certificates.\n", .encryption("Error: Unable to load CA certificates")),
            ("\n x\u{1B}y.\n", .tls(place: "b:1", "x\u{FFFD}y")),
        ], [SWATCHCAM_MQTT_TLS, SWATCHCAM_MQTT_ERRNO])
    func tls(_ case: (log: String, failure: BrokerFailure), _ code: Int32) {
        #expect(end(code, errno: EPROTO, log: `case`.log, tls: true) == `case`.failure)
    }

    @Test("the end of a connection that was accepted is a loss, whatever TLS says about it")
    func lost() {
        #expect(end(SWATCHCAM_MQTT_LOST, wasConnected: true) == .lost(place: "b:1"))
        let log = "OpenSSL Error[0]: ...:unexpected eof while reading\n"
        #expect(
            end(SWATCHCAM_MQTT_ERRNO, errno: EPROTO, log: log, tls: true, wasConnected: true) == .lost(place: "b:1"))
        #expect(end(SWATCHCAM_MQTT_KEEPALIVE, wasConnected: true) == .noAnswer(place: "b:1"))
    }

    @Test("an error of the network is explained by its number")
    func network() {
        #expect(end(SWATCHCAM_MQTT_ERRNO, errno: ECONNREFUSED) == .refused(place: "b:1"))
        #expect(end(SWATCHCAM_MQTT_ERRNO, errno: ETIMEDOUT) == .noAnswer(place: "b:1"))
        #expect(end(SWATCHCAM_MQTT_ERRNO, errno: ENETUNREACH) == .unreachable(place: "b:1", "Network is unreachable"))
        #expect(end(SWATCHCAM_MQTT_PROTOCOL) == .notMQTT(place: "b:1"))
    }
}
