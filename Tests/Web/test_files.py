"""State files that cannot be used, and a flood of signals to reload the configuration."""

import os
import signal

import pytest


def make_pipe(path):
    os.mkfifo(path)


def make_folder(path):
    path.mkdir()


def make_link(path):
    path.symlink_to("/etc/passwd")


def make_huge_file(path):
    with path.open("wb") as file:
        file.truncate(1 << 40)


def make_deep_json(path):
    path.write_text('{"camera":' + "[" * 2000 + "]" * 2000 + "}")


@pytest.mark.parametrize("make", [make_pipe, make_folder, make_link, make_huge_file, make_deep_json])
def test_the_program_starts_and_stops_whatever_is_in_place_of_its_state_file(start_server, tmp_path, make):
    make(tmp_path / "state.json")
    server = start_server(env=os.environ | {"STATE_DIRECTORY": str(tmp_path)})
    server.stop()
    assert server.logged().count(f"{tmp_path}/state.json is not used, because ") == 1


def test_a_flood_of_sighups_is_logged_in_twenty_lines_at_most(start_server):
    server = start_server()
    for _ in range(5000):
        server.process.send_signal(signal.SIGHUP)
    # SIGTERM is handled in the same way as SIGHUP, and after it.
    server.stop()
    assert 1 <= server.logged().count("SIGHUP") <= 20
