"""Folders in place of the built-in pages: edits take effect, and nothing outside the folders is served."""

import os

import pytest
from Harness.api import request
from Harness.server import Server, ServerEndedError
from Harness.waiting import wait_until


@pytest.fixture
def resources(tmp_path):
    folder = tmp_path / "resources"
    folder.mkdir()
    (folder / "mine.css").write_text("one")
    return folder


def get(server: Server, path: str) -> tuple[int, bytes]:
    answer = request(server.url + path)
    return answer.status, answer.body


def wait_for(server: Server, path: str, content: bytes) -> None:
    wait_until(
        lambda: get(server, path), f"{path} does not become {content!r}", holds=lambda seen: seen == (200, content)
    )


def test_edits_of_files_and_templates_take_effect_while_the_program_runs(start_server, tmp_path, resources):
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
    wait_until(
        lambda: get(server, "resources/mine.css")[0], "a deleted file is served", holds=lambda status: status == 404
    )


def test_pipes_devices_and_links_out_of_the_folder_are_not_served_and_do_not_hang_the_server(start_server, resources):
    os.mkfifo(resources / "pipe.css")
    (resources / "zero.css").symlink_to("/dev/zero")
    (resources / "host.css").symlink_to("/etc/hostname")
    (resources / "root").symlink_to("/")
    server = start_server(config=f'[web]\nresources = "{resources}"\n')
    for name in ("pipe.css", "zero.css", "host.css", "root/etc/hostname", "../resources/mine.css"):
        assert get(server, f"resources/{name}")[0] == 404
    assert get(server, "resources/mine.css") == (200, b"one")
    # While it runs, a pipe takes the place of a file that was served.
    (resources / "mine.css").unlink()
    os.mkfifo(resources / "mine.css")
    (resources / "last.css").write_text("last")
    wait_for(server, "resources/last.css", b"last")
    assert get(server, "resources/mine.css")[0] == 404


def test_a_folder_that_would_fill_the_memory_is_refused_with_a_reason(start_server, resources):
    for number in range(13):
        with (resources / f"{number}.bin").open("wb") as file:
            file.truncate(5_000_000)
    with pytest.raises(ServerEndedError, match=r"(?s)ended with 78.*its files are larger than 64 MB in total"):
        start_server(f'[web]\nresources = "{resources}"\n')
