import NIOCore
import NIOWebSocket

/// The clients of one event loop. Only that loop may use them.
struct LoopClients: Sendable {
    let loop: any EventLoop
    private let contexts: NIOLoopBoundBox<[ObjectIdentifier: ChannelHandlerContext]>

    init(loop: any EventLoop) {
        self.loop = loop
        contexts = .makeBoxSendingValue([:], eventLoop: loop)
    }

    /// Adds a client, which stays until its channel closes.
    ///
    /// Its frames bypass the pipeline's encoder, because they are encoded once for all clients.
    func add(_ channel: any Channel) throws {
        let encoder = try channel.pipeline.syncOperations.context(handlerType: WebSocketFrameEncoder.self)
        contexts.value[ObjectIdentifier(channel)] = encoder
        channel.closeFuture.whenComplete { _ in contexts.value[ObjectIdentifier(channel)] = nil }
    }

    /// Writes the bytes of a frame to everyone.
    func send(_ frame: ByteBuffer) {
        loop.execute {
            for context in contexts.value.values { context.writeAndFlush(NIOAny(frame), promise: nil) }
        }
    }
}
