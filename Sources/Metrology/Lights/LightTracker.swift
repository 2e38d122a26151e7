package import Color

/// What is known about a light from successive frames.
package struct LightState: Equatable, Sendable {
    /// Whether it is on; one that blinks is on. Nil if that cannot be told, for the reason that ``reason`` gives.
    package var on: Bool?
    /// The number of times that it goes on in a second; nil unless it blinks regularly.
    package var hz: Double?
    /// The share of the time in which it is on; nil unless it blinks regularly.
    package var duty: Double?
    /// Its luminance above that of the room in the newest frame, in linear light.
    package var level: Double
    /// The light of its glow, without the room's; nil while it is off, or if it is overexposed.
    package var glow: LinearRGB?
    /// A sentence that says what cannot be told, and why; nil if all is known.
    package var reason: String?
}

/// A follower of one light through the frames of a camera.
///
/// Nothing is counted from frame to frame: each state is computed from the frames that are kept, so that it does not
/// depend on when a change of the levels was noticed.
package struct LightTracker: Sendable {
    /// The time for which every frame is kept, in seconds: two periods of the slowest blinking that is recognised.
    private static let memory = 16.0
    /// The minimum number of frames that say anything.
    private static let minFrames = 8
    /// The maximum number of frames that are kept.
    private static let maxFrames = 1024
    /// The time over which the two levels of a light are learnt, in seconds, and the distance of the frames that are kept
    /// for that.
    private static let (learning, learningStep) = (60.0, 0.2)
    /// The time over which blinking is judged, in seconds, if it has two whole periods.
    private static let blinkingSpan = 8.0

    private struct Frame {
        var time: Double
        var level: Float
        var room: Float
        var glow: SIMD3<Float>?
    }

    private var frames: [Frame] = []
    /// Some older levels.
    private var older: [(time: Double, level: Float)] = []
    /// The two levels that were seen last.
    private var levels: Levels?
    /// The glow of the brighter one, as it was seen last.
    private var brightGlow: SIMD3<Float>?

    package init() {}

    /// Takes what a frame shows.
    /// - Parameters:
    ///   - time: The time of capture, in seconds. A time that is not later than the one before is ignored.
    ///   - level: The luminance of the area above that of the room.
    ///   - room: The light of the room.
    ///   - glow: The light of the glow, without the room's.
    package mutating func add(time: Double, level: Double, room: LinearRGB, glow: LinearRGB?) {
        if let last = frames.last, time <= last.time { return }
        frames.append(
            Frame(
                time: time, level: Float(level), room: Float(room.luminance),
                glow: glow.map { SIMD3(Float($0.r), Float($0.g), Float($0.b)) }))
        let gone = frames.prefix { $0.time < time - Self.memory }.count
        let surplus = max(gone, frames.count - Self.maxFrames)
        guard surplus > 0 else { return }
        for frame in frames.prefix(surplus) where frame.time - (older.last?.time ?? -.infinity) >= Self.learningStep {
            older.append((frame.time, frame.level))
        }
        older.removeFirst(older.prefix { $0.time < time - Self.learning }.count)
        frames.removeFirst(surplus)
    }

    /// Forgets the frames, because the picture is another one, or no colour is known. The levels stay.
    package mutating func reset() { (frames, older) = ([], []) }

    /// The state after the newest frame; nil before the first.
    package mutating func state() -> LightState? {
        guard let newest = frames.last else { return nil }
        var state = LightState(level: Double(newest.level))
        guard frames.count >= Self.minFrames else {
            state.reason =
                "Too few frames were read yet. A light is followed while a page, a broker or a recording "
                + "follows the readings."
            return state
        }
        guard newest.room < Self.brightRoom else {
            state.reason =
                "The surroundings are so bright that the light could not be told from them: "
                + "lower the exposure, or shade the light."
            return state
        }
        let noise = noise
        if let found = Levels(frames.map(\.level) + older.map(\.level), noise: noise, room: newest.room) {
            levels = found
        }
        if let levels, let glow = frames.last(where: { $0.level > levels.upper && $0.glow != nil })?.glow {
            brightGlow = glow
        }
        if let levels, levels.explains(newest.level) {
            judge(&state, levels)
            if state.on == false, isDarkerColor(newest, levels, noise) {
                state.on = true
                add(&state, glowOf: recentGlows { abs(frames[$0].level - newest.level) <= levels.gap / 8 })
            }
        } else {
            judgeWithoutLevels(&state, newest, noise)
        }
        return state
    }
}

// MARK: Levels

extension LightTracker {
    /// The luminance of the room at which it outshines a light.
    private static var brightRoom: Float { 0.85 }
    /// The least distance of a light from the room, or of its two levels, in standard deviations of the noise.
    private static var minDeviations: Float { 6 }
    /// The share of the room's light that a surface may throw back beyond what its surroundings do (ours). One that is
    /// brighter shines by itself.
    private static var glossShare: Float { 0.5 }
    /// The share of the brighter level that a light of another colour has at least (ours): the red of a charger has a
    /// quarter of the luminance of its green, and what a lamp beside it throws on a dark one is less.
    private static var colorShare: Float { 0.125 }
    /// The greatest share that the weakest channel of a coloured light has of its strongest one, and the least difference
    /// of two colours, each as shares of its strongest channel (ours). What a surface throws back of the room is paler.
    private static var maxPaleness: Float { 0.5 }
    private static var minColorDifference: Float { 0.3 }
    /// The level from which changes are more than noise in the dark (ours).
    private static var minFlicker: Float { 0.02 }
    /// The least distance of the two levels in L*.
    private static var minLightness: Double { 4 }

    /// The standard deviation of the level from frame to frame, from the lower quartile of the changes, so that those of a
    /// light that blinks do not count.
    private var noise: Float {
        let changes = zip(frames, frames.dropFirst()).map { abs($1.level - $0.level) }.sorted()
        guard !changes.isEmpty else { return 0 }
        // The lower quartile of the magnitude of the difference of two normal variables.
        return changes[changes.count / 4] / 0.4506
    }

    private static var tooFast: String {
        "It changes too fast for this camera: at more than a third of its frame rate, or within frames, as one does that is "
            + "dimmed by PWM. Raise the frame rate, or lengthen the exposure to a multiple of the period."
    }

    /// Returns the difference in L* of two levels above the light of a room.
    private static func lightnessDifference(_ low: Float, _ high: Float, _ room: Float) -> Double {
        func lightness(_ level: Float) -> Double {
            CIELab(LinearRGB(r: 1, g: 1, b: 1) * Double(max(0, min(1, room + level)))).lightness
        }
        return lightness(high) - lightness(low)
    }

    /// The levels of a light that is off and on.
    private struct Levels: Equatable {
        /// The share of the frames that must have one of the two levels: less for a light that changes within frames, as
        /// PWM does.
        private static let minShare = 0.6

        var low: Float
        var high: Float

        var gap: Float { high - low }
        /// The level above which a light that was off is on.
        var upper: Float { low + gap * 2 / 3 }
        /// The level below which a light that was on is off.
        var lower: Float { low + gap / 3 }

        /// Finds the two levels by 2-means.
        /// - Returns: Nil if there is only one, or more than two.
        init?(_ levels: [Float], noise: Float, room: Float) {
            guard levels.count >= LightTracker.minFrames, var low = levels.min(), var high = levels.max(), high > low
            else { return nil }
            for _ in 0..<8 {
                let middle = (low + high) / 2
                var (sums, counts) = (SIMD2<Float>.zero, SIMD2<Float>.zero)
                for level in levels {
                    let index = level > middle ? 1 : 0
                    sums[index] += level
                    counts[index] += 1
                }
                guard counts.min() > 0 else { return nil }
                (low, high) = (sums[0] / counts[0], sums[1] / counts[1])
            }
            // Frames in which the light changed lie between the levels, and must not shift them.
            let gap = high - low
            func mean(_ range: ClosedRange<Float>) -> Float? {
                let members = levels.filter(range.contains)
                return members.isEmpty ? nil : members.reduce(0, +) / Float(members.count)
            }
            (self.low, self.high) = (
                mean(-.infinity...(low + gap / 8)) ?? low, mean((high - gap / 8)...(.infinity)) ?? high
            )
            let near = levels.count { min(abs($0 - self.low), abs($0 - self.high)) <= self.gap / 6 }
            guard self.gap >= LightTracker.minDeviations * noise, Double(near) >= Self.minShare * Double(levels.count),
                LightTracker.lightnessDifference(self.low, self.high, room) >= LightTracker.minLightness
            else { return nil }
        }

        /// Whether a level is one of the two, or between them.
        func explains(_ level: Float) -> Bool { low - gap / 2...high + gap / 2 ~= level }
    }

    /// Whether a frame is above the light of the room, and not by chance.
    private static func isAbove(_ frame: Frame, _ noise: Float) -> Bool {
        frame.level > minDeviations * noise && lightnessDifference(0, frame.level, frame.room) >= minLightness
    }

    /// Whether a light that seems to be off has another, darker colour: one that is green and then red, or one that was off
    /// and green, and is red now, which lasts.
    private func isDarkerColor(_ newest: Frame, _ levels: Levels, _ noise: Float) -> Bool {
        let least = max(Self.glossShare * newest.room, Self.colorShare * levels.high)
        guard Self.isAbove(newest, noise), newest.level >= least, let glow = newest.glow, let brightGlow,
            glow.min() <= Self.maxPaleness * glow.max()
        else { return false }
        let difference =
            glow / max(glow.max(), .leastNormalMagnitude) - brightGlow / max(brightGlow.max(), .leastNormalMagnitude)
        guard max(difference.max(), -difference.min()) >= Self.minColorDifference else { return false }
        let recent = frames.filter { $0.time > newest.time - 2 }
        return levels.low >= least
            || recent.count >= Self.minFrames
                && recent.allSatisfy { abs($0.level - newest.level) <= levels.gap / 8 }
    }

    private func judgeWithoutLevels(_ state: inout LightState, _ newest: Frame, _ noise: Float) {
        let recent = frames.filter { $0.time > newest.time - 2 }.map(\.level)
        let (least, greatest) = (recent.min() ?? 0, recent.max() ?? 0)
        if recent.count >= 8, greatest >= Self.minFlicker,
            Self.lightnessDifference(least, greatest, newest.room) >= Self.minLightness
        {
            state.reason = Self.tooFast
            return
        }
        let isAbove = Self.isAbove(newest, noise)
        guard !isAbove || newest.level >= Self.glossShare * newest.room else {
            state.reason =
                "The light has not changed yet, and a bright surface would look the same: "
                + "switch it off and on once."
            return
        }
        state.on = isAbove
        if isAbove { add(&state, glowOf: recentGlows { frames[$0].level > newest.level / 2 }) }
    }
}

// MARK: Blinking

extension LightTracker {
    /// A change of the light.
    private struct Edge {
        var time: Double
        var isRising: Bool
    }

    /// Changes between which no frame is missing.
    private struct Run {
        /// The time before it in which frames are missing, in seconds.
        var gap = 0.0
        var edges: [Edge] = []

        /// The changes of so many of the last whole periods, from the first to the last of the same kind.
        func whole(_ count: Int = .max) -> ArraySlice<Edge> {
            let halves = max(edges.count - 1, 0)
            return edges.suffix(1 + min(halves - halves % 2, count > halves ? halves : 2 * count))
        }
    }

    private func judge(_ state: inout LightState, _ levels: Levels) {
        var (isOn, runs) = (false, [Run()])
        var onFrames: Set<Int> = []
        let step = frameDistance
        for (index, frame) in frames.enumerated() {
            let before = isOn
            if index == 0 {
                isOn = frame.level > (levels.lower + levels.upper) / 2
            } else if frame.level > levels.upper {
                isOn = true
            } else if frame.level < levels.lower {
                isOn = false
            }
            if isOn { onFrames.insert(index) }
            guard index > 0 else { continue }
            let previous = frames[index - 1]
            if frame.time - previous.time > 2.5 * step {
                // What happened while frames were missing is not known.
                runs.append(Run(gap: frame.time - previous.time))
            } else if isOn != before {
                runs[runs.count - 1].edges.append(
                    Edge(time: Self.crossing(previous, frame, levels), isRising: isOn))
            }
        }
        state.on = isOn
        if exposureFollows(levels) {
            state.on = nil
            state.reason = "The exposure follows the light: lock the automatic exposure."
            return
        }
        blink(&state, runs, step)
        if state.on == true { add(&state, glowOf: recentGlows(onFrames.contains)) }
    }

    /// Returns when the level crossed the middle between two frames.
    private static func crossing(_ one: Frame, _ two: Frame, _ levels: Levels) -> Double {
        let middle = (levels.low + levels.high) / 2
        let change = two.level - one.level
        let share = abs(change) > 0 ? Double(min(max((middle - one.level) / change, 0), 1)) : 0.5
        return one.time + share * (two.time - one.time)
    }

    /// The median time from one frame to the next, in seconds.
    private var frameDistance: Double {
        let steps = zip(frames, frames.dropFirst()).map { $1.time - $0.time }.sorted()
        return steps.isEmpty ? .infinity : steps[steps.count / 2]
    }

    /// Recognises blinking from the changes of a light.
    private func blink(_ state: inout LightState, _ runs: [Run], _ step: Double) {
        guard let now = frames.last?.time, let latest = runs.lastIndex(where: { !$0.edges.isEmpty }),
            let last = runs[latest].edges.last?.time
        else { return }
        // Two whole periods of one kind, in the usual span or in all that is kept.
        let start = now - Self.blinkingSpan
        let recent = runs.map { Run(edges: $0.edges.filter { $0.time >= start }).whole() }
        var judged = recent
        if recent.reduce(0, { $0 + $1.count / 2 }) < 2 {
            judged = []
            for run in runs.reversed() {
                let missing = 2 - judged.reduce(0) { $0 + $1.count / 2 }
                if missing > 0 { judged.append(run.whole(missing)) }
            }
        }
        judged.removeAll { $0.count < 3 }
        let count = judged.reduce(0) { $0 + $1.count / 2 }
        guard count >= 2 else { return }
        let lasting = judged.map { pieces in zip(pieces, pieces.dropFirst()).map { $1.time - $0.time } }
        let periods = lasting.flatMap { zip($0, $0.dropFirst()).map(+) }
        let time = lasting.joined().reduce(0, +)
        let period = time / Double(count)
        // Unless it has stopped.
        let lost = runs[(latest + 1)...].reduce(0) { $0 + $1.gap }
        guard now - last - lost <= 1.5 * (lasting.joined().max() ?? period) + step else { return }
        if period < 3 * step {
            state.on = nil
            state.reason = Self.tooFast
            return
        }
        let allowed = max(period / 4, 1.5 * step)
        guard periods.allSatisfy({ abs($0 - period) <= allowed }) else {
            state.reason = "It blinks irregularly."
            return
        }
        let lit = zip(judged, lasting).reduce(0) { sum, run in
            sum + zip(run.0, run.1).reduce(0) { $0 + ($1.0.isRising ? $1.1 : 0) }
        }
        (state.on, state.hz, state.duty) = (true, 1 / period, lit / time)
    }

    /// Whether the room is darker while the light is on than while it is off: then the camera has changed its exposure.
    private func exposureFollows(_ levels: Levels) -> Bool {
        func room(_ isWanted: (Float) -> Bool) -> Float? {
            let rooms = frames.filter { isWanted($0.level) }.map(\.room).sorted()
            return rooms.count < 4 ? nil : rooms[rooms.count / 2]
        }
        guard let dark = room({ $0 < levels.lower }), let lit = room({ $0 > levels.upper }) else { return false }
        return dark > 0.002 && lit < 0.7 * dark
    }

    private func recentGlows(_ isOn: (Int) -> Bool) -> [SIMD3<Float>?] {
        guard let now = frames.last?.time else { return [] }
        return frames.indices.filter { frames[$0].time > now - 2 && isOn($0) }.map { frames[$0].glow }
    }

    /// Adds the mean of the glow, or the reason why it is not known.
    private func add(_ state: inout LightState, glowOf glows: [SIMD3<Float>?]) {
        let known = glows.compactMap(\.self)
        guard !known.isEmpty, 2 * known.count >= glows.count else {
            state.reason = state.reason ?? "The light is overexposed: lower the exposure to see its colour."
            return
        }
        let sum = known.reduce(SIMD3<Float>.zero, +) / Float(known.count)
        state.glow = LinearRGB(r: Double(sum.x), g: Double(sum.y), b: Double(sum.z))
    }
}
