// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "benchmarks",
    dependencies: [.package(name: "swatchcam", path: "..")],
    targets: [
        .executableTarget(name: "AnalysisBenchmark", dependencies: [.product(name: "Pixels", package: "swatchcam")])
    ],
    swiftLanguageModes: [.v6]
)
