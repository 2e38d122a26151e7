import Capture
import FlyingFox
import FlyingSocks
import FoundationEssentials
import Handoff
import Readings

/// The camera's pictures.
extension WebApp {
    /// Handles `GET /stream.mjpg[?view=processed][&fps=N]`.
    func streamPictures(_ request: HTTPRequest, _ principal: Principal) throws(HTTPError) -> HTTPResponse {
        // A stream has no length, so FlyingFox sends it in chunks, which HTTP/1.0 does not have.
        guard request.version == .http11 else {
            throw HTTPError(
                status: HTTPStatusCode(505, phrase: "HTTP Version Not Supported"), code: "old-version",
                message: "A stream requires HTTP/1.1; /snapshot.jpg does not.")
        }
        let subscription = try subscribe(request, principal, rate: try rate(request))
        return HTTPResponse(
            statusCode: .ok,
            headers: [.contentType: PictureStream.contentType, .cacheControl: "no-store"],
            body: HTTPBodySequence(from: PictureStream(subscription: subscription)))
    }

    /// Handles `GET /snapshot.jpg[?view=processed]`, which waits for a picture of a frame captured from now on.
    func takeSnapshot(_ request: HTTPRequest, _ principal: Principal) async throws(HTTPError) -> HTTPResponse {
        let start = MonotonicTime.now()
        let subscription = try subscribe(request, principal, rate: nil)
        guard let picture = await subscription.next(within: timeout, after: start) else { throw Self.noPicture }
        return HTTPResponse(
            shared: [picture.data], holding: subscription.place.map { [$0] } ?? [], type: "image/jpeg",
            headers: [
                .cacheControl: "no-store",
                HTTPHeader("X-Timestamp"): picture.time.timeIntervalSince1970.formatted(decimals: 6),
            ])
    }

    /// Handles `GET /ws/picture[?view=processed]`, a WebSocket that sends a picture for each `next` of the client.
    func openPictureSocket(_ request: HTTPRequest, _ principal: Principal) async throws -> HTTPResponse {
        try await openSocket(request, principal, of: pictureSockets) { subscription throws(HTTPError) in
            let view = try view(request)
            let (hub, viewers) = (shared.pictures, viewers)
            return PictureSocketHandler(subscription: subscription) {
                guard let place = await viewers.begin(for: principal.key, within: nil) else { return nil }
                return hub.join(view, session: principal.session, holding: place)
            }
        }
    }

    private func subscribe(
        _ request: HTTPRequest, _ principal: Principal, rate: Double?
    ) throws(HTTPError) -> PictureSubscription {
        // A page of another site may not embed pictures, although only the user would see them there.
        guard !request.isCrossOrigin else {
            throw HTTPError(
                status: .forbidden, code: "wrong-origin", message: "Only Swatchcam's own pages may show its pictures."
            )
        }
        let view = try view(request)
        guard shared.readings.value.state.hasColor else { throw Self.noPicture }
        guard let place = viewers.begin(for: principal.key),
            let subscription = shared.pictures.join(view, rate: rate, session: principal.session, holding: place)
        else {
            throw HTTPError.unavailable(
                code: "too-many-viewers", "There are too many viewers, or Swatchcam is stopping. Try again later.",
                retryAfter: 1)
        }
        guard access.stillAdmits(principal) else { throw HTTPError.noToken }
        return subscription
    }

    private func view(_ request: HTTPRequest) throws(HTTPError) -> Picture.View {
        guard let name = request.parameter("view") else { return .live }
        guard let view = Picture.View(rawValue: name) else {
            throw HTTPError.badRequest(code: "bad-view", "view must be live or processed.")
        }
        return view
    }

    private func rate(_ request: HTTPRequest) throws(HTTPError) -> Double? {
        guard let text = request.parameter("fps") else { return nil }
        guard let rate = Double(text), (0.1...240).contains(rate) else {
            throw HTTPError.badRequest(code: "bad-fps", "fps must be a number in 0.1...240.")
        }
        return rate
    }

    private static let noPicture = HTTPError.unavailable(
        code: "no-picture", "There is no picture now. /api/reading shows why.")
}
