import Foundation
import Pixels
import TestSupport
import Testing

@testable import Color
@testable import Readings

@Suite("The readings of a sample")
struct SamplingTests {
    private var sampling = Sampling(of: 3, in: .full, after: .frame(10))

    @Test("a sample is complete with its last reading, and averages all of them")
    mutating func complete() {
        #expect(sampling.add(.frame(11, grey: 100), elapsed: 1) == .underWay)
        #expect(sampling.add(.frame(12, grey: 110), elapsed: 2) == .underWay)
        #expect(sampling.add(.frame(13, grey: 150), elapsed: 3) == .complete)
        let sample = sampling.sample(id: 4, name: "Grey", controls: ["gain": .number(3)])
        #expect(sample?.mean == RGB(r: 120, g: 120, b: 120))
        #expect(sample?.readings == 3)
        #expect(sample?.controls == ["gain": .number(3)])
    }

    @Test("a sample carries the time, camera, region and format of its readings")
    mutating func conditions() {
        _ = sampling.add(.frame(11), elapsed: 1)
        let sample = sampling.sample(id: 4, name: "Grey", controls: [:])
        #expect(sample?.time == Reading.sample.time)
        #expect(sample?.camera == .init(id: "usb-046d_HD_Pro_Webcam_C920-video-index0", name: "HD Pro Webcam C920"))
        #expect(sample?.region == .full)
        #expect(
            sample?.frame == .init(width: 640, height: 480, format: "YUYV", colorimetry: "BT.601, limited range"))
    }

    @Test("a reading that repeats a frame does not count")
    mutating func repetition() {
        for sequence: UInt32 in [11, 11, 12, 12, 12] {
            #expect(sampling.add(.frame(sequence), elapsed: 1) == .underWay)
        }
        #expect(sampling.add(.frame(13), elapsed: 1) == .complete)
    }

    @Test("the frame that was known before the sample does not count")
    mutating func known() {
        for sequence: UInt32 in [10, 11, 12] { #expect(sampling.add(.frame(sequence), elapsed: 1) == .underWay) }
        #expect(sampling.add(.frame(13), elapsed: 1) == .complete)
    }

    @Test("a first frame that was captured before the sample began does not count, but any later frame does")
    mutating func gathered() {
        #expect(sampling.add(.frame(11, ageMs: 501), elapsed: 0.5) == .underWay)
        #expect(sampling.sample(id: 1, name: "", controls: [:]) == nil)
        for sequence: UInt32 in [12, 13] { _ = sampling.add(.frame(sequence, ageMs: 9000), elapsed: 0.6) }
        #expect(sampling.add(.frame(14, ageMs: 9000), elapsed: 0.7) == .complete)
    }

    @Test("readings of the region before an edit do not count")
    mutating func editedRegion() {
        sampling = Sampling(of: 1, in: Region(x: 0, y: 0, width: 0.5, height: 1), after: .frame(10))
        #expect(sampling.add(.frame(11), elapsed: 1) == .underWay)
        let edited = Reading.frame(12).with { $0.region = Region(x: 0, y: 0, width: 0.5, height: 1) }
        #expect(sampling.add(edited, elapsed: 1) == .complete)
    }

    @Test(
        "a sample is interrupted, with the reason, when what it depends on changes",
        arguments: [
            (Change({ $0.region = Region(x: 0, y: 0, width: 0.5, height: 1) }), "The region changed"),
            (Change({ $0.state = .testPattern }), "The camera changed"),
            (Change({ $0.camera?.id = "other" }), "The camera changed"),
            (Change({ $0.frame?.width = 320 }), "The camera's format changed"),
            (Change({ $0.frame?.height = 320 }), "The camera's format changed"),
            (Change({ $0.frame?.format = "MJPG" }), "The camera's format changed"),
            (Change({ $0.frame?.colorimetry = "BT.709" }), "The camera's format changed"),
            (Change({ $0.frame?.picture = .init(width: 480, height: 640) }), "The camera's format changed"),
        ])
    mutating func changes(change: Change, reason: String) {
        _ = sampling.add(.frame(11), elapsed: 1)
        let progress = sampling.add(.frame(12).with(change.apply), elapsed: 2)
        #expect(progress == .interrupted("\(reason) while the sample was taken. Take it again."))
    }

    @Test("a sample is interrupted, with the reason, when the colour goes")
    mutating func lost() {
        _ = sampling.add(.frame(11), elapsed: 1)
        #expect(
            sampling.add(.noCamera, elapsed: 2)
                == .interrupted("There is no colour: There is no camera. Connect one."))
    }

    /// A change of a reading.
    struct Change: Sendable {
        let apply: @Sendable (inout Reading) -> Void

        init(_ apply: @escaping @Sendable (inout Reading) -> Void) { self.apply = apply }
    }
}

@Suite("The figures of a sample")
struct SampleFiguresTests {
    @Test("the error of the colour is the root of the squares of its errors in L*, a* and b*")
    func deltaE() throws {
        let grey = RGB(r: 119, g: 119, b: 119)
        let error = try #require(SampleFigures.standardError(of: [grey, grey]) { _ in 1 })
        #expect(error.channels == RGB(r: 1, g: 1, b: 1))
        // For a grey of L* 50: ΔL' = 1 / 1.0, Δa' = 1.5 / 1.02, Δb' = 1 / 1.02 (Sharma, equations 4 to 22).
        #expect(abs(error.deltaE - 2.03) < 0.02)
    }

    @Test("without a standard error of one channel there is none")
    func unknown() {
        let grey = RGB(r: 119, g: 119, b: 119)
        #expect(SampleFigures.standardError(of: [grey]) { $0 == [119] ? nil : 1 } == nil)
        #expect(SampleFigures.standardError(of: []) { _ in 1 } == nil)
    }
}
