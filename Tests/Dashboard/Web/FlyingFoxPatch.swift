import Foundation
import Testing

@testable import Dashboard

/// A patch of FlyingFox without which a test cannot pass, by the name of its file in `patches/FlyingFox`.
enum FlyingFoxPatch: String {
    case boundedFrames = "1-bounded-frames"
    case wholeRequests = "5-whole-requests"
    case endlessBodies = "8-endless-bodies"
}

extension Trait where Self == ConditionTrait {
    /// Skips a test if FlyingFox is built without our patches, as by plain `swift test`. If `SWATCHCAM_REQUIRE_PATCHES` is
    /// set, as by `make unit`, the test fails instead.
    static func needs(_ patch: FlyingFoxPatch) -> Self {
        .enabled("FlyingFox lacks the patch \(patch.rawValue); run make unit, which applies it") {
            let isRequired = ProcessInfo.processInfo.environment["SWATCHCAM_REQUIRE_PATCHES"] != nil
            guard !FlyingFoxPatches.arePresent, isRequired else { return FlyingFoxPatches.arePresent }
            throw MissingPatch(patch: patch)
        }
    }
}

/// Why a test fails that would be skipped if the patches were not required.
private struct MissingPatch: Error, CustomStringConvertible {
    let patch: FlyingFoxPatch

    var description: String {
        "SWATCHCAM_REQUIRE_PATCHES is set, but FlyingFox lacks the patch \(patch.rawValue); Scripts/patch-packages applies it"
    }
}
