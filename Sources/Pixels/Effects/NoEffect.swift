/// The picture as it is.
struct NoEffect: Effect {
    let name = "none"
    let title = "None"
    let summary = "The picture as the camera sends it."

    func apply(to bitmap: inout Bitmap) {}
}
