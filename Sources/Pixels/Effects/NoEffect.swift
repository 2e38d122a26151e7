/// An effect that leaves the picture unchanged.
struct NoEffect: Effect {
    let name = "none"
    let title = "None"
    let summary = "The picture as the camera sends it."

    func apply(to bitmap: inout Bitmap) {}
}
