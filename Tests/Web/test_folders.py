"""Folders in place of the built-in pages: edits take effect, and nothing outside the folders is served."""

import pytest
from Harness.api import request
from Harness.server import Server
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
