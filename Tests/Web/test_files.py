"""Files that the program reads, and in whose place there is something else."""

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
def test_it_starts_and_stops_whatever_is_in_the_place_of_its_state(start_server, tmp_path, make):
    make(tmp_path / "state.json")
    server = start_server(env=os.environ | {"STATE_DIRECTORY": str(tmp_path)})
    server.stop()
    assert server.log.read_text().count(f"{tmp_path}/state.json is not used, because ") == 1


def test_a_flood_of_sighups_does_not_fill_the_log(start_server):
    server = start_server()
    for _ in range(5000):
        server.process.send_signal(signal.SIGHUP)
    # Stopping takes the same way as they do, and comes after them.
    server.stop()
    assert 1 <= server.log.read_text().count("SIGHUP") <= 20
