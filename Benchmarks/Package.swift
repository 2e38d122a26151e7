// swift-tools-version: 6.2
import PackageDescription

// The libraries that benchmark.py loads: the code under test and its rivals.
// The programs that fanout.py runs: the clients, and a rival server.
let package = Package(
    name: "benchmarks",
    products: [
        .library(name: "Bench", type: .dynamic, targets: ["Bench"]),
        .library(name: "Rivals", type: .dynamic, targets: ["CRivals"]),
        .executable(name: "FanoutLoad", targets: ["FanoutLoad"]),
        .executable(name: "FanoutNIO", targets: ["FanoutNIO"]),
    ],
    dependencies: [
        .package(name: "swatchcam", path: ".."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        .target(
            name: "Bench",
            dependencies: [
                .product(name: "JPEG", package: "swatchcam"), .product(name: "Pixels", package: "swatchcam"),
            ]),
        .target(
            name: "CRivals", cSettings: [.unsafeFlags(["-O3"])],
            linkerSettings: [.linkedLibrary("turbojpeg")]),
        .executableTarget(name: "FanoutLoad"),
        .executableTarget(
            name: "FanoutNIO",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOWebSocket", package: "swift-nio"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
