import Foundation
import Handoff
import Logging
import Readings
import V4L2

/// Choosing another camera while the program runs.
extension CaptureLoop {
    /// Looks at what was asked for. What cannot be is refused at once; what can is left in `pending`.
    mutating func takeRequests() {
        while pending == nil, let request = requests.take() {
            switch candidates(for: request.command) {
            case .success(let candidates): pending = (request, candidates)
            case .failure(let refusal): request.answer(.failure(refusal))
            }
        }
    }

    /// What to try, in this order; nothing means the test pattern.
    private func candidates(for command: CameraCommand) -> Result<[DeviceNode], CameraRequests.Refusal> {
        let nodes = directory.nodes.value
        switch command {
        case .device(let device):
            switch SourceSelection(device: device, among: nodes) {
            case .cameras(let found): return .success(found)
            case .testPattern: return .success([])
            case .none(let mismatch): return .failure(.notFound(mismatch.sentenceForClient))
            }
        case .next:
            let place = lastCamera.flatMap { current in nodes.firstIndex { $0.id == current.id } }
            let after = place.map { nodes[($0 + 1)...] + nodes[..<$0] } ?? nodes[...]
            guard after.isEmpty else { return .success(Array(after)) }
            return .failure(.unusable(nodes.isEmpty ? "There is no camera." : "There is no other camera."))
        }
    }

    /// Goes to the first of these cameras that can be opened, and stays there; if none can, goes back.
    ///
    /// The old camera is released already: two at once may be more than a USB bus carries.
    mutating func switchCamera(_ request: CameraRequests.Request, candidates: [DeviceNode]) {
        failures = 0
        let before = (lastCamera: lastCamera, lostAt: lostAt)
        lastCamera = nil
        lostAt = nil
        guard !candidates.isEmpty else {
            chosen = TestPattern.camera.id
            request.answer(.success(TestPattern.camera))
            return
        }
        switching = request
        var problem: String?
        for node in candidates {
            let ending = capture(from: node)
            guard case .failed(let unavailable) = ending else { return }
            guard switching != nil else {
                // It was opened, and has failed since.
                wait(because: unavailable, camera: node.camera)
                return
            }
            problem = problem ?? unavailable.message
        }
        switching = nil
        (lastCamera, lostAt) = before
        request.answer(.failure(.unusable(problem ?? "No camera can be used.")))
    }

    /// To be called when a camera is open: whoever asked for it is answered, and it is remembered.
    mutating func noteOpen(_ node: DeviceNode) {
        isOpen = true
        guard let request = switching else { return }
        switching = nil
        chosen = node.id
        remembered = node.id
        // It is waited for from now on, whether it has delivered or not.
        lastCamera = node
        request.answer(.success(node.camera))
        do {
            try memory?.store(node.id)
        } catch {
            log.warning("The choice of \(node.name) will not outlive this run: \(error.localizedDescription)")
        }
    }
}
