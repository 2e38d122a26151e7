package import Color

/// A function from the camera's linear light to the linear light of sRGB.
package struct ColorTransform: Codable, Equatable, Sendable {
    /// The terms that a transform weighs.
    package enum Model: String, Codable, CaseIterable, Sendable {
        /// R, G and B, each for its own channel: three factors. Greys determine no more.
        case gains
        /// R, G and B: a 3x3 matrix.
        case matrix
        /// R, G, B, √RG, √GB and √RB: the root polynomial of degree 2. Like a matrix, it keeps a colour's chromaticity
        /// when the exposure changes (G. D. Finlayson, M. Mackiewicz, A. Hurlbert, "Color Correction Using
        /// Root-Polynomial Regression", IEEE Transactions on Image Processing 24, 2015).
        case rootPolynomial = "root-polynomial"

        /// Returns the terms for a colour. Light below the dark is noise, and has no root.
        func terms(_ light: LinearRGB) -> [Double] {
            switch self {
            case .gains, .matrix: light.values
            case .rootPolynomial:
                light.values
                    + [(light.r, light.g), (light.g, light.b), (light.r, light.b)].map { one, two in
                        (max(0, one) * max(0, two)).squareRoot()
                    }
            }
        }

        var count: Int { terms(LinearRGB(all: 0)).count }
    }

    package let model: Model
    /// The coefficients of the terms, for red, green and blue.
    package let coefficients: [[Double]]

    /// - Returns: Nil if there are not three finite lists of as many coefficients as the model has terms.
    package init?(model: Model, coefficients: [[Double]]) {
        (self.model, self.coefficients) = (model, coefficients)
        guard isValid else { return nil }
    }

    var isValid: Bool {
        coefficients.count == 3
            && coefficients.allSatisfy { $0.count == model.count && $0.allSatisfy { abs($0) < 1e6 } }
    }

    /// Returns the colour of the camera's light. A channel is outside of 0...1 if sRGB does not hold the colour.
    package func callAsFunction(_ light: LinearRGB) -> LinearRGB {
        let terms = model.terms(light)
        let values = coefficients.map { zip($0, terms).reduce(0) { $0 + $1.0 * $1.1 } }
        return LinearRGB(r: values[0], g: values[1], b: values[2])
    }
}
