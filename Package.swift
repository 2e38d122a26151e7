// swift-tools-version: 6.2
import PackageDescription

/// The settings that all our Swift targets share. Only CI treats warnings as errors: newer compilers may add some.
let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .strictMemorySafety(),
    ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

let log = Target.Dependency.product(name: "Logging", package: "swift-log")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let toml = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")

/// The targets that the fuzz tests feed with bytes.
let fuzzed: [Target.Dependency] = [
    "CV4L2", "Capture", "Color", "Configuration", "Dashboard", "Documents", "FakeDriver", "Files", "Handoff", "JPEG",
    "Palettes", "Pixels", "Readings", "State", "Storage", "Swatchcam", "Untrusted", "V4L2",
]

extension Target {
    /// The unit tests of a target, in the folder of the same name.
    static func tests(of target: String, using others: [Dependency] = [], exclude: [String] = []) -> Target {
        .testTarget(
            name: "\(target)Tests", dependencies: [.target(name: target)] + others, path: "Tests/\(target)",
            exclude: exclude, swiftSettings: strict)
    }
}

let package = Package(
    name: "swatchcam",
    products: [
        .executable(name: "swatchcam", targets: ["Swatchcam"]),
        .library(name: "V4L2", targets: ["V4L2"]),
        .library(name: "JPEG", targets: ["JPEG"]),
        .library(name: "Color", targets: ["Color"]),
        .library(name: "Pixels", targets: ["Pixels"]),
    ],
    dependencies: [
        // Exactly these versions: patches/ apply to them.
        .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        // Passes values between threads and tasks, and holds the clock by which they wait.
        .target(name: "CLinux"),
        .target(name: "Handoff", dependencies: ["CLinux", log], swiftSettings: strict),

        // Files and folders: opened beneath a folder, read within bounds, locked, put aside, replaced as a whole.
        .target(name: "Files", dependencies: ["Handoff"], swiftSettings: strict),

        // Bounds text from outside, and sanitizes it before it is shown.
        .target(name: "Untrusted", swiftSettings: strict),

        // The kernel's video capture API: a C shim for the ioctls, and the API in Swift.
        .target(name: "CV4L2"),
        .target(name: "V4L2", dependencies: ["CV4L2", "Files", "Handoff", "Untrusted"], swiftSettings: strict),

        // Colour science on single colours: spaces, notations, differences, names, contrast. Pure.
        .target(name: "Color", swiftSettings: strict),

        // JSON, comma-separated values and Prometheus's text, read within bounds and written.
        .target(name: "Documents", dependencies: ["Color", "Untrusted"], swiftSettings: strict),

        // Pure mathematics on the bytes of a picture. The loops over every byte are in C.
        .target(name: "CPixels"),
        .target(name: "Pixels", dependencies: ["CPixels", "Color", "Untrusted"], swiftSettings: strict),

        // Arithmetic on measured colours. Pure.
        .target(name: "Metrology", dependencies: ["Color", "Untrusted"], swiftSettings: strict),

        // JPEG frames, through libjpeg-turbo: its TurboJPEG API, and in C a function that hears each warning.
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "JPEG", dependencies: ["CJPEG", "CTurboJPEG"], swiftSettings: strict),

        // Compresses what the web server sends, through zlib.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "Gzip", dependencies: ["CZlib"], swiftSettings: strict),

        // Reads small XML documents from outside, through Expat.
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .target(name: "XML", dependencies: ["CExpat"], swiftSettings: strict),

        // Reports changes in folders, through inotify(7).
        .target(name: "Inotify", dependencies: ["Files"], swiftSettings: strict),

        // config.toml: its schema, its mistakes, and edits while the program runs.
        .target(
            name: "Configuration",
            dependencies: [
                "Color", "Documents", "Files", "Handoff", "Inotify", "Metrology", "Pixels", "Untrusted", toml, log,
            ],
            swiftSettings: strict),

        // Files of named colours, in the formats of other programs.
        .target(
            name: "Palettes", dependencies: ["Color", "Documents", "Metrology", "Untrusted", "XML"],
            swiftSettings: strict),

        // The reading, its rate, and the demand for it.
        .target(
            name: "Readings",
            dependencies: ["Color", "Documents", "Handoff", "Metrology", "Palettes", "Pixels", "Untrusted"],
            swiftSettings: strict),

        // Keeps data on disk: the tables of the history, and what clients have set.
        .target(
            name: "Storage",
            dependencies: [
                "Color", "Configuration", "Documents", "Files", "Handoff", "Inotify", "Metrology", "Palettes", "Pixels",
                "Readings", "Untrusted", log,
            ],
            swiftSettings: strict),

        // What the parts of the program share: the latest values, and the queues of requests.
        .target(
            name: "State",
            dependencies: [
                "Color", "Configuration", "Documents", "Handoff", "Inotify", "Metrology", "Palettes", "Pixels",
                "Readings", "Storage", "Untrusted", "V4L2", log,
            ],
            swiftSettings: strict),

        // Chooses a camera, turns its frames into readings and pictures, and sets its controls.
        .target(
            name: "Capture",
            dependencies: [
                "Color", "Configuration", "Documents", "Handoff", "JPEG", "Metrology", "Pixels", "Readings", "State",
                "Storage", "Untrusted", "V4L2", log,
            ],
            swiftSettings: strict),

        // Sends readings to an MQTT broker, and receives commands, through libmosquitto, which is loaded if configured.
        .target(name: "CMosquitto", linkerSettings: [.linkedLibrary("dl")]),
        .target(
            name: "Fleet",
            dependencies: [
                "CLinux", "CMosquitto", "Color", "Configuration", "Documents", "Files", "Handoff", "Metrology",
                "Pixels",
                "Readings", "State", "Storage", "Untrusted", "V4L2", log,
            ],
            swiftSettings: strict),

        // Sends events to a webhook, through libcurl, which is loaded if configured.
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CQREncode", linkerSettings: [.linkedLibrary("dl")]),
        .target(
            name: "Events",
            dependencies: [
                "CCurl", "Configuration", "Documents", "Handoff", "Readings", "State", "Storage", "Untrusted", log,
            ],
            swiftSettings: strict),

        // Embeds Templates/ and Resources/. Links to them in its folder let SwiftPM detect new files there.
        .target(
            name: "Assets", exclude: ["Resources", "Templates"], swiftSettings: strict, plugins: ["EmbedAssets"]),
        .plugin(name: "EmbedAssets", capability: .buildTool(), dependencies: ["AssetEmbedder"]),
        .executableTarget(name: "AssetEmbedder", swiftSettings: strict),

        // Pages, routes, WebSockets, and access to them.
        .target(
            name: "Dashboard",
            dependencies: [
                "Assets", "CLinux", "CQREncode", "Color", "Configuration", "Documents", "Files", "Fleet", "Gzip",
                "Handoff", "Metrology", "Palettes", "Pixels", "Readings", "State", "Storage", "Untrusted", "V4L2",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
                .product(name: "Mustache", package: "swift-mustache"),
                log,
            ],
            swiftSettings: strict),

        // The program: its commands, and the wiring of the parts.
        .executableTarget(
            name: "Swatchcam",
            dependencies: [
                "Assets", "CLinux", "Capture", "Color", "Configuration", "Dashboard", "Documents", "Events", "Files",
                "Fleet", "Handoff", "Metrology", "Palettes", "Readings", "State", "Storage", "Untrusted", "V4L2",
                arguments, log,
            ],
            swiftSettings: strict),

        .target(
            name: "TestSupport",
            dependencies: [
                "Color", "Documents", "Handoff", "Metrology", "Pixels", "Readings", "Untrusted", "V4L2", log,
            ],
            path: "Tests/Support", swiftSettings: strict),
        // Cameras for tests, in which the test acts as the driver.
        .target(
            name: "ModelCamera", dependencies: ["CV4L2", "FakeDriver", "Files", "Handoff", "V4L2"],
            path: "Tests/ModelCamera",
            swiftSettings: strict),
        .tests(of: "Handoff", using: ["TestSupport"]),
        .tests(of: "Files", using: ["TestSupport"]),
        .tests(of: "Untrusted", using: ["Files"]),
        .tests(of: "V4L2", using: ["CV4L2", "FakeDriver", "Files", "Handoff", "ModelCamera"]),
        .tests(of: "Inotify", using: ["TestSupport"]),
        .tests(of: "Gzip"),
        .tests(of: "XML"),
        .tests(of: "JPEG", using: ["CTurboJPEG", "TestSupport"]),
        .tests(of: "Color"),
        .tests(
            of: "Pixels", using: ["Color", "TestSupport", "Untrusted"],
            exclude: ["RecordedFrames", "statistics_reference.py"]),
        .tests(
            of: "Metrology", using: ["Color", "TestSupport", "Untrusted"],
            exclude: ["Reference", "calibration_reference.py"]),
        .tests(of: "Configuration", using: ["Files", "Handoff", "Pixels", "TestSupport", "Untrusted"]),
        .tests(of: "Documents", using: ["Color", "Untrusted"]),
        .tests(of: "Palettes", using: ["Color", "Metrology", "TestSupport", "Untrusted"], exclude: ["Files"]),
        .tests(
            of: "Readings",
            using: ["Color", "Documents", "Handoff", "Metrology", "Palettes", "Pixels", "TestSupport", "Untrusted"]),
        .tests(
            of: "Storage",
            using: [
                "Color", "Configuration", "Documents", "Files", "Handoff", "Metrology", "Palettes", "Readings",
                "TestSupport", log,
            ]),
        .tests(
            of: "State",
            using: [
                "Color", "Configuration", "Handoff", "Metrology", "Pixels", "Readings", "Storage", "TestSupport",
                "V4L2",
                log,
            ]),
        .tests(
            of: "Capture",
            using: [
                "CV4L2", "Color", "Configuration", "Documents", "FakeDriver", "Handoff", "JPEG", "Metrology",
                "ModelCamera", "Pixels", "Readings", "State", "Storage", "TestSupport", "Untrusted", "V4L2", log,
            ],
            exclude: ["Frames/jpeg_planes.py"]),
        .tests(
            of: "Fleet",
            using: [
                "CMosquitto", "Color", "Configuration", "Documents", "Handoff", "Metrology", "Pixels", "Readings",
                "State", "Storage", "TestSupport", "Untrusted", "V4L2", log,
            ]),
        .tests(of: "Events", using: ["CCurl"]),
        .tests(
            of: "Dashboard",
            using: [
                "Assets", "CV4L2", "Color", "Configuration", "Documents", "Fleet", "Gzip", "Handoff", "Metrology",
                "Palettes", "Pixels", "Readings", "State", "Storage", "TestSupport", "Untrusted", "V4L2",
            ]),
        .tests(
            of: "Swatchcam",
            using: [
                "Assets", "CV4L2", "Capture", "Color", "Configuration", "Dashboard", "Documents", "FakeDriver", "Files",
                "Handoff", "Metrology", "Palettes", "Readings", "State", "Storage", "TestSupport", "V4L2", arguments,
                log,
            ]),

        // Fuzz tests of all code that reads bytes from outside.
        .target(name: "FakeDriver", dependencies: ["CV4L2"], path: "Tests/FakeDriver"),
        .testTarget(
            name: "FuzzTests", dependencies: fuzzed + ["TestSupport"], path: "Tests/Fuzz",
            exclude: ["Corpus", "LibFuzzer"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// `make unit TARGET=Color`: only the tests of one target and what they need, so that nothing else is built.
if let name = Context.environment["SWATCHCAM_UNIT"] {
    var needed: Set<String> = []
    func need(_ name: String) {
        guard needed.insert(name).inserted else { return }
        for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
            switch dependency {
            case .byNameItem(let name, _), .targetItem(let name, _): need(name)
            default: break
            }
        }
    }
    need("\(name)Tests")
    // Plugins and what they run are not among the dependencies.
    if needed.contains("Assets") { ["EmbedAssets", "AssetEmbedder"].forEach(need) }
    package.products = []
    package.targets.removeAll { !needed.contains($0.name) }
}

// `make libfuzzer`: the fuzz targets under libFuzzer, with the program as a library.
if let runtime = Context.environment["SWATCHCAM_FUZZER"] {
    package.products = [.executable(name: "fuzz", targets: ["Fuzz"])]
    package.targets.removeAll { $0.type == .test }
    let program = package.targets.first { $0.name == "Swatchcam" }?.dependencies ?? []
    package.targets.removeAll { $0.name == "Swatchcam" }
    package.targets.append(.target(name: "Swatchcam", dependencies: program))
    for target in package.targets where target.type == .regular && target.name != "FakeDriver" {
        target.cSettings = [.unsafeFlags(["-fsanitize=address,fuzzer-no-link,undefined", "-fsanitize-trap=undefined"])]
        // The program's @main stays, under a name that does not collide with the fuzzer's.
        let flags = ["-sanitize=address,fuzzer", "-enable-testing", "-parse-as-library"]
        target.swiftSettings =
            strict + [.unsafeFlags(flags + ["-Xfrontend", "-entry-point-function-name", "-Xfrontend", "program_main"])]
    }
    package.targets += [
        .target(name: "CFuzzer", path: "Tests/Fuzz/LibFuzzer/CFuzzer"),
        .executableTarget(
            name: "Fuzz", dependencies: fuzzed + ["CFuzzer"],
            path: "Tests/Fuzz",
            sources: ["Targets", "LibFuzzer/Main"],
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=address", "-Xlinker", runtime]), .linkedLibrary("stdc++")]),
    ]
}
