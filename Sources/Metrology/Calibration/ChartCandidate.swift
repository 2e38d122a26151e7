import Color
import Glibc

/// A transform fitted to the usable patches.
struct ChartCandidate {
    let transform: ColorTransform
    let deltaELeftOut: [Double]

    private init(transform: ColorTransform, deltaELeftOut: [Double]) {
        (self.transform, self.deltaELeftOut) = (transform, deltaELeftOut)
    }

    var leaveOneOut: ChartFit.Differences { .init(deltaELeftOut) }

    /// Fits a matrix, a root polynomial if that predicts unseen patches clearly better, or a factor for each channel if
    /// all patches are grey.
    /// - Returns: Nil if they determine nothing.
    init?(bestOf patches: [ChartFit.Measurement]) {
        guard let matrix = ChartCandidate(.matrix, patches) else {
            let isGrey = patches.allSatisfy { hypot($0.patch.lab.a, $0.patch.lab.b) <= ChartFit.maxGreyChroma }
            guard isGrey else { return nil }
            self.init(.gains, patches)
            return
        }
        let polynomial = ChartCandidate(.rootPolynomial, patches)
        let isBetter = polynomial.map { $0.leaveOneOut.mean < ChartFit.worthwhileShare * matrix.leaveOneOut.mean }
        self = isBetter == true ? polynomial ?? matrix : matrix
    }

    /// The patch that fits the rest least; nil if all fit.
    func misfit(from least: Double, factor: Double) -> Int? {
        let median = deltaELeftOut.sorted()[deltaELeftOut.count / 2]
        return deltaELeftOut.indices.max { deltaELeftOut[$0] < deltaELeftOut[$1] }
            .flatMap { deltaELeftOut[$0] > max(least, factor * median) ? $0 : nil }
    }

    /// - Returns: Nil if the patches do not determine the transform.
    init?(_ model: ColorTransform.Model, _ patches: [ChartFit.Measurement]) {
        let rows = patches.map { model.terms($0.light) }
        let targets = patches.map { LinearRGB($0.patch.lab) }
        let channels = [\LinearRGB.r, \.g, \.b]
        guard model != .gains else {
            guard let fit = Self.gains(patches, targets) else { return nil }
            self = fit
            return
        }
        guard
            let fit = LeastSquares(
                rows: rows, targets: channels.map { channel in targets.map { $0[keyPath: channel] } }),
            let transform = ColorTransform(model: model, coefficients: fit.coefficients),
            // A patch that alone determines a coefficient cannot be predicted from the others.
            fit.leverages.allSatisfy({ $0 < 1 - 1e-9 }), fit.condition <= ChartFit.maxCondition(model.count)
        else { return nil }
        self.transform = transform
        deltaELeftOut = zip(zip(patches, targets), fit.leverages).map { pair, leverage in
            let (patch, target) = pair
            let residual = (target - transform(patch.light)) / (1 - leverage)
            return CIEDE2000(patch.patch.lab, CIELab(target - residual)).total
        }
    }
}

extension ChartCandidate {
    /// Fits a factor for each channel.
    fileprivate static func gains(_ patches: [ChartFit.Measurement], _ targets: [LinearRGB]) -> ChartCandidate? {
        let fits = [\LinearRGB.r, \.g, \.b].map { channel in
            LeastSquares(
                rows: patches.map { [$0.light[keyPath: channel]] }, targets: [targets.map { $0[keyPath: channel] }])
        }
        let factors = fits.compactMap { $0?.coefficients.first?.first }
        guard factors.count == 3,
            let transform = ColorTransform(
                model: .gains,
                coefficients: factors.indices.map { row in factors.indices.map { $0 == row ? factors[row] : 0 } }),
            fits.allSatisfy({ $0?.leverages.allSatisfy { $0 < 1 - 1e-9 } == true })
        else { return nil }
        let differences = patches.indices.map { index in
            let rest = targets[index] - transform(patches[index].light)
            let leverages = fits.map { $0?.leverages[index] ?? 0 }
            let residual = LinearRGB(
                r: rest.r / (1 - leverages[0]), g: rest.g / (1 - leverages[1]), b: rest.b / (1 - leverages[2]))
            return CIEDE2000(patches[index].patch.lab, CIELab(targets[index] - residual)).total
        }
        return ChartCandidate(transform: transform, deltaELeftOut: differences)
    }
}
