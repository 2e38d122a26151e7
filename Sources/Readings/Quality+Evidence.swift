package import Color
import Documents
package import Pixels

extension Quality {
    /// The figures by which a reading is judged.
    package struct Evidence: Equatable, Sendable {
        /// The shares of the pixels at the bottom and at the top of each channel.
        package var clippedLow = ChannelFigures.zero
        package var clippedHigh = ChannelFigures.zero
        /// The share of the pixels that are more saturated than sRGB can hold.
        package var outOfGamut = 0.0
        /// The luminance Y, 0...1.
        package var luminance = 1.0
        /// The mean of the pixels, 0...255, and their standard deviation.
        package var mean = RGB.zero
        package var deviation = ChannelFigures.zero
        /// The noise of the readings in ΔE00; nil if it is not known.
        package var noise: Double?
        /// Nil if it is not known.
        package var steadiness: Reading.Steadiness?
        /// The labels of the automatic controls that are on.
        package var activeAutoControls: [String] = []
        /// What the camera's controls can change, so that nothing else is advised.
        package var adjustable: Set<ControlInfluence.Quantity> = []
        /// The distance by which the picture has moved since the areas were set, in pixels; nil if it has not.
        package var moved: Double?
        /// Whether the camera was just opened, and its colour does not hold yet.
        package var isSettling = false
        /// The newest frames that were lost or not used.
        package var losses = FrameLosses.Losses(frames: 0, seconds: 0, share: 0)

        init() {}

        /// Takes the figures of a region in one reading, and the stability of the readings up to it.
        init(_ measured: Reading.Measurement, _ stability: Reading.Stability = Reading.Stability()) {
            luminance = measured.linear?.luminance ?? XYZ(measured.mean).y
            (noise, steadiness) = (stability.noise?.deltaE, stability.steadiness)
            guard let statistics = measured.statistics else { return }
            (clippedLow, clippedHigh) = (statistics.clippedLow, statistics.clippedHigh)
            (outOfGamut, mean) = (statistics.outOfGamut, measured.mean)
            deviation = statistics.standardDeviation ?? deviation
        }

        /// The names of those of two quantities that can be set; nil if neither can.
        fileprivate func names(_ one: ControlInfluence.Quantity, _ other: ControlInfluence.Quantity) -> String? {
            let names = [one, other].filter(adjustable.contains).map(\.rawValue)
            return names.isEmpty ? nil : names.joined(separator: " or the ")
        }

        /// What to do about darkness. Gain is the last resort, because it amplifies the noise, too.
        fileprivate var moreLight: String {
            let quantity = [ControlInfluence.Quantity.exposure, .gain].first(where: adjustable.contains)
            return "add light" + (quantity.map { " or raise the \($0.rawValue)" } ?? "")
        }
    }

    /// The shares of pixels at which a reading becomes fair, and at which it becomes poor.
    static let (fairShare, poorShare) = (0.001, 0.01)
    /// The luminance below which a region is dark.
    static let darkness = 0.01
    /// The standard deviation of a region's pixels above which it is uneven, as a share of the mean (libvips,
    /// `im_measure`).
    private static let unevenShare = 0.2
    /// The mean below which a channel's evenness is not judged, because noise alone is a large share of it.
    private static let minJudgedMean = 10.0
    /// The noise above which a reading is noisy, in ΔE00.
    private static let maxNoise = 0.5
    /// The share of the noise that is found from one reading to the next, below which the colour changes slowly or in a
    /// step, and is not noisy. A step leaves half at most, and independent readings leave all of it.
    private static let minScatterShare = 0.55
    /// The spreads that noise explains, as multiples of the noise from one reading to the next. After a step, the spread
    /// is greater at first, and then less.
    private static let explainedSpreads = 0.5...4.0
    /// The share of lost frames at which they are reported. A single lost frame does not matter.
    private static let lostFramesShare = 0.01

    package init(_ evidence: Evidence) {
        let found = [
            Self.settling(evidence), Self.clippedHigh(evidence), Self.clippedLow(evidence), Self.outOfGamut(evidence),
            Self.dark(evidence), Self.uneven(evidence), Self.unsettled(evidence), Self.noisy(evidence),
            Self.automatic(evidence), Self.moved(evidence), Self.lostFrames(evidence),
        ].compactMap(\.self)
        flags = found.filter { $0.grade == .poor } + found.filter { $0.grade != .poor }
    }

    private static func settling(_ evidence: Evidence) -> Flag? {
        guard evidence.isSettling else { return nil }
        return Flag(
            .settling, value: 1, grade: .poor,
            message: "The camera was just opened, and its colour does not hold yet. Wait a moment.")
    }

    private static func clippedHigh(_ evidence: Evidence) -> Flag? {
        let worst = evidence.clippedHigh.greatest
        return flag(.clippedHigh, share: worst.value) {
            let quantities = evidence.names(.exposure, .gain).map { "lower the \($0), or " } ?? ""
            return "\($0) of the pixels are at the top of \(worst.name): \(quantities)dim the light."
        }
    }

    private static func clippedLow(_ evidence: Evidence) -> Flag? {
        let worst = evidence.clippedLow.greatest
        return flag(.clippedLow, share: worst.value) {
            let saturation =
                evidence.adjustable.contains(.saturation)
                ? "; for a saturated colour, lower the camera's saturation" : ""
            return "\($0) of the pixels are at the bottom of \(worst.name): \(evidence.moreLight)\(saturation)."
        }
    }

    private static func outOfGamut(_ evidence: Evidence) -> Flag? {
        flag(.outOfGamut, share: evidence.outOfGamut) {
            let advice =
                evidence.adjustable.contains(.saturation)
                ? "lower the camera's saturation" : "the colour is stronger than it reads"
            return "\($0) of the pixels are more saturated than sRGB can hold: \(advice)."
        }
    }

    private static func dark(_ evidence: Evidence) -> Flag? {
        guard evidence.luminance < darkness else { return nil }
        return Flag(
            .dark, value: evidence.luminance,
            message: "The area has \(percent(evidence.luminance, decimals: 2)) of the light of white: "
                + "\(evidence.moreLight).")
    }

    /// Returns whether the pixels of a region vary so much that the region is uneven.
    /// - Parameter mean: Their mean, 0...255.
    package static func isUneven(_ statistics: RegionStatistics, mean: RGB) -> Bool {
        uneven(Evidence(Reading.Measurement(mean: mean, statistics: statistics))) != nil
    }

    private static func uneven(_ evidence: Evidence) -> Flag? {
        let worst = evidence.deviation.combined(with: evidence.mean) { deviation, mean in
            mean < minJudgedMean ? 0 : deviation / mean
        }.greatest
        guard worst.value > unevenShare else { return nil }
        return Flag(
            .uneven, value: worst.value,
            message: "From pixel to pixel, \(worst.name) varies by \(percent(worst.value, decimals: 0)): choose a "
                + "smaller area, or light it evenly.")
    }

    private static let noiseAdvice = "add light, choose a larger area, or average more frames"

    /// Whether the readings differ because of noise, and not because the colour has changed.
    private static func isNoise(_ evidence: Evidence) -> Bool {
        guard let steadiness = evidence.steadiness, let noise = evidence.noise else { return true }
        let scatter = steadiness.scatter
        guard scatter >= minScatterShare * noise else { return false }
        // A change in a straight line adds to the spread, but not to the noise.
        return steadiness.isChanging || explainedSpreads ~= steadiness.spread / scatter
    }

    /// The spread of noisy readings is not a doubt of its own.
    private static func unsettled(_ evidence: Evidence) -> Flag? {
        guard let steadiness = evidence.steadiness, !steadiness.isSettled else { return nil }
        guard steadiness.isChanging else {
            guard noisy(evidence) == nil else { return nil }
            return Flag(
                .unsettled, value: steadiness.spread,
                message: "One of the last readings is ΔE \(steadiness.spread.formatted(decimals: 1)) from their mean: "
                    + "\(isNoise(evidence) ? noiseAdvice : "wait until the colour is steady").")
        }
        let rate = steadiness.trendPerMinute
        let remedy =
            if !evidence.activeAutoControls.isEmpty {
                "Wait until it is steady, or lock the camera."
            } else if evidence.adjustable.contains(.lampDrift) {
                // Waiting would not help: the lamp of the test pattern never stops drifting.
                "Switch off Lamp Drift, under Controls."
            } else {
                "Wait until it is steady."
            }
        return Flag(
            .unsettled, value: steadiness.trend,
            message: "The colour is changing, by ΔE \(rate.formatted(decimals: rate < 10 ? 1 : 0)) a minute. "
                + remedy)
    }

    private static func noisy(_ evidence: Evidence) -> Flag? {
        guard let noise = evidence.noise, noise > maxNoise, isNoise(evidence) else { return nil }
        return Flag(
            .noisy, value: noise,
            message: "Readings vary by ΔE \(noise.formatted(decimals: 1)): \(noiseAdvice).")
    }

    private static func automatic(_ evidence: Evidence) -> Flag? {
        let names = evidence.activeAutoControls
        let count = names.count
        guard count > 0 else { return nil }
        // A colour that is changing has this advice already.
        let advice = evidence.steadiness?.isChanging == true ? "" : " Lock for measuring."
        return Flag(
            .automatic, value: Double(count),
            message: "\(count) automatic control\(count == 1 ? "" : "s") may change the colour: \(names.list) "
                + "\(count == 1 ? "is" : "are") on.\(advice)")
    }

    private static func moved(_ evidence: Evidence) -> Flag? {
        guard let pixels = evidence.moved else { return nil }
        return Flag(
            .moved, value: pixels,
            message:
                "The picture has moved by \(pixels.formatted(decimals: 1)) pixels since the area or the probes were "
                + "set: move the camera back, or set them again.")
    }

    private static func lostFrames(_ evidence: Evidence) -> Flag? {
        let losses = evidence.losses
        guard losses.share >= lostFramesShare else { return nil }
        return Flag(
            .lostFrames, value: Double(losses.frames),
            message: "\(losses.frames) frame\(losses.frames == 1 ? " was" : "s were") lost in the last "
                + "\(losses.seconds.formatted(decimals: 0)) s: choose a smaller picture or a lower frame rate, or check "
                + "the cable.")
    }

    /// Returns the flag for a share of the pixels; nil if the share is too small to matter.
    private static func flag(_ code: Flag.Code, share: Double, message: (_ percent: String) -> String) -> Flag? {
        guard share >= fairShare else { return nil }
        return Flag(code, value: share, grade: share >= poorShare ? .poor : .fair, message: message(percent(share)))
    }

    private static func percent(_ share: Double, decimals: Int = 1) -> String {
        "\((100 * share).formatted(decimals: decimals)) %"
    }
}
