import TestSupport
import V4L2

@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings
@testable import State

extension SharedState {
    /// Returns the state of a program whose camera delivered one reading and whose threads do not reply.
    static func sample() throws -> SharedState {
        var shared = try SharedState(log: .silent)
        shared.readings.publish(.sample)
        (shared.demand, shared.clocks) = (Demand(timeout: .zero), .withoutLimits)
        return shared
    }
}

extension WebApp {
    /// Returns a web application with the embedded pages.
    static func sample(
        _ shared: SharedState, broadcaster: WebSocketBroadcaster = WebSocketBroadcaster(), version: String = "1.2.3",
        timeout: Duration = Demand.maxWait
    ) throws -> WebApp {
        WebApp(
            shared: shared, pages: try Pages(templates: nil, resources: nil, version: version),
            broadcaster: broadcaster, timeout: timeout)
    }
}
