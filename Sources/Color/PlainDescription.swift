extension RGB {
    /// The colour in plain words: a basic colour term, preceded by its lightness and its chroma if they are far from
    /// ordinary, such as "dark greyish blue".
    package var plainDescription: String {
        let polar = Oklab(XYZ(self)).polar
        let basic = BasicColor(polar)
        let hwb = HWB(self)
        // Vivid colours have little white and little black in HWB. Brown is dark by nature and grey has no chroma, so
        // neither is vivid.
        let isVivid = hwb.whiteness <= 0.12 && hwb.blackness <= 0.15 && basic != .brown && basic != .grey
        let lightness = Self.lightnessWord(polar.lightness, of: basic, isVivid: isVivid)
        let chroma: String?
        if isVivid, lightness == nil {
            chroma = "vivid"
        } else if polar.chroma < basic.minChroma(at: polar.lightness), lightness != "very light" {
            chroma = "greyish"
        } else {
            chroma = nil
        }
        return [lightness, chroma, basic.rawValue].compactMap(\.self).joined(separator: " ")
    }

    private static func lightnessWord(_ lightness: Double, of basic: BasicColor, isVivid: Bool) -> String? {
        if lightness < basic.ordinaryLightness.lowerBound {
            return lightness < basic.ordinaryLightness.lowerBound - 0.18 ? "very dark" : "dark"
        }
        // A vivid yellow is light, and yet nobody would call it "light yellow".
        guard lightness > basic.ordinaryLightness.upperBound, !isVivid else { return nil }
        return lightness > 0.93 ? "very light" : "light"
    }
}

/// A colour in everyday words: the 11 basic colour terms of English (B. Berlin, P. Kay, "Basic Color Terms", 1969), and
/// two pairs of them for wide ranges of hue that no single term covers.
///
/// The borders between the terms are ours, drawn in OkLCh so that the names in CSS and most names in the survey of xkcd
/// (https://xkcd.com/color/rgb/) that contain a basic term agree with them.
enum BasicColor: String, Sendable {
    case black, white, grey, red, orange, yellow, green, blue, purple, pink, brown
    case yellowGreen = "yellow-green"
    case blueGreen = "blue-green"

    init(_ color: PolarColor) {
        if let neutral = Self.neutral(color) {
            self = neutral
        } else {
            self = Self.hue(color)
        }
    }

    /// Returns the term for a colour that is too dark, or has too little chroma, for its hue to be named; nil for any
    /// other.
    private static func neutral(_ color: PolarColor) -> Self? {
        let (lightness, chroma) = (color.lightness, color.chroma)
        guard chroma < 0.02 || lightness < 0.12 || (lightness < 0.2 && chroma < 0.05) else { return nil }
        if lightness > 0.965 { return .white }
        return lightness < 0.22 ? .black : .grey
    }

    private static func hue(_ color: PolarColor) -> Self {
        switch color.hue {
        case ..<12, 345...: pinkOrPurple(color)
        case ..<40: redOrPink(color)
        case ..<77: orangeOrBrown(color)
        case ..<92: color.lightness < 0.62 || (color.lightness < 0.82 && color.chroma < 0.08) ? .brown : .yellow
        case ..<117: .yellow
        case ..<131: .yellowGreen
        case ..<168: .green
        case ..<212: .blueGreen
        case ..<285: .blue
        default: .purple
        }
    }

    private static func pinkOrPurple(_ color: PolarColor) -> Self {
        if color.lightness >= 0.52 { return .pink }
        return 345..<355 ~= color.hue ? .purple : .red
    }

    /// Light red is pink; dull red is brown.
    private static func redOrPink(_ color: PolarColor) -> Self {
        if color.lightness >= 0.72 { return .pink }
        guard color.chroma < 0.09 else { return .red }
        return color.lightness >= 0.6 ? .pink : .brown
    }

    /// Brown is orange that is dark or dull.
    private static func orangeOrBrown(_ color: PolarColor) -> Self {
        if color.lightness >= 0.82 { return .orange }
        let isDark = color.lightness < 0.55 || (color.lightness < 0.66 && color.chroma < 0.15)
        return isDark || color.chroma < 0.09 ? .brown : .orange
    }

    /// The range of lightness in OkLCh in which the term needs no "dark" or "light".
    var ordinaryLightness: ClosedRange<Double> {
        switch self {
        case .black, .white: -1...2
        case .grey: 0.53...0.78
        case .red: 0.47...0.66
        case .orange: 0.66...0.82
        case .yellow: 0.72...0.90
        case .yellowGreen: 0.60...0.85
        case .green, .blueGreen: 0.47...0.80
        case .blue: 0.37...0.70
        case .purple: 0.37...0.72
        case .pink: 0.62...0.86
        case .brown: 0.41...0.64
        }
    }

    /// Returns the chroma in OkLCh below which a colour of this lightness is greyish. Dark colours have less chroma.
    func minChroma(at lightness: Double) -> Double {
        let chroma =
            switch self {
            case .black, .white, .grey: 0.0
            case .brown: 0.05
            case _ where lightness > 0.9: 0.045
            case .yellow, .green, .yellowGreen: 0.075
            default: lightness > 0.75 ? 0.045 : 0.06
            }
        return chroma * min(1, lightness / 0.45)
    }
}
