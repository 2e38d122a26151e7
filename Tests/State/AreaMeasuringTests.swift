import Color
import Metrology
import Pixels
import TestSupport
import Testing

@testable import Handoff
@testable import Readings
@testable import State

@Suite("Measuring areas for a client", .timeLimit(.minutes(20)))
struct AreaMeasuringTests {
    private let shared: SharedState
    private let area = Region(x: 0.1, y: 0.2, width: 0.3, height: 0.4)

    init() throws {
        var shared = try SharedState(log: LogRecorder().log)
        shared.clocks = ManualClock().clocks
        self.shared = shared
        shared.influence.publish(ControlInfluence(camera: Reading.sample.camera?.id, controls: ["gain": .number(64)]))
        shared.readings.publish(.sample)
    }

    /// Measures one area, of which each frame shows one of these greys.
    private func measure(
        _ greys: [Double], of count: Int, clippedHigh: Double = 0, isUneven: Bool = false
    ) async -> Result<AreaMeasurements, MeasuringRefusal> {
        async let result = outcome(of: count, until: SampleTaker.untilCancelled)
        await waitUntil("the request is there, or refused") { shared.areaRequest.value != nil }
        for grey in greys {
            shared.areaRequest.value?.frames.yield([
                .init(
                    linear: LinearRGB(all: grey), clippedLow: .zero,
                    clippedHigh: ChannelFigures(r: clippedHigh, g: 0, b: 0), isUneven: isUneven)
            ])
        }
        return await result
    }

    private func outcome(
        of count: Int, until clientIsGone: @escaping @Sendable () async -> Void
    ) async -> Result<AreaMeasurements, MeasuringRefusal> {
        do throws(MeasuringRefusal) {
            return .success(try await shared.measure([area], of: count, until: clientIsGone))
        } catch {
            return .failure(error)
        }
    }

    private func refusal(_ result: Result<AreaMeasurements, MeasuringRefusal>) -> MeasuringRefusal? {
        if case .failure(let refusal) = result { refusal } else { nil }
    }

    @Test("the measurement is the mean of the frames, with the conditions, and ends the demand")
    func mean() async throws {
        let measured = try await measure([0.2, 0.22, 0.2, 0.22], of: 4, clippedHigh: 0.5, isUneven: true).get()
        let patch = try #require(measured.patches.first)
        #expect(abs(patch.linear.g - 0.21) < 1e-9)
        #expect((patch.readings, patch.uneven, patch.clippedHigh.r) == (4, true, 0.5))
        #expect(patch.area == PictureArea(x: 0.1, y: 0.2, width: 0.3, height: 0.4))
        #expect(measured.conditions.controls == ["gain": .number(64)])
        #expect(shared.areaRequest.value == nil && !shared.demand.isWatching)
    }

    @Test("an area that changes from the first half of the frames to the second is refused")
    func changing() async {
        let refusal = refusal(await measure([0.2, 0.2, 0.3, 0.3], of: 4))
        #expect(
            refusal
                == .failed(
                    .interrupted(
                        "The light or the picture changed while the patches were being measured. Measure them again.")))
    }

    @Test("without a colour, or before the controls are known, nothing begins")
    func refused() async {
        shared.influence.publish(ControlInfluence())
        let unknown = refusal(await outcome(of: 1, until: SampleTaker.untilCancelled))
        #expect(
            unknown
                == .failed(.interrupted("The controls of the camera are not known yet. Try again in a second.")))
        shared.readings.publish(.noCamera)
        let noColor = refusal(await outcome(of: 1, until: SampleTaker.untilCancelled))
        #expect(noColor == .failed(.noColor(.noCamera, "There is no colour: There is no camera. Connect one.")))
    }

    /// Measures while something happens, after the request was accepted.
    private func interrupted(by change: @Sendable () -> Void) async -> MeasuringRefusal? {
        async let result = outcome(of: 4, until: SampleTaker.untilCancelled)
        await waitUntil("the request is there") { shared.areaRequest.value != nil }
        change()
        return refusal(await result)
    }

    @Test("a control that changes while areas are measured ends the measurement with its name and both values")
    func changedControl() async {
        let refusal = await interrupted { [shared] in
            shared.influence.publish(
                ControlInfluence(camera: Reading.sample.camera?.id, controls: ["gain": .number(80)]))
            shared.readings.publish(.sample)
        }
        #expect(
            refusal
                == .failed(
                    .interrupted("gain 64 → 80 while the patches were being measured. Measure them again.")))
    }

    @Test("a camera that is lost ends the measurement with the reason")
    func lostCamera() async {
        let refusal = await interrupted { [shared] in shared.readings.publish(.noCamera) }
        #expect(refusal == .failed(.noColor(.noCamera, "There is no colour: There is no camera. Connect one.")))
    }

    @Test("a client that leaves ends the measurement")
    func gone() async {
        #expect(refusal(await outcome(of: 1, until: {})) == .failed(.cancelled))
        #expect(shared.areaRequest.value == nil && !shared.demand.isWatching)
    }
}
