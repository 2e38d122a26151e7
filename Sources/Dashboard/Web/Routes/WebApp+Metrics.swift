import Documents
import Fleet
import FlyingFox
import FoundationEssentials
import Glibc
import Handoff
import Readings
import State

/// The figures of the program for Prometheus (docs/prometheus.md).
extension WebApp {
    /// Handles `GET /metrics`.
    func showMetrics(_ call: Call) async throws -> HTTPResponse {
        let (pages, pictures, broker) = (pages, shared.pictures, broker)
        let sockets = broadcaster.count + probeSockets.count
        return try await documents.send("/metrics", to: call) {
            let reading = await shared.reading
            // Once for each reading, however many clients request it. If the readings stop, once a second.
            return Document(
                key: $0, version: "\(reading.sequence) \(Int(shared.clocks.date().timeIntervalSince1970))",
                type: MetricsWriter.mediaType
            ) {
                let clients: KeyValuePairs = ["websocket": sockets, "picture": pictures.counters.viewers]
                let isConnected = broker.flatMap { $0.status.value == .off ? nil : $0.status.value == .connected }
                let metrics = MetricsWriter(
                    reading, version: pages.version, clients: clients, isConnected: isConnected)
                return Data(metrics.text.utf8)
            }
        }
    }
}

extension MetricsWriter {
    /// Writes all metrics.
    /// - Parameters:
    ///   - clients: The number of clients of each kind.
    ///   - isConnected: Whether the broker is connected; nil if none is configured.
    init(_ reading: Reading, version: String, clients: KeyValuePairs<String, Int>, isConnected: Bool?) {
        self.init()
        write("swatchcam_build_info", .gauge, "The running version; always 1.", by: ["version"], [.init([version], 1)])
        reading.write(to: &self)
        write(
            "swatchcam_clients", .gauge, "Clients that receive readings over a WebSocket, or pictures.", by: ["kind"],
            clients.map { .init([$0], Double($1)) })
        write(
            "swatchcam_mqtt_connected", .gauge, "1 while the MQTT broker is connected, else 0.",
            isConnected.map { $0 ? 1 : 0 })
        ProcessUsage.current.write(to: &self)
    }
}

/// What the process uses of the machine. A figure that the system does not give is nil.
struct ProcessUsage {
    /// The processor time, in seconds.
    var processorTime: Double?
    var residentBytes: Double?
    var openFiles: Double?
    /// The time at which the process started, in seconds since 1970.
    var startTime: Double?

    static var current: ProcessUsage {
        let text = { (name: String) in (try? String(contentsOfFile: "/proc/self/\(name)", encoding: .utf8)) ?? "" }
        // One of these is the folder itself, which is open while it is read.
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count
        return ProcessUsage(
            processorTime: seconds(of: CLOCK_PROCESS_CPUTIME_ID).map { $0.rounded(decimals: 3) },
            residentBytes: residentPages(statm: text("statm")).map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) },
            openFiles: files.map { Double($0 - 1) }, startTime: start)
    }

    func write(to metrics: inout MetricsWriter) {
        metrics.write(
            "process_cpu_seconds_total", .counter, "Processor time that the process has used.", processorTime)
        metrics.write("process_resident_memory_bytes", .gauge, "Resident memory of the process.", residentBytes)
        metrics.write("process_open_fds", .gauge, "File descriptors that the process has open.", openFiles)
        metrics.write(
            "process_start_time_seconds", .gauge, "The start of the process, in seconds since 1970.", startTime)
    }

    /// - Parameter statm: The content of `/proc/PID/statm` (proc(5)).
    static func residentPages(statm: String) -> Double? {
        let fields = statm.split(separator: " ")
        return fields.count > 1 ? Double(fields[1]) : nil
    }

    /// Returns the time from the start of the machine to that of a process, in the system's ticks.
    /// - Parameter stat: The content of `/proc/PID/stat` (proc(5)): the name, which may contain anything, is in
    ///   brackets, and the start is the 20th field after it.
    static func startTicks(stat: String) -> Double? {
        guard let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[end...].dropFirst().split(separator: " ")
        return fields.count > 19 ? Double(fields[19]) : nil
    }

    /// Computed once, because the two clocks differ by another microsecond each time.
    private static let start: Double? = {
        guard let stat = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let ticks = startTicks(stat: stat), let sinceBoot = seconds(of: CLOCK_BOOTTIME)
        else { return nil }
        let age = sinceBoot - ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
        return (Date().timeIntervalSince1970 - age).rounded(decimals: 2)
    }()

    private static func seconds(of clock: clockid_t) -> Double? {
        var time = timespec()
        guard unsafe clock_gettime(clock, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
