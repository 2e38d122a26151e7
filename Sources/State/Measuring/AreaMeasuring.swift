import Color
import Configuration
import Documents
package import Handoff
package import Metrology
package import Pixels
import Readings

/// A request for the colours of areas of the next frames, beside those of the region and the probes.
package struct AreaRequest: Sendable {
    /// What one frame shows in an area.
    package struct Figures: Sendable {
        var linear: LinearRGB
        var clippedLow: ChannelFigures
        var clippedHigh: ChannelFigures
        var isUneven: Bool
    }

    /// The areas in the picture as people see it.
    package let areas: [Region]
    /// The time of the request: older frames do not count.
    package let start: MonotonicTime
    /// Receives the figures of all areas in one frame after another.
    package let frames: AsyncStream<[Figures]>.Continuation
}

extension AreaRequest.Figures {
    /// - Returns: Nil without statistics.
    package init?(_ colors: RegionColors) {
        guard let statistics = colors.statistics, let light = colors.light.linear else { return nil }
        self.init(
            linear: light, clippedLow: statistics.clippedLow, clippedHigh: statistics.clippedHigh,
            isUneven: Quality.isUneven(statistics, mean: colors.sums.mean))
    }
}

extension AreaRequest: Equatable {
    /// No two requests begin at the same time.
    package static func == (left: Self, right: Self) -> Bool { left.start == right.start }
}

/// The measurements of areas, and the conditions under which they were made.
package struct AreaMeasurements: Encodable, Sendable {
    package var conditions: MeasuringConditions
    package var patches: [PatchMeasurement]
}

extension SharedState {
    /// The difference in ΔE00 of the first half of the frames from the second above which the colour is changing.
    private static let maxChange = 2.0
    private static let adviceToRepeat = "while the patches were being measured. Measure them again."

    /// Measures areas of the next frames of the camera in use. One request at a time may do so.
    /// - Parameters:
    ///   - count: The number of frames.
    ///   - clientIsGone: Waits until the client no longer waits, or the task is cancelled.
    ///   - isAdmitted: Returns whether the client still has access at the end.
    /// - Throws: The reason why there are no measurements: no colour, a camera that was changed or is too slow, or a
    ///   colour that keeps changing.
    package func measure(
        _ areas: [Region], of count: Int,
        until clientIsGone: @escaping @Sendable () async -> Void = SampleTaker.untilCancelled,
        isAdmitted: () -> Bool = { true }
    ) async throws(MeasuringRefusal) -> AreaMeasurements {
        let camera = config.value.effective.camera
        let watching = demand.watch()
        defer { withExtendedLifetime(watching) {} }
        let updates = readings.updates()
        let newest = readings.value
        guard newest.state.hasColor else {
            throw .failed(.noColor(newest.state, newest.whyNoColor))
        }
        guard let conditions = newest.conditions(influence.value) else {
            throw .failed(.interrupted("The controls of the camera are not known yet. Try again in a second."))
        }
        let (frames, continuation) = AsyncStream.makeStream(
            of: [AreaRequest.Figures].self, bufferingPolicy: .bufferingOldest(count))
        areaRequest.publish(AreaRequest(areas: areas, start: clocks.now(), frames: continuation))
        defer { areaRequest.publish(nil) }
        let figures: [[AreaRequest.Figures]]
        do throws(SampleTaker.Failure) {
            figures = try await SampleTaker.first(
                within: SampleTaker.timeout(for: count, period: demand.framePeriod), until: clientIsGone,
                clocks: clocks,
                of: [
                    { await Self.collect(count, from: frames) },
                    { [influence] in await Self.interruption(of: conditions, influence, by: updates) },
                ])
        } catch {
            throw .failed(error)
        }
        guard config.value.effective.camera == camera else {
            throw .failed(.interrupted("The configuration changed \(Self.adviceToRepeat)"))
        }
        guard isAdmitted() else { throw .notAdmitted }
        let patches = areas.indices.map { index in
            PatchMeasurement(of: figures.map { $0[index] }, in: areas[index])
        }
        let halves = [figures.prefix(count / 2), figures.suffix(count - count / 2)]
        let isSteady = areas.indices.allSatisfy { index in
            let lights = halves.compactMap { half in half.map { $0[index].linear }.mean.map { CIELab($0) } }
            return lights.count < 2 || CIEDE2000(lights[0], lights[1]).total <= Self.maxChange
        }
        guard isSteady else { throw .failed(.interrupted("The light or the picture changed \(Self.adviceToRepeat)")) }
        return AreaMeasurements(conditions: conditions, patches: patches)
    }

    private static func collect(
        _ count: Int, from frames: AsyncStream<[AreaRequest.Figures]>
    ) async -> Result<[[AreaRequest.Figures]], SampleTaker.Failure> {
        var figures: [[AreaRequest.Figures]] = []
        for await frame in frames {
            figures.append(frame)
            if figures.count == count { return .success(figures) }
        }
        return .failure(.cancelled)
    }

    /// Waits until there is no colour, or the conditions have changed.
    private static func interruption<Value>(
        of conditions: MeasuringConditions, _ influence: Latest<ControlInfluence>, by updates: AsyncStream<Reading>
    ) async -> Result<Value, SampleTaker.Failure> {
        for await reading in updates {
            guard reading.state.hasColor else {
                return .failure(.noColor(reading.state, reading.whyNoColor))
            }
            let changes = reading.conditions(influence.value)?.differences(from: conditions) ?? []
            guard changes.isEmpty else {
                return .failure(.interrupted("\(changes.joined(separator: ", ")) \(adviceToRepeat)"))
            }
        }
        return .failure(.cancelled)
    }
}

extension PatchMeasurement {
    /// The mean of the figures of one area, with the largest shares of clipped pixels.
    fileprivate init(of frames: [AreaRequest.Figures], in area: Region) {
        self.init(
            linear: (frames.map(\.linear).mean ?? .zero).map { $0.rounded(decimals: 8) },
            clippedLow: frames.reduce(.zero) { $0.combined(with: $1.clippedLow, by: max) },
            clippedHigh: frames.reduce(.zero) { $0.combined(with: $1.clippedHigh, by: max) },
            uneven: frames.contains(where: \.isUneven), readings: frames.count,
            area: PictureArea(x: area.x, y: area.y, width: area.width, height: area.height))
    }
}
