import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings
@testable import Swatchcam

@Suite("Systemd notifier", .timeLimit(.minutes(20)))
struct SystemdNotifierTests {
    private let socket: NotificationSocket

    init() throws { socket = try NotificationSocket() }

    private func makeNotifier(_ environment: [String: String] = [:], process: Int32 = 7) -> SystemdNotifier? {
        SystemdNotifier(
            environment: environment.merging(["NOTIFY_SOCKET": socket.path]) { first, _ in first }, process: process)
    }

    @Test(
        "a status is sent as one line, because another line would be another assignment",
        arguments: [
            ("Live: C920", "Live: C920"), ("a\nMAINPID=1", "a MAINPID=1"), ("a\r\nMAINPID=1", "a\r MAINPID=1"),
            ("\n\nSTOPPING=1\n", "  STOPPING=1 "),
        ])
    func status(text: String, expected: String) throws {
        try #require(makeNotifier()).status(text)
        #expect(socket.receive() == "STATUS=\(expected)")
    }

    @Test("readiness, a sign of life and the stop are sent as systemd names them")
    func messages() throws {
        let notifier = try #require(makeNotifier())
        notifier.ready()
        #expect(socket.receive() == "READY=1")
        notifier.feedWatchdog()
        #expect(socket.receive() == "WATCHDOG=1")
        notifier.stopping()
        #expect(socket.receive() == "STOPPING=1")
    }

    @Test("a path that begins with @ leads to a socket in the abstract namespace")
    func abstract() throws {
        let name = "swatchcam-\(UUID())"
        let abstract = try NotificationSocket(path: "@" + name)
        try #require(makeNotifier(["NOTIFY_SOCKET": "@" + name])).ready()
        #expect(abstract.receive() == "READY=1")
    }

    @Test("without a path of a socket that fits into an address with a final NUL, there is no notifier")
    func unusable() {
        #expect(makeNotifier(["NOTIFY_SOCKET": "/" + String(repeating: "a", count: 106)]) != nil)
        for path in ["/" + String(repeating: "a", count: 107), "", "relative", "vsock:2:1234"] {
            #expect(makeNotifier(["NOTIFY_SOCKET": path]) == nil, "\(path)")
        }
        #expect(SystemdNotifier(environment: [:], process: 7) == nil)
    }

    @Test("the watchdog's period is that of WATCHDOG_USEC, and systemd does not watch if it is missing or not above 0")
    func watchdog() {
        #expect(makeNotifier(["WATCHDOG_USEC": "1500000"])?.watchdogPeriod == .seconds(1.5))
        #expect(makeNotifier(["WATCHDOG_USEC": "1"])?.watchdogPeriod == .microseconds(1))
        #expect(makeNotifier()?.watchdogPeriod == nil)
        for period in ["0", "-1", "x", ""] {
            #expect(makeNotifier(["WATCHDOG_USEC": period])?.watchdogPeriod == nil, "\(period)")
        }
    }

    @Test("a watchdog of another process does not concern this one")
    func inherited() {
        let period = ["WATCHDOG_USEC": "1500000"]
        #expect(makeNotifier(period.merging(["WATCHDOG_PID": "7"]) { $1 })?.watchdogPeriod == .seconds(1.5))
        #expect(makeNotifier(period.merging(["WATCHDOG_PID": "8"]) { $1 })?.watchdogPeriod == nil)
        #expect(makeNotifier(period.merging(["WATCHDOG_PID": "x"]) { $1 })?.watchdogPeriod == nil)
    }

    // MARK: - Reporter

    @Test("the summary of a reading is its state and camera, or the reason why there is no colour")
    func summaries() {
        #expect(SystemdReporter.summary(.sample) == "Live: HD Pro Webcam C920")
        #expect(SystemdReporter.summary(.sample.with { $0.camera = nil }) == "Live")
        #expect(SystemdReporter.summary(.noCamera) == "There is no camera. Connect one.")
        let camera = Reading.noCamera.with { ($0.camera, $0.message) = (.init(id: "id", name: "C920"), nil) }
        #expect(SystemdReporter.summary(camera) == Reading.State.noCamera.label)
    }

    @Test("the reporter announces readiness and the state, and each change of the state")
    func reporter() async throws {
        let readings = Latest(Reading.noCamera)
        let reporter = SystemdReporter(
            manager: try #require(makeNotifier()), readings: readings, client: InstanceClient(.init(port: 1)))
        let task = Task { await reporter.run() }
        #expect(await socket.next() == "READY=1")
        #expect(await socket.next() == "STATUS=There is no camera. Connect one.")
        readings.publish(.noCamera.with { ($0.sequence, $0.message) = (2, "Still none.") })
        readings.publish(.sample)
        #expect(await socket.next() == "STATUS=Live: HD Pro Webcam C920")
        task.cancel()
        await task.value
    }

    @Test("the watchdog is fed if a request was answered and a reading was made since the last time")
    func feeds() async throws {
        let server = try CannedServer(["/healthz": CannedServer.response(503, "{}")])
        let readings = Latest(Reading.noCamera)
        let pauses = Latest(Duration.zero)
        let reporter = SystemdReporter(
            manager: try #require(makeNotifier(["WATCHDOG_USEC": "3000000"])), readings: readings,
            client: InstanceClient(.init(port: server.port)),
            clocks: Clocks().sleeping { duration in
                pauses.publish(duration)
                try Task.checkCancellation()
            })
        let task = Task { await reporter.run() }
        #expect(await socket.next() == "READY=1")
        #expect(await socket.next() == "STATUS=There is no camera. Connect one.")
        // Until a reading is made, requests are answered, but the watchdog is not fed.
        // The fifth request shows that nothing followed the first four.
        await waitUntil("five requests are answered") { server.requests.count >= 5 }
        #expect(socket.receive() == nil)
        readings.publish(.noCamera.with { $0.sequence = 2 })
        #expect(await socket.next() == "WATCHDOG=1")
        // A third of the period.
        #expect(pauses.value == .seconds(1))
        task.cancel()
        await task.value
        #expect(socket.receive() == nil)
    }
}
