"""Region and effect that a client changed: they survive a restart, until config.toml says something else."""

import json
import os
import signal

import pytest
from Harness import api, process
from Harness.waiting import wait_until

CORNER = [0, 0, 0.5, 0.25]


@pytest.fixture
def start(start_server, tmp_path):
    """A function that starts a server, or starts it again, with its state in the test's folder."""
    return lambda config="": start_server(config=config, env=os.environ | {"STATE_DIRECTORY": str(tmp_path)})


def settings(server) -> dict:
    return api.get_json(server.url + "api/settings")


def change(server, **values) -> dict:
    answer = api.request(server.url + "api/settings", method="PUT", body=values)
    assert answer.status == 200
    return answer.json


def stored(tmp_path) -> dict | None:
    path = tmp_path / "settings.json"
    return json.loads(path.read_text())["value"] if path.exists() else None


def test_changed_settings_survive_a_power_cut(start, tmp_path):
    """It gives the program no chance to store the change at its end."""
    server = start()
    before = change(server, effect="edges", region=CORNER)
    server.stop(signal.SIGKILL)
    assert (tmp_path / "settings.json").stat().st_mode & 0o777 == 0o600
    after = settings(start())
    assert (after["effect"], after["region"]) == ("edges", CORNER)
    assert after["remembered"] == before["remembered"]


def test_nothing_is_remembered_once_the_configuration_has_the_suggested_lines(start):
    server = start()
    lines = change(server, effect="edges", region=CORNER)["remembered"]["lines"]
    server.stop()
    found = settings(start(config=lines))
    assert (found["effect"], found["region"], found["remembered"]) == ("edges", CORNER, None)


def test_readings_announce_each_change_of_the_remembered_settings(start):
    server = start()

    def revision():
        return api.get_json(server.url + "api/reading")["revisions"]["settings"]

    assert revision() == 0
    change(server, effect="edges")
    wait_until(revision, "the change is not announced", holds=lambda found: found == 1)
    api.request(server.url + "api/settings", method="DELETE")
    wait_until(revision, "forgetting is not announced", holds=lambda found: found == 2)


def test_a_second_instance_on_the_same_folder_says_so_and_leaves_what_the_first_has_stored(start, tmp_path):
    first = start()
    change(first, effect="edges")
    assert stored(tmp_path)
    before = (tmp_path / "settings.json").read_bytes()
    second = start()
    second.wait_for_log(f"{tmp_path} is in use by another Swatchcam. Give this one a folder of its own")
    assert settings(second)["problem"] is None
    warning = f"Changed settings will not be remembered for the next start: {tmp_path} is in use by another Swatchcam."
    assert change(second, effect="invert")["problem"].startswith(warning)
    second.wait_for_log(warning)
    second.stop()
    assert (tmp_path / "settings.json").read_bytes() == before


@pytest.mark.slow
def test_edits_of_a_long_configuration_take_no_memory(server):
    """LebJe/TOMLKit#26: before, each of these edits took 52 KB."""
    targets = "".join(f'[[targets]]\nname = "{"x" * 50}{number}"\ncolor = "#112233"\n' for number in range(64))
    before = server.config.read_text()

    def edit(number: int) -> None:
        rate = 1 + number % 9
        server.config.write_text(f"{before}[readings]\nrate = {rate}\n{targets}")
        wait_until(lambda: api.get_json(f"{server.url}api/settings")["rate"] == rate, "the edit has no effect")

    for number in range(20):
        edit(number)
    start = process.resident(server.pid)
    for number in range(80):
        edit(number)
    assert process.resident(server.pid) < start + 1.5
