// A rival for fanout.py: a server on SwiftNIO that sends texts as long as swatchcam's readings to every WebSocket, at
// the same rate. FanoutNIO PORT LENGTH RATE PING: RATE is in texts per second, PING is the period of pings in seconds.

import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A complete server frame: not masked, not fragmented (RFC 6455, 5.2).
func frame(_ opcode: UInt8, _ payload: [UInt8] = []) -> ByteBuffer {
    var bytes = ByteBuffer(bytes: [0x80 | opcode])
    if payload.count <= 125 {
        bytes.writeInteger(UInt8(payload.count))
    } else {
        bytes.writeInteger(UInt8(126))
        bytes.writeInteger(UInt16(payload.count))
    }
    bytes.writeBytes(payload)
    return bytes
}

/// One line of JSON of a given length, with the keys that the load client reads and the current time.
func message(_ sequence: Int, length: Int) -> [UInt8] {
    let time = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    let content = "\"sequence\":\(sequence),\"time\":\"\(time)\"}"
    let padding = String(repeating: "x", count: max(0, length - content.utf8.count - #"{"padding":"","#.utf8.count))
    return Array("{\"padding\":\"\(padding)\",\(content)".utf8)
}

let arguments = CommandLine.arguments.dropFirst().compactMap(Int.init)
guard arguments.count == 4 else {
    FileHandle.standardError.write(Data("usage: FanoutNIO PORT LENGTH RATE PING\n".utf8))
    exit(64)
}
let (port, length, rate, ping) = (arguments[0], arguments[1], arguments[2], arguments[3])

let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
let clientGroups = group.makeIterator().map { LoopClients(loop: $0) }

let upgrader = NIOWebSocketServerUpgrader(
    shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
    upgradePipelineHandler: { channel, _ in
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(ControlFrames())
            guard let clients = clientGroups.first(where: { $0.loop === channel.eventLoop }) else { return }
            try clients.add(channel)
        }
    }
)
let server = try await ServerBootstrap(group: group)
    .serverChannelOption(.backlog, value: 128)
    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
    .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
    .childChannelInitializer { channel in
        channel.pipeline.configureHTTPServerPipeline(
            withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
    }
    .bind(host: "127.0.0.1", port: port).get()

/// The number of texts so far; only one loop uses it.
let sequence = NIOLoopBoundBox.makeBoxSendingValue(0, eventLoop: clientGroups[0].loop)
clientGroups[0].loop.scheduleRepeatedTask(
    initialDelay: .zero, delay: .nanoseconds(1_000_000_000 / Int64(rate))
) { _ in
    sequence.value += 1
    let text = frame(0x1, message(sequence.value, length: length))
    for clients in clientGroups { clients.send(text) }
}
clientGroups[0].loop.scheduleRepeatedTask(initialDelay: .seconds(Int64(ping)), delay: .seconds(Int64(ping))) { _ in
    let ping = frame(0x9)
    for clients in clientGroups { clients.send(ping) }
}
try await server.closeFuture.get()
