import Foundation
import TestSupport
import Testing
import V4L2

@testable import Documents
@testable import Handoff
@testable import State

@Suite("The picture hub", .timeLimit(.minutes(20)))
struct PictureHubTests {
    private let hub = PictureHub()
    private let picture = Picture(data: Data([1]), time: Date(), timestamp: .now())

    /// Starts a viewer's wait for its next picture.
    private func waiting(
        _ subscription: PictureSubscription, at time: MonotonicTime = .now()
    ) async -> Task<Data?, Never> {
        let task = Task { await subscription.next(within: .seconds(3600))?.data }
        await waitUntil("a viewer is ready for a picture") { !hub.demand(at: time).isEmpty }
        return task
    }

    @Test("the picture hub wants a view until the waiting viewer has a picture", arguments: Picture.View.allCases)
    func demand(view: Picture.View) async throws {
        let subscription = try #require(hub.join(view))
        #expect(hub.demand(at: .now()).isEmpty)
        let viewer = await waiting(subscription)
        #expect(hub.demand(at: .now()) == [view])
        hub.offer(picture, of: view, at: .now())
        #expect(await viewer.value == picture.data)
        #expect(hub.demand(at: .now()).isEmpty)
    }

    @Test("the picture hub gives a viewer no picture of the other view, and none that came while it was busy")
    func otherView() async throws {
        let subscription = try #require(hub.join(.live))
        let other = Picture(data: Data([2]), time: Date(), timestamp: .now())
        hub.offer(other, of: .live, at: .now())
        let viewer = await waiting(subscription)
        hub.offer(other, of: .processed, at: .now())
        hub.offer(picture, of: .live, at: .now())
        #expect(await viewer.value == picture.data)
    }

    @Test("closing the picture hub ends every wait and refuses new viewers")
    func close() async throws {
        let subscription = try #require(hub.join(.live))
        let viewer = await waiting(subscription)
        hub.close()
        #expect(await viewer.value == nil)
        #expect(hub.join(.live) == nil)
    }

    @Test("a viewer's wait for a picture ends when its time limit passes")
    func timeout() async throws {
        let subscription = try #require(hub.join(.live))
        #expect(await subscription.next(within: .milliseconds(1)) == nil)
    }

    /// Offers pictures one after the other, of frames captured at these seconds after a moment, to a viewer that wants
    /// only frames captured from that moment on.
    /// - Returns: The number of the picture that the viewer took; nil if it still waited when the hub was closed.
    private func taken(_ seconds: [Double]) async throws -> UInt8? {
        let (subscription, moment) = (try #require(hub.join(.live)), MonotonicTime.now())
        let isDone = Latest(false)
        let viewer = Task {
            defer { isDone.update { $0 = true } }
            return await subscription.next(within: .seconds(3600), after: moment)?.data.first
        }
        for (number, seconds) in seconds.enumerated() {
            await waitUntil("the viewer is ready or has its picture") {
                !hub.demand(at: .now()).isEmpty || isDone.value
            }
            let picture = Picture(data: Data([UInt8(number)]), time: Date(), timestamp: moment + seconds)
            hub.offer(picture, of: .live, at: .now())
        }
        await waitUntil("the viewer is ready or has its picture") { !hub.demand(at: .now()).isEmpty || isDone.value }
        hub.close()
        return await viewer.value
    }

    @Test(
        "a viewer that wants a picture from now on waits for one, but relies no longer on times after eight old ones",
        arguments: [
            ([-0.2, -0.001, 0, 0.1], 2), ([-0.2, -0.1], nil), ([-9, -8, -7, -6, -5, -4, -3, -2, -1, 0], 8),
        ] as [([Double], UInt8?)])
    func captured(seconds: [Double], number: UInt8?) async throws {
        #expect(try await taken(seconds) == number)
    }

    @Test("the picture hub counts the viewers that it has now")
    func viewers() {
        var viewers = [hub.join(.live)]
        #expect(hub.counters.viewers == 1 && hub.isWatched)
        viewers.append(hub.join(.live))
        #expect(hub.counters.viewers == 2)
        viewers.removeLast()
        #expect(hub.counters.viewers == 1)
        viewers.removeLast()
        #expect(hub.counters.viewers == 0 && !hub.isWatched)
    }

    @Test("a new viewer ends the capture thread's rest, and one that is refused does not")
    func rest() throws {
        let waker = try Waker()
        let rest = Rest(waker)
        let hub = PictureHub(rest: rest)
        var viewers: [PictureSubscription?] = []
        for isAccepted in [true, false] {
            if !isAccepted { hub.close() }
            rest.take(unless: { false }) {
                viewers.append(hub.join(.live))
                #expect(waker.wait(until: .now()) == isAccepted)
            }
        }
        #expect(viewers.map { $0 != nil } == [true, false])
    }

    @Test("the picture hub keeps to a viewer's rate on average, and starts over after a pause")
    func averageRate() async throws {
        let subscription = try #require(hub.join(.live, rate: 2))
        let start = MonotonicTime.now()
        // The time from which each picture is due, and the time at which it is offered.
        for (due, time) in [(-1.0, 0.0), (0.5, 0.6), (1, 1.4), (1.5, 1.9), (2, 2.5), (3, 7.2), (7.7, 7.7)] {
            let viewer = await waiting(subscription, at: start + 100)
            #expect(due < 0 || hub.demand(at: start + (due - 0.01)).isEmpty)
            #expect(hub.demand(at: start + due) == [.live])
            hub.offer(picture, of: .live, at: start + time)
            #expect(await viewer.value == picture.data)
        }
    }

    @Test("the streams of one session end without those of another")
    func session() async throws {
        let first = try #require(hub.join(.live, session: "first"))
        let second = try #require(hub.join(.live, session: "second"))
        #expect(hub.sessions == ["first", "second"])
        hub.end(session: "first")
        #expect(await first.next(within: .seconds(3600)) == nil)
        let viewer = await waiting(second)
        hub.offer(picture, of: .live, at: .now())
        #expect(await viewer.value == picture.data)
        hub.end()
        #expect(await second.next(within: .seconds(3600)) == nil)
    }
}
