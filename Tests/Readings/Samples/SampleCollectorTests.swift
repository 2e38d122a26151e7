import Foundation
import Metrology
import Pixels
import TestSupport
import Testing

@testable import Color
@testable import Handoff
@testable import Readings
@testable import Untrusted

@Suite("The readings of a sample")
struct SampleCollectorTests {
    private var collector = SampleCollector(of: 3, in: .full, after: .frame(10))

    @Test("a sample is complete with its last reading, and averages all of them")
    mutating func complete() {
        #expect(collector.add(.frame(11, grey: 100), elapsed: 1) == .underWay)
        #expect(collector.add(.frame(12, grey: 110), elapsed: 2) == .underWay)
        #expect(collector.add(.frame(13, grey: 150), elapsed: 3) == .complete)
        let sample = collector.sample(id: 4, name: "Grey", controls: ["gain": .number(3)])
        #expect(sample?.mean == RGB(r: 120, g: 120, b: 120))
        #expect(sample?.readings == 3)
        #expect(sample?.controls == ["gain": .number(3)])
    }

    @Test("a sample has the mean colours of the probes, unless one was moved meanwhile")
    mutating func probes() {
        func reading(_ sequence: UInt32, _ grey: Double, width: Double = 0.5) -> Reading {
            Reading.frame(sequence, grey: 100).with {
                let probe = Probe(name: "A1", region: Region(x: 0, y: 0, width: width, height: 1))
                $0.probes = [Reading.ProbeColor(probe, .init(mean: RGB(all: grey)))]
            }
        }
        _ = collector.add(reading(11, 100), elapsed: 1)
        _ = collector.add(reading(12, 110), elapsed: 2)
        let probes = collector.sample(id: 4, name: "", controls: [:])?.probes
        #expect(probes == [.init(name: "A1", mean: RGB(all: 105))])
        _ = collector.add(reading(13, 150, width: 0.25), elapsed: 3)
        #expect(collector.sample(id: 4, name: "", controls: [:])?.probes.isEmpty == true)
    }

    @Test("a sample carries the time, camera, region and format of its readings")
    mutating func conditions() {
        _ = collector.add(.frame(11), elapsed: 1)
        let sample = collector.sample(id: 4, name: "Grey", controls: [:])
        #expect(sample?.time == Reading.sample.time)
        #expect(sample?.camera == .init(id: "usb-046d_HD_Pro_Webcam_C920-video-index0", name: "HD Pro Webcam C920"))
        #expect(sample?.region == .full)
        #expect(
            sample?.frame == .init(width: 640, height: 480, format: "YUYV", colorimetry: "BT.601, limited range"))
    }

    @Test("a sample says which target it matches, or else which is the nearest; there are none for one without targets")
    mutating func target() {
        var collector = SampleCollector(of: 8, in: .full, after: .frame(10))
        for sequence: UInt32 in 11...18 { _ = collector.add(.frame(sequence, grey: 100), elapsed: 1) }
        let near = ColorTarget(
            name: "Near", color: CIELab(RGB(r: 101, g: 101, b: 101)), tolerance: Tolerance(deltaE: 0.1))
        let wide = ColorTarget(
            name: "Wide", color: CIELab(RGB(r: 105, g: 105, b: 105)), tolerance: Tolerance(deltaE: 9))
        func target(_ targets: [ColorTarget]) -> Sample.Target? {
            collector.sample(id: 4, name: "Grey", controls: [:], targets: targets)?.target
        }
        #expect(target([near, wide])?.name == "Wide")
        #expect(target([near, wide])?.verdict == .pass)
        #expect(target([near])?.name == "Near")
        #expect(target([near])?.verdict == .fail)
        #expect(target([]) == nil)
    }

    @Test(
        "neither a reading that repeats a frame nor one of the frame before the sample counts",
        arguments: [[11, 11, 12, 12, 12, 13], [10, 11, 12, 13]] as [[UInt32]])
    mutating func repetition(sequences: [UInt32]) {
        let progress = sequences.map { collector.add(.frame($0), elapsed: 1) }
        #expect(progress.firstIndex(of: .complete) == sequences.count - 1)
    }

    @Test("a new frame counts even if its driver does not number frames")
    mutating func unnumbered() {
        for sequence: UInt32 in [11, 12] {
            let reading = Reading.frame(sequence).with { $0.frame?.sequence = 0 }
            #expect(collector.add(reading, elapsed: 1) == .underWay)
        }
        #expect(collector.add(.frame(13).with { $0.frame?.sequence = 0 }, elapsed: 1) == .complete)
    }

    @Test("readings that share a frame with one that counts, or with the time before the sample, do not count")
    mutating func shared() {
        let progress = (11...19).map { collector.add(.frame($0, averaging: 3), elapsed: 1) }
        // Those that count average 11...13, 14...16 and 17...19.
        #expect(progress.firstIndex(of: .complete) == 8)
        #expect(collector.sample(id: 1, name: "", controls: [:])?.readings == 3)
    }

    @Test("a reading that averages frames of before the sample does not count, even if its newest one is later")
    mutating func sharedWithBefore() {
        collector = SampleCollector(of: 1, in: .full, after: .frame(10))
        let progress = (11...14).map { collector.add(.frame($0, averaging: 3, ageMs: 501), elapsed: 0.5) }
        #expect(progress.firstIndex(of: .complete) == 3)
    }

    @Test("a first frame that was captured before the sample began does not count, but any later frame does")
    mutating func gathered() {
        #expect(collector.add(.frame(11, ageMs: 501), elapsed: 0.5) == .underWay)
        #expect(collector.sample(id: 1, name: "", controls: [:]) == nil)
        for sequence: UInt32 in [12, 13] { _ = collector.add(.frame(sequence, ageMs: 9000), elapsed: 0.6) }
        #expect(collector.add(.frame(14, ageMs: 9000), elapsed: 0.7) == .complete)
    }

    @Test("readings of the region before an edit do not count")
    mutating func editedRegion() {
        collector = SampleCollector(of: 1, in: Region(x: 0, y: 0, width: 0.5, height: 1), after: .frame(10))
        #expect(collector.add(.frame(11), elapsed: 1) == .underWay)
        let edited = Reading.frame(12).with { $0.region = Region(x: 0, y: 0, width: 0.5, height: 1) }
        #expect(collector.add(edited, elapsed: 1) == .complete)
    }

    @Test(
        "a sample is interrupted, with the reason, when the region, the camera or its format changes",
        arguments: [
            (.init { $0.region = Region(x: 0, y: 0, width: 0.5, height: 1) }, "The area changed"),
            (.init { $0.state = .testPattern }, "The camera changed"),
            (.init { $0.camera?.id = "other" }, "The camera changed"),
            (.init { $0.frame?.width = 320 }, "The camera's format changed"),
            (.init { $0.frame?.height = 320 }, "The camera's format changed"),
            (.init { $0.frame?.format = "MJPG" }, "The camera's format changed"),
            (.init { $0.frame?.colorimetry = "BT.709" }, "The camera's format changed"),
            (.init { $0.frame?.picture = .init(width: 480, height: 640) }, "The camera's format changed"),
        ] as [(Change<Reading>, String)])
    mutating func changes(change: Change<Reading>, reason: String) {
        _ = collector.add(.frame(11), elapsed: 1)
        let progress = collector.add(.frame(12).with(change.apply), elapsed: 2)
        #expect(progress == .interrupted("\(reason) while the sample was being taken. Take it again."))
    }

    @Test("a sample is interrupted, with the reason, when the colour goes")
    mutating func lost() {
        _ = collector.add(.frame(11), elapsed: 1)
        #expect(
            collector.add(.noCamera, elapsed: 2)
                == .interrupted("There is no colour: There is no camera. Connect one."))
    }
}

@Suite("The figures of a sample")
struct SampleFiguresTests {
    private func sample(_ readings: [Reading]) throws -> Sample {
        var collector = SampleCollector(of: readings.count, in: .full, after: .frame(1))
        for (index, reading) in readings.enumerated() {
            let time = MonotonicTime(nanoseconds: Int64(index + 10))
            let timed = reading.with {
                $0.frame?.time = time
                $0.frame?.firstTime = time
            }
            _ = collector.add(timed, elapsed: 1)
        }
        return try #require(collector.sample(id: 1, name: "Grey", controls: [:]))
    }

    @Test("a sample of eight readings has standard errors, and one of seven has none")
    func standardError() throws {
        let readings = (0..<8).map { Reading.frame(0, grey: $0.isMultiple(of: 2) ? 99 : 101) }
        #expect(try sample(readings).standardError?.channels.r ?? 0 > 0)
        #expect(try sample(readings).standardError?.deltaE ?? 0 > 0)
        #expect(try sample(Array(readings.dropFirst())).standardError == nil)
    }

    @Test("the light of a sample is the mean of its readings' light, and unknown if that of one reading is")
    func linear() throws {
        let readings = [0.25, 0.75].map { light in Reading.sample.with { $0.linear = .init(r: light, g: 0.5, b: 1) } }
        #expect(try sample(readings).linear == .init(r: 0.5, g: 0.5, b: 1))
        #expect(try sample(readings + [Reading.sample.with { $0.linear = nil }]).linear == nil)
    }

    @Test("a sample has every doubt about its readings once, with the worst figure, and the worst grade")
    func quality() throws {
        let flags: [[Quality.Flag]] = [
            [.init(.noisy, value: 0.6, message: "a bit")], [],
            [.init(.noisy, value: 0.9, message: "more"), .init(.dark, value: 0.005, grade: .poor, message: "dark")],
        ]
        let quality = try sample(flags.map { flags in Reading.sample.with { $0.quality = Quality(flags: flags) } })
            .quality
        #expect(quality?.grade == "poor")
        #expect(quality?.flags.map(\.code) == ["dark", "noisy"])
        #expect(quality?.flags.map(\.message) == ["dark", "more"])
        #expect(try sample([Reading.sample.with { $0.quality = nil }]).quality == nil)
    }
}
