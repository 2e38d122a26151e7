import Handoff
import Readings
import V4L2

/// Switching to another camera while the program runs.
extension CaptureLoop {
    /// Takes the next request that can be met, and refuses any before it that cannot.
    /// - Returns: The switch to make; nil if no request waits.
    func nextRequest() -> Interruption? {
        while let request = context.requests.take() {
            switch candidates(for: request.command) {
            case .success(let candidates): return .request(request, candidates: candidates)
            case .failure(let refusal): request.reply(.failure(refusal))
            }
        }
        return nil
    }

    /// Returns the cameras to try, in this order. An empty list means the test pattern.
    private func candidates(for command: CameraCommand) -> Result<[DeviceNode], CameraRequests.Refusal> {
        let nodes = context.directory.nodes.value
        switch command {
        case .device(let device):
            switch SourceSelection(device: device, among: nodes) {
            case .cameras(let found): return .success(found)
            case .testPattern: return .success([])
            case .noMatch(let mismatch): return .failure(.notFound(mismatch.sentenceForClient))
            }
        case .next:
            let place = heldCamera.flatMap { heldCamera in nodes.firstIndex { $0.id == heldCamera.node.id } }
            let after = place.map { nodes[($0 + 1)...] + nodes[..<$0] } ?? nodes[...]
            guard after.isEmpty else { return .success(Array(after)) }
            return .failure(.unusable(nodes.isEmpty ? "There is no camera." : "There is no other camera."))
        }
    }

    /// Switches to the first of these cameras that can be opened, or back to the old camera if none can.
    ///
    /// The old camera is already released: a USB bus may lack the bandwidth for two cameras.
    mutating func switchCamera(_ request: CameraRequests.Request, candidates: [DeviceNode]) -> Interruption {
        backoff.reset()
        let before = heldCamera
        heldCamera = nil
        guard !candidates.isEmpty else {
            sourceChoice = .testPattern
            request.reply(.success(TestPattern.camera))
            return .reconsider
        }
        switch captureFirst(of: candidates, for: request) {
        case .captured(let next):
            return next
        case .noneOpened(let problem):
            heldCamera = before
            request.reply(.failure(.unusable(problem?.unavailable.message ?? "No camera can be used.")))
            return .reconsider
        }
    }
}
