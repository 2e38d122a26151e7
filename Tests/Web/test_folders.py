"""Folders in place of the built-in pages: their edits show, and nothing that is not in them does."""

import os
import time
import urllib.error
import urllib.request

import pytest
from swatchcam_server import DEADLINE, Server, starting


@pytest.fixture
def start_server(tmp_path):
    place = tmp_path / "servers"
    place.mkdir()
    with starting(place) as start:
        yield start


@pytest.fixture
def resources(tmp_path):
    folder = tmp_path / "resources"
    folder.mkdir()
    (folder / "mine.css").write_text("one")
    return folder


def get(server: Server, path: str) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(server.url + path, timeout=DEADLINE) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def wait_for(server: Server, path: str, content: bytes) -> None:
    end = time.monotonic() + DEADLINE
    while (seen := get(server, path)[1]) != content:
        assert time.monotonic() < end, f"{path} still has {seen!r}"
        time.sleep(0.02)


def test_edits_of_files_and_templates_show_while_it_runs(start_server, tmp_path, resources):
    templates = tmp_path / "templates"
    templates.mkdir()
    (templates / "dashboard.mustache").write_text("one")
    server = start_server(config=f'[web]\nresources = "{resources}"\ntemplates = "{templates}"\n')
    assert get(server, "resources/mine.css") == (200, b"one")
    assert get(server, "") == (200, b"one")
    (resources / "mine.css").write_text("three")
    (resources / "new.css").write_text("new")
    (templates / "dashboard.mustache").write_text("three")
    wait_for(server, "resources/mine.css", b"three")
    wait_for(server, "resources/new.css", b"new")
    wait_for(server, "", b"three")
    (resources / "mine.css").unlink()
    end = time.monotonic() + DEADLINE
    while get(server, "resources/mine.css")[0] != 404:
        assert time.monotonic() < end


def test_a_pipe_a_device_and_a_link_out_of_the_folder_are_not_served_and_stop_nothing(start_server, resources):
    os.mkfifo(resources / "pipe.css")
    (resources / "zero.css").symlink_to("/dev/zero")
    (resources / "host.css").symlink_to("/etc/hostname")
    (resources / "root").symlink_to("/")
    server = start_server(config=f'[web]\nresources = "{resources}"\n')
    for name in ("pipe.css", "zero.css", "host.css", "root/etc/hostname", "../resources/mine.css"):
        assert get(server, f"resources/{name}")[0] == 404
    assert get(server, "resources/mine.css") == (200, b"one")
    # While it runs, too: a pipe takes the place of a file that was served.
    (resources / "mine.css").unlink()
    os.mkfifo(resources / "mine.css")
    (resources / "last.css").write_text("last")
    wait_for(server, "resources/last.css", b"last")
    assert get(server, "resources/mine.css")[0] == 404


def test_a_folder_that_would_fill_the_memory_is_refused_with_a_sentence(resources, tmp_path):
    for number in range(13):
        with (resources / f"{number}.bin").open("wb") as file:
            file.truncate(5_000_000)
    server = Server(tmp_path)
    server.config.write_text(server.config.read_text() + f'[web]\nresources = "{resources}"\n')
    try:
        with pytest.raises(RuntimeError, match=r"ended with 78") as refusal:
            server.start()
    finally:
        server.stop()
    assert "its files are larger than 64 MB together" in str(refusal.value)
