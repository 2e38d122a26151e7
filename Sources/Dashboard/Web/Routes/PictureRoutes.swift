import Documents
import FlyingFox
import FlyingSocks
import FoundationEssentials
import Handoff
import Readings
import State
import Storage

/// The camera's pictures.
struct PictureRoutes: Sendable {
    let shared: SharedState
    let access: AccessControl
    let viewers: ShareLimiter<ClientKey>
    /// The maximum time that a snapshot waits for the camera.
    let timeout: Duration

    var routes: [Route] {
        [
            Route(
                .GET, "/stream.mjpg",
                parameters: [.view, Parameter("fps", "Pictures per second at most.", .number(0.1...240))],
                ignoresOtherParameters: true,
                "Pictures as they are captured", streamPictures
            )
            .described(
                "streamPictures",
                .file(
                    "An endless stream with one `image/jpeg` part per picture, each with its `Content-Length` and an "
                        + "`X-Timestamp`. It ends if there is no picture for ten seconds, or for twice the time "
                        + "between two pictures if `fps` is below 0.2.",
                    "multipart/x-mixed-replace", [:])),
            Route(
                .GET, "/snapshot.jpg", parameters: [.view], ignoresOtherParameters: true,
                "A picture of a frame that is captured after the request has arrived", takeSnapshot
            )
            .described(
                "getSnapshot",
                .file(
                    "The picture.", "image/jpeg", [:],
                    headers: [
                        .init(
                            "X-Timestamp", "When it was captured, in seconds since 1970.",
                            .string(pattern: #"^[0-9]+\.[0-9]{6}$"#))
                    ])),
            Route(
                .GET, "/api/events/{name}",
                parameters: [Parameter("name", "", .nonEmptyString, example: "20261120T193000.250Z.jpg")],
                "The picture of an event, which `picture` of its mark names", eventPicture
            )
            .described(
                "getEventPicture",
                .file("The picture.", "image/jpeg", [:]),
                .refusal(404, "There is no such picture (`picture-not-found`).")),
        ]
    }

    private func streamPictures(_ call: Call) throws(HTTPError) -> HTTPResponse {
        let refusal = HTTPError.badRequest(code: "bad-fps", "fps must be a number in 0.1...240.")
        let rate = try call.request.parameter("fps", orRefuse: refusal) { text in
            Double(text).flatMap { 0.1...240 ~= $0 ? $0 : nil }
        }
        let subscription = try subscribe(call, rate: rate)
        return HTTPResponse(
            statusCode: .ok,
            headers: [.contentType: PictureStream.contentType, .cacheControl: "no-store"],
            body: HTTPBodySequence(from: PictureStream(subscription: subscription)))
    }

    private func takeSnapshot(_ call: Call) async throws(HTTPError) -> HTTPResponse {
        let start = MonotonicTime.now()
        let subscription = try subscribe(call, rate: nil)
        guard let picture = await subscription.next(within: timeout, after: start) else { throw Self.noPicture }
        return HTTPResponse(
            shared: [picture.data], holding: subscription.place.map { [$0] } ?? [], type: "image/jpeg",
            headers: [
                .cacheControl: "no-store",
                HTTPHeader("X-Timestamp"): picture.time.timeIntervalSince1970.formatted(decimals: 6),
            ])
    }

    private func eventPicture(_ call: Call) async throws(HTTPError) -> HTTPResponse {
        try Self.refuseOtherSites(call)
        // Reading a file takes a thread.
        guard let place = viewers.begin(for: call.principal.key) else { throw Self.tooManyViewers }
        let picture = Latest(Data?.none)
        let name = String(call.name)
        await BlockingThread.run(named: "event picture") { [pictures = shared.eventPictures] in
            picture.publish(pictures.picture(named: name))
        }
        guard access.stillAdmits(call.principal) else { throw HTTPError.noToken }
        guard let data = picture.value else {
            throw HTTPError.notFound(
                code: "picture-not-found", "There is no such picture. The newest of 31 days are kept.")
        }
        // It never changes.
        return HTTPResponse(
            shared: [data], holding: [place], type: "image/jpeg",
            headers: [.cacheControl: "private, max-age=86400, immutable"])
    }

    private static func refuseOtherSites(_ call: Call) throws(HTTPError) {
        // A page of another site may not embed pictures, although only the user would see them there.
        guard !call.request.isCrossOrigin else {
            throw HTTPError(
                status: .forbidden, code: "wrong-origin", message: "Only Swatchcam's own pages may show its pictures."
            )
        }
    }

    private static let tooManyViewers = HTTPError.unavailable(
        code: "too-many-viewers", "There are too many viewers, or Swatchcam is stopping. Try again later.",
        retryAfter: 1)

    private func subscribe(_ call: Call, rate: Double?) throws(HTTPError) -> PictureSubscription {
        try Self.refuseOtherSites(call)
        let view = try call.request.pictureView()
        guard shared.readings.value.state.hasColor else { throw Self.noPicture }
        guard let place = viewers.begin(for: call.principal.key),
            let subscription = shared.pictures.join(view, rate: rate, session: call.principal.session, holding: place)
        else { throw Self.tooManyViewers }
        guard access.stillAdmits(call.principal) else { throw HTTPError.noToken }
        return subscription
    }

    private static let noPicture = HTTPError.unavailable(
        code: "no-picture", "There is no picture now. /api/reading shows why.")
}

extension HTTPRequest {
    /// Returns the view of the picture that the client wants, by `?view=processed`.
    func pictureView() throws(HTTPError) -> Picture.View {
        let refusal = HTTPError.badRequest(code: "bad-view", "view must be live or processed.")
        return try parameter("view", orRefuse: refusal, Picture.View.init(rawValue:)) ?? .live
    }
}
