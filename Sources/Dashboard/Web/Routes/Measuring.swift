import Handoff
import Readings
import State

/// The measurements that clients wait for.
struct Measuring: Sendable {
    /// The time between two checks that the client is still connected.
    private static let clientCheckPeriod = Duration.milliseconds(500)

    let shared: SharedState
    let access: AccessControl
    let shares: Shares

    /// Waits for readings of frames that are captured from now on.
    /// - Throws: An `HTTPError` if the client takes too many samples, or if there are no such readings.
    func collect(_ count: Int, for call: Call) async throws -> SampleCollector {
        try await measure(for: call, in: shares.sampling, orRefuse: .tooManySamples) {
            clientIsGone, isAdmitted throws(MeasuringRefusal) in
            try await shared.collectReadings(count, until: clientIsGone, isAdmitted: isAdmitted).collector
        }
    }

    /// Measures something while its client waits.
    /// - Parameters:
    ///   - places: Those of which the measurement takes one.
    ///   - refusal: The error if there is none.
    ///   - work: Measures. It gets a function that waits until the client has closed the connection or the task is
    ///     cancelled, and one that says whether the client still has access: it may have logged out meanwhile, or the
    ///     tokens may have changed.
    func measure<Value>(
        for call: Call, in places: ShareLimiter<ClientKey>, orRefuse refusal: HTTPError,
        _ work: (
            _ clientIsGone: @escaping @Sendable () async -> Void, _ isAdmitted: () -> Bool
        ) async throws(MeasuringRefusal) -> Value
    ) async throws -> Value {
        guard let place = places.begin(for: call.principal.key) else { throw refusal }
        defer { withExtendedLifetime(place) {} }
        let socket = call.request.directSocket
        let waitForClient: @Sendable () async -> Void = {
            while socket?.isClosedByClient != true {
                guard (try? await Task.sleep(for: Self.clientCheckPeriod)) != nil else { return }
            }
        }
        do throws(MeasuringRefusal) {
            return try await work(waitForClient, { access.stillAdmits(call.principal) })
        } catch {
            throw HTTPError(error)
        }
    }
}

extension HTTPError {
    static let tooManySamples = unavailable(
        code: "too-many-samples", "\(Shares.maxSamples) samples are under way. Try again when one is complete.",
        retryAfter: 1)

    /// - Parameter refusal: The reason why nothing was measured.
    fileprivate init(_ refusal: MeasuringRefusal) {
        switch refusal {
        case .full: self = .tooManyKept
        case .failed(let failure):
            let sentence = failure.sentence
            switch failure {
            case .noColor(let state, _): self = .unavailable(code: state.rawValue, sentence)
            case .interrupted: self = .interrupted(sentence)
            case .tooSlow: self = .unavailable(code: "slow-camera", "\(sentence) Try again.")
            case .cancelled: self = .unavailable(code: "unavailable", "\(sentence) Try again later.")
            }
        case .changed(let change): self = .interrupted("\(change) while the sample was being taken. Take it again.")
        case .notAdmitted: self = .noToken
        }
    }

    private static func interrupted(_ sentence: String) -> HTTPError {
        conflict(code: "sample-interrupted", sentence)
    }
}
