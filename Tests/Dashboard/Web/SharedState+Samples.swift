import TestSupport
import V4L2

@testable import Capture
@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Readings

extension SharedState {
    /// Returns the state of a program whose camera delivered one reading and whose threads do not reply.
    static func sample() throws -> SharedState {
        var shared = try SharedState(log: .silent)
        shared.readings.publish(.sample)
        (shared.demand, shared.clocks) = (Demand(timeout: .zero), .withoutLimits)
        return shared
    }
}
