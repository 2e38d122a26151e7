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
        } else if polar.chroma < basic.leastChroma(at: polar.lightness), lightness != "very light" {
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
