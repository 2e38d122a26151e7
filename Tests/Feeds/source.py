"""A network camera that shows one colour, on this machine: source.py rtsp FILE.mp4 | http FILE.jpg"""

import http.server
import pathlib
import sys
import time


def serve_rtsp(path):
    """Plays the file by GStreamer's RTSP server, at rtsp://127.0.0.1:8554/camera, for every client from its start."""
    import gi

    gi.require_version("Gst", "1.0")
    gi.require_version("GstRtspServer", "1.0")
    from gi.repository import GLib, Gst, GstRtspServer

    Gst.init(None)
    server = GstRtspServer.RTSPServer()
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(f"( filesrc location={path} ! qtdemux ! rtph264pay name=pay0 config-interval=-1 )")
    server.get_mount_points().add_factory("/camera", factory)
    server.attach(None)
    GLib.MainLoop().run()


def serve_http(path):
    """Sends the picture ten times a second, at http://127.0.0.1:8554/, as most network cameras do."""
    picture = pathlib.Path(path).read_bytes()
    part = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n" % (len(picture), picture)

    class Camera(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace;boundary=frame")
            self.end_headers()
            while True:
                self.wfile.write(part)
                time.sleep(0.1)

        def log_message(self, *_):
            pass

    http.server.ThreadingHTTPServer(("127.0.0.1", 8554), Camera).serve_forever()


if __name__ == "__main__":
    {"rtsp": serve_rtsp, "http": serve_http}[sys.argv[1]](sys.argv[2])
