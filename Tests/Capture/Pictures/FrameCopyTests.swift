import Testing
import V4L2

@testable import Capture

@Suite("The copy of a frame")
struct FrameCopyTests {
    /// Copies a frame with one memory plane into the memory of one with two.
    private func copy() -> FrameCopy? {
        var result: FrameCopy?
        FrameSample.grey.lend { frame in
            result = FrameCopy(frame, format: FrameSample.grey.format, views: [.live], in: [[1, 2], [3, 4]])
        }
        return result
    }

    @Test("a plane that only an earlier frame had has no bytes")
    func missingPlane() {
        #expect(copy()?.plane(1) == [])
    }

    @Test("the bytes of an earlier frame are replaced")
    func replaced() {
        #expect(copy()?.plane(0) == [UInt8](repeating: 77, count: 128))
    }
}
