import Testing

@testable import V4L2

@Suite("Stable names")
struct StableNamesTests {
    private typealias Candidates = StableNames.Candidates

    private func ids(_ candidates: [Candidates]) -> [String] { StableNames(candidates).names.map(\.id) }

    @Test("a camera's id is its by-id name, else its by-path name, else driver and bus")
    func order() {
        let full = Candidates(byID: ["usb-A"], byPath: ["pci-1"], fallback: "uvcvideo-1", usbIdentity: "1:2:3:0")
        let path = Candidates(byPath: ["pci-2", "pci-usbv2"], fallback: "uvcvideo-2", usbIdentity: "1:2:4:0")
        let bare = Candidates(fallback: "vivid-platform:vivid-000")
        #expect(ids([full, path, bare]) == ["usb-A", "pci-2", "vivid-platform:vivid-000"])
        #expect(StableNames([full]).names[0].aliases == ["pci-1", "uvcvideo-1"])
    }

    @Test("two cameras with the same serial number are distinguished by path, whichever of them udev named")
    func twins() {
        let named = Candidates(byID: ["usb-A"], byPath: ["pci-1"], fallback: "uvcvideo-1", usbIdentity: "1:2::0")
        let other = Candidates(byPath: ["pci-2"], fallback: "uvcvideo-2", usbIdentity: "1:2::0")
        #expect(ids([named, other]) == ["pci-1", "pci-2"])
        // Both keep the shared name as an alias, which is then ambiguous.
        #expect(StableNames([named, other]).names.allSatisfy { $0.aliases.contains("usb-A") })
    }

    @Test("two nodes of one camera have different ids without udev")
    func sensors() {
        let node = Candidates(fallback: "uvcvideo-usb-1")
        #expect(ids([node, node]) == ["uvcvideo-usb-1", "uvcvideo-usb-1-2"])
    }
}
