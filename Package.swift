// swift-tools-version: 6.2
import PackageDescription

/// The settings that every target of ours shares. CI turns warnings into errors; a user's newer compiler does not.
let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .strictMemorySafety(),
    ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

let package = Package(
    name: "swatchcam",
    products: [
        .executable(name: "swatchcam", targets: ["Swatchcam"]),
        .library(name: "V4L2", targets: ["V4L2"]),
        .library(name: "JPEG", targets: ["JPEG"]),
        .library(name: "Pixels", targets: ["Pixels"]),
    ],
    dependencies: [
        // Exactly this one: patches/ are made for it.
        .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        // How threads and tasks pass values to each other, and the clock that they wait by.
        .target(name: "CLinux"),
        .target(name: "Handoff", dependencies: ["CLinux"], swiftSettings: strict),

        // Reading what comes from outside: bounded, and sanitized before it is shown.
        .target(name: "Untrusted", dependencies: ["Handoff"], swiftSettings: strict),

        // The kernel's video capture API: a C shim for the ioctls, and the API in Swift. Usable alone.
        .target(name: "CV4L2"),
        .target(name: "V4L2", dependencies: ["CV4L2", "Handoff", "Untrusted"], swiftSettings: strict),

        // Pure mathematics on the bytes of a picture; the loops over every byte are in C.
        .target(name: "CPixels"),
        .target(name: "Pixels", dependencies: ["CPixels"], swiftSettings: strict),

        // JPEG frames, by libjpeg-turbo.
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .target(name: "JPEG", dependencies: ["CTurboJPEG"], swiftSettings: strict),

        // Templates/ and Resources/, embedded: the target's folder is the package, so that SwiftPM notices new files there.
        .target(
            name: "Assets",
            path: ".",
            exclude: [
                ".ci", "Benchmarks", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile",
                "Packages", "Packaging", "Plugins", "README.md", "Resources/kiosk", "Resources/systemd", "Scripts",
                "patches",
                "Sources/AssetEmbedder", "Sources/CLinux", "Sources/CPixels", "Sources/CTurboJPEG", "Sources/CV4L2",
                "Sources/Capture", "Sources/Configuration", "Sources/Handoff", "Sources/Inotify", "Sources/JPEG",
                "Sources/Pixels",
                "Sources/Swatchcam",
                "Sources/Untrusted", "Sources/V4L2", "Tests", "config.toml", "docs",
            ],
            sources: ["Sources/Assets"],
            swiftSettings: strict,
            plugins: ["EmbedAssets"]
        ),
        .plugin(name: "EmbedAssets", capability: .buildTool(), dependencies: ["AssetEmbedder"]),
        .executableTarget(name: "AssetEmbedder", swiftSettings: strict),

        // The kernel's word that something has changed in a folder.
        .target(name: "Inotify", swiftSettings: strict),

        // config.toml: its schema, its mistakes, its edits while the program runs.
        .target(
            name: "Configuration",
            dependencies: [
                "Handoff", "Inotify", "Pixels", "Untrusted",
                .product(name: "TOMLKit", package: "TOMLKit"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),

        // What everyone gets: the reading, its rate, and who wants it.
        .target(name: "Readings", dependencies: ["Handoff", "Pixels"], swiftSettings: strict),

        // From a camera to readings and pictures: choosing it, losing it, its controls.
        .target(
            name: "Capture",
            dependencies: [
                "Configuration", "Handoff", "Inotify", "JPEG", "Pixels", "Readings", "Untrusted", "V4L2",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),

        // The program.
        .executableTarget(
            name: "Swatchcam",
            dependencies: [
                "Assets", "CLinux", "Capture", "Configuration", "Handoff", "Inotify", "JPEG", "Pixels", "Readings",
                "Untrusted",
                "V4L2",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),

        .target(
            name: "TestSupport",
            dependencies: ["Handoff", "Pixels", "Readings", "V4L2", .product(name: "Logging", package: "swift-log")],
            path: "Tests/Support",
            swiftSettings: strict),
        .testTarget(name: "HandoffTests", dependencies: ["Handoff"], path: "Tests/Handoff", swiftSettings: strict),
        .testTarget(
            name: "UntrustedTests", dependencies: ["Untrusted"], path: "Tests/Untrusted", swiftSettings: strict),
        .testTarget(name: "V4L2Tests", dependencies: ["Handoff", "V4L2"], path: "Tests/V4L2", swiftSettings: strict),
        .testTarget(
            name: "InotifyTests", dependencies: ["Inotify"], path: "Tests/Inotify", swiftSettings: strict),
        .testTarget(
            name: "JPEGTests", dependencies: ["JPEG", "CTurboJPEG"], path: "Tests/JPEG", swiftSettings: strict),
        .testTarget(
            name: "PixelsTests", dependencies: ["Pixels", "TestSupport"], path: "Tests/Pixels",
            exclude: ["RecordedFrames", "effects_reference.py"],
            swiftSettings: strict),
        .testTarget(
            name: "ConfigurationTests",
            dependencies: ["Configuration", "Handoff", "Pixels", "TestSupport", "Untrusted"],
            path: "Tests/Configuration", swiftSettings: strict),
        .testTarget(
            name: "ReadingsTests", dependencies: ["Readings", "Handoff", "Pixels", "TestSupport"],
            path: "Tests/Readings",
            swiftSettings: strict),
        .testTarget(
            name: "CaptureTests",
            dependencies: [
                "Capture", "CV4L2", "Configuration", "Handoff", "JPEG", "Pixels", "Readings", "TestSupport",
                "Untrusted",
                "V4L2",
            ],
            path: "Tests/Capture", swiftSettings: strict),
        .testTarget(
            name: "SwatchcamTests",
            dependencies: [
                "Swatchcam", "CV4L2", "Capture", "Configuration", "Handoff", "Pixels", "Readings", "TestSupport",
                "Untrusted",
                "V4L2",
                "Assets",
            ],
            path: "Tests/Swatchcam",
            swiftSettings: strict),

        // What reads bytes that it did not make, tried with bytes that nobody would make.
        .target(name: "FakeDriver", path: "Tests/FakeDriver"),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "Swatchcam", "CV4L2", "Capture", "Configuration", "FakeDriver", "Handoff", "JPEG", "Pixels", "Readings",
                "TestSupport",
                "Untrusted", "V4L2",
            ],
            path: "Tests/Fuzz",
            exclude: ["Corpus", "LibFuzzer"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// `make libfuzzer`: the drivers of the fuzz tests under libFuzzer, with the program as a library beside them.
if let runtime = Context.environment["SWATCHCAM_FUZZER"] {
    package.products = [.executable(name: "fuzz", targets: ["Fuzz"])]
    package.targets.removeAll { $0.type == .test }
    let program = package.targets.first { $0.name == "Swatchcam" }?.dependencies ?? []
    package.targets.removeAll { $0.name == "Swatchcam" }
    package.targets.append(.target(name: "Swatchcam", dependencies: program))
    for target in package.targets where target.type == .regular && target.name != "FakeDriver" {
        target.cSettings = [.unsafeFlags(["-fsanitize=address,fuzzer-no-link,undefined", "-fsanitize-trap=undefined"])]
        // The program's @main stays, under a name that is in nobody's way.
        let flags = ["-sanitize=address,fuzzer", "-enable-testing", "-parse-as-library"]
        target.swiftSettings =
            strict + [.unsafeFlags(flags + ["-Xfrontend", "-entry-point-function-name", "-Xfrontend", "program_main"])]
    }
    package.targets += [
        .target(name: "CFuzzer", path: "Tests/Fuzz/LibFuzzer/CFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "Swatchcam", "CFuzzer", "CV4L2", "Capture", "Configuration", "FakeDriver", "Handoff", "JPEG", "Pixels",
                "Untrusted", "V4L2",
            ],
            path: "Tests/Fuzz",
            sources: ["Drivers", "LibFuzzer/Main"],
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=address", "-Xlinker", runtime]), .linkedLibrary("stdc++")]),
    ]
}
