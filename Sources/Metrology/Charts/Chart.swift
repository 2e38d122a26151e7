package import Color

/// A colour chart: patches whose colours are known.
package struct Chart: Equatable, Sendable {
    /// The maximum number of patches, whose measurements fit into a request.
    package static let maxPatches = 500

    /// A patch and its reference colour.
    package struct Patch: Equatable, Sendable {
        package var name: String
        package var lab: CIELab

        package init(name: String, lab: CIELab) {
            self.name = name
            self.lab = lab
        }
    }

    package var name: String
    package var patches: [Patch]

    package init(name: String, patches: [Patch]) {
        self.name = name
        self.patches = patches
    }
}

extension Chart {
    /// The ColorChecker Classic, row by row from the dark skin, in six columns.
    ///
    /// The colours are those that X-Rite published for charts made since November 2014, for D50 and 2° ("New color
    /// specifications for ColorChecker SG and Classic charts", 2016; also in BabelColor, "ColorChecker data",
    /// babelcolor.com/colorchecker-2.htm). Older charts differ by up to ΔE00 3, and so does a faded one.
    package static let colorChecker = Chart(
        name: "ColorChecker Classic",
        patches: [
            ("dark skin", 37.54, 14.37, 14.92), ("light skin", 64.66, 19.27, 17.5), ("blue sky", 49.32, -3.82, -22.54),
            ("foliage", 43.46, -12.74, 22.72), ("blue flower", 54.94, 9.61, -24.79),
            ("bluish green", 70.48, -32.26, -0.37), ("orange", 62.73, 35.83, 56.5),
            ("purplish blue", 39.43, 10.75, -45.17), ("moderate red", 50.57, 48.64, 16.67),
            ("purple", 30.1, 22.54, -20.87), ("yellow green", 71.77, -24.13, 58.19),
            ("orange yellow", 71.51, 18.24, 67.37), ("blue", 28.37, 15.42, -49.8), ("green", 54.38, -39.72, 32.27),
            ("red", 42.43, 51.05, 28.62), ("yellow", 81.8, 2.67, 80.41), ("magenta", 50.63, 51.28, -14.12),
            ("cyan", 49.57, -29.71, -28.32), ("white 9.5", 95.19, -1.03, 2.93), ("neutral 8", 81.29, -0.57, 0.44),
            ("neutral 6.5", 66.89, -0.75, -0.06), ("neutral 5", 50.76, -0.13, 0.14),
            ("neutral 3.5", 35.63, -0.46, -0.48), ("black 2", 20.64, 0.07, -0.46),
        ].map { Patch(name: $0.0, lab: CIELab(lightness: $0.1, a: $0.2, b: $0.3)) })
}
