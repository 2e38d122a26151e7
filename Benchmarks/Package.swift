// swift-tools-version: 6.2
import PackageDescription

// Libraries that benchmark.py loads: what is measured, and what it is measured against.
let package = Package(
    name: "benchmarks",
    products: [
        .library(name: "Bench", type: .dynamic, targets: ["Bench"]),
        .library(name: "Rivals", type: .dynamic, targets: ["CRivals"]),
    ],
    dependencies: [.package(name: "swatchcam", path: "..")],
    targets: [
        .target(
            name: "Bench",
            dependencies: [
                .product(name: "JPEG", package: "swatchcam"), .product(name: "Pixels", package: "swatchcam"),
            ]),
        .target(name: "CRivals", cSettings: [.unsafeFlags(["-O3"])],
            linkerSettings: [.linkedLibrary("turbojpeg")]),
    ],
    swiftLanguageModes: [.v6]
)
