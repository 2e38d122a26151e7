import JPEG
import Testing

@Suite("JPEG errors")
struct JPEGErrorTests {
    @Test(
        "an error is described in words for a person",
        arguments: [
            (.notJPEG, "the frame is not a JPEG image"), (.truncated, "the frame is cut off"),
            (.corrupt("a bad segment"), "the frame is damaged: a bad segment"),
            (.failed("no memory"), "libjpeg-turbo failed: no memory"), (.unsupported("CMYK"), "no support for CMYK"),
        ] as [(JPEGError, String)])
    func description(error: JPEGError, words: String) {
        #expect("\(error)" == words)
    }
}
