"""The receivers that docs/events.md describes, such as the one that is made with http.server."""

import contextlib
import email
import email.policy
import queue
import re
import socketserver
import subprocess
import sys
import threading
import urllib.parse

import pytest
import webhooks
from Harness.eventful import ORANGE, SCENE, look_at, wait_for_state
from Harness.program import ROOT, free_port
from Harness.waiting import stretched

GUIDE = (ROOT / "docs/events.md").read_text()
ADDRESSES = re.findall(r'^webhook = "\w+://[^/]+(/[^"]*)"', GUIDE.partition("## Receivers")[2], re.MULTILINE)


@pytest.fixture
def start(start_server):
    """A function that starts a server that sends its events to an address."""

    def start_with(url):
        server = start_server(config=f'{SCENE}[events]\nwebhook = "{url}"\n')
        wait_for_state(server, "card")
        return server

    return start_with


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_receiver_has_the_event_at_the_address_as_it_is_written(start, address):
    with webhooks.receiving() as receiver:
        look_at(start(f"http://{receiver.place}{address}"), ORANGE, "orange")
        request = receiver.requests.get(timeout=stretched(20))
        assert request.path == address
        assert request.event["text"] == "card → orange"


def test_the_address_of_ntfy_makes_the_message_of_the_text():
    address = next(one for one in ADDRESSES if "tpl" in one)
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query, strict_parsing=True))
    assert query == {"tpl": "yes", "title": "Swatchcam", "message": "{{.text}}"}


class Mailbox(socketserver.StreamRequestHandler):
    """A session of SMTP that accepts every mail."""

    def handle(self):
        self.wfile.write(b"220 mail\r\n")
        for line in self.rfile:
            word = line[:4].upper().strip()
            if word == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                self.server.mails.put(b"".join(iter(self.rfile.readline, b".\r\n")))
            if word == b"QUIT":
                self.wfile.write(b"221 bye\r\n")
                return
            self.wfile.write(b"250 ok\r\n")


@contextlib.contextmanager
def mail_server():
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mailbox) as server:
        server.daemon_threads = True
        server.mails = queue.Queue()
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server
        server.shutdown()


def test_the_script_for_mails_sends_each_event_with_its_picture(start, tmp_path):
    script = GUIDE.partition("```python\n")[2].partition("```")[0]
    port = free_port()
    server = start(f"http://127.0.0.1:{port}/")
    with mail_server() as mails:
        script = script.replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")
        script = script.replace('"127.0.0.1", 25', f'"127.0.0.1", {mails.server_address[1]}').replace("8081", str(port))
        (tmp_path / "receiver.py").write_text(script)
        receiver = subprocess.Popen([sys.executable, tmp_path / "receiver.py"])
        try:
            look_at(server, ORANGE, "orange")
            mail = email.message_from_bytes(mails.mails.get(timeout=stretched(40)), policy=email.policy.default)
            server.wait_for_log("Events are sent to")
        finally:
            receiver.kill()
            receiver.wait()
    assert mail["Subject"] == "Swatchcam: card → orange"
    [picture] = mail.iter_attachments()
    assert picture.get_content()[:2] == b"\xff\xd8"
    assert mail["To"] == "me@example.org"
