import Handoff
import Readings
import State
import V4L2

/// A client's request for another source, which is possible according to the list of cameras.
struct CameraSwitch {
    let request: CameraRequests.Request
    /// The cameras to try, in this order. An empty list means the test pattern.
    let candidates: [DeviceNode]
}

/// Switching to another camera while the program runs.
///
/// The route adds a `CameraCommand` to `CameraRequests`, which wakes the capture thread, and waits for 1.8 s at most;
/// then it answers 202. If there is no such camera, the loop replies immediately, and the camera in use is not
/// disturbed. Otherwise it releases that camera and opens the other one. If this succeeds, `StoredValue` stores the
/// choice, and the reply follows once it is on the disk. If it fails, the loop replies, and then opens the old camera
/// again.
extension CaptureLoop {
    /// Takes the next request that can be met, and refuses any before it that cannot.
    /// - Returns: Nil if no request waits.
    func nextSwitch() -> CameraSwitch? {
        while let request = shared.cameraRequests.take() {
            switch candidates(for: request.command) {
            case .success(let candidates): return CameraSwitch(request: request, candidates: candidates)
            case .failure(let refusal): request.reply(.failure(refusal))
            }
        }
        return nil
    }

    private func candidates(for command: CameraCommand) -> Result<[DeviceNode], CameraRequests.Refusal> {
        let nodes = shared.directory.nodes.value
        switch command {
        case .device(let device):
            switch SourceSelection(device: device, among: nodes) {
            case .cameras(let found): return .success(found)
            case .testPattern: return .success([])
            case .noMatch(let mismatch): return .failure(.notFound(mismatch.sentenceForClient))
            }
        case .next:
            let place = heldCamera.flatMap { heldCamera in nodes.firstIndex { $0.id == heldCamera.node.id } }
            let after = (place.map { nodes[($0 + 1)...] + nodes[..<$0] } ?? nodes[...]).filter { $0.role == .camera }
            guard after.isEmpty else { return .success(after) }
            return .failure(.unusable(nodes.isEmpty ? "There is no camera." : "There is no other camera."))
        }
    }

    /// Switches to the first candidate that can be opened, or back to the old camera if none can.
    ///
    /// The old camera is already released: a USB bus may lack the bandwidth for two cameras.
    /// - Throws: `SourceFailure` when the new camera fails after it was opened.
    mutating func carryOut(_ next: CameraSwitch) throws(SourceFailure) {
        backoff.reset()
        let before = heldCamera
        heldCamera = nil
        guard !next.candidates.isEmpty else {
            chosenDevice = TestPattern.camera.id
            next.request.reply(.success(TestPattern.camera))
            return
        }
        do throws(SourceFailure) {
            try useFirst(of: next.candidates, for: next.request)
        } catch {
            if error.wasOpen { throw error }
            heldCamera = before
            next.request.reply(.failure(.unusable(error.reason.message)))
        }
    }
}
