"""Region and effect that a client changed: they survive a restart, until config.toml says something else."""

import json
import os

import pytest
from Harness import api
from Harness.waiting import wait_until
from raw import ask

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
    path = tmp_path / "state.json"
    return json.loads(path.read_text()).get("settings") if path.exists() else None


def test_changed_settings_survive_a_restart(start, tmp_path):
    server = start()
    before = change(server, effect="edges", region=CORNER)
    server.stop()
    assert (tmp_path / "state.json").stat().st_mode & 0o777 == 0o600
    after = settings(start())
    assert (after["effect"], after["region"]) == ("edges", CORNER)
    assert after["remembered"] == before["remembered"]


def test_changed_settings_are_stored_while_the_program_runs(start, tmp_path):
    """A power cut gives the program no chance to store the change at its end."""
    server = start()
    change(server, effect="edges")
    wait_until(lambda: stored(tmp_path), "the change is not stored")
    assert stored(tmp_path)["settings"]["picture.effect"] == {"configured": "none", "value": "edges"}


def test_nothing_is_remembered_once_the_configuration_has_the_suggested_lines(start):
    server = start()
    lines = change(server, effect="edges", region=CORNER)["remembered"]["lines"]
    server.stop()
    server = start(config=lines)
    assert settings(server) | {"effects": None} == {
        "effect": "edges",
        "effects": None,
        "probes": [],
        "problem": None,
        "rate": 4,
        "region": CORNER,
        "remembered": None,
        "targets": [],
    }


def test_an_edit_while_the_program_is_stopped_replaces_the_remembered_value_of_that_key_only(start):
    server = start()
    change(server, effect="edges", region=CORNER)
    server.stop()
    after = settings(start(config='[picture]\neffect = "invert"\n'))
    assert (after["effect"], after["region"]) == ("invert", CORNER)
    assert after["remembered"]["lines"] == "[readings]\nregion = [0, 0, 0.5, 0.25]\n"


def test_an_edit_while_the_program_runs_replaces_the_remembered_value(start):
    server = start()
    change(server, effect="edges")
    server.config.write_text(server.config.read_text() + '[picture]\neffect = "invert"\n')
    wait_until(lambda: settings(server), "the edit has no effect", holds=lambda found: found["effect"] == "invert")
    wait_until(
        lambda: settings(server)["remembered"], "the old value is still remembered", holds=lambda found: found is None
    )


def test_forgetting_restores_the_values_of_the_configuration_for_good(start):
    server = start(config='[picture]\neffect = "invert"\n')
    change(server, effect="edges", region=CORNER)
    answer = api.request(server.url + "api/settings", method="DELETE")
    assert answer.status == 200
    assert (answer.json["effect"], answer.json["region"]) == ("invert", [0, 0, 1, 1])
    assert answer.json["remembered"] is None
    server.stop()
    assert settings(start(config='[picture]\neffect = "invert"\n'))["remembered"] is None


def test_readings_announce_each_change_of_the_remembered_settings(start):
    server = start()

    def revision():
        return api.get_json(server.url + "api/reading")["revisions"]["settings"]

    assert revision() == 0
    change(server, effect="edges")
    wait_until(revision, "the change is not announced", holds=lambda found: found == 1)
    api.request(server.url + "api/settings", method="DELETE")
    wait_until(revision, "forgetting is not announced", holds=lambda found: found == 2)


def test_a_page_of_another_site_cannot_forget_settings(start):
    server = start()
    change(server, effect="edges")
    assert ask(server, "DELETE", "/api/settings", "Origin: https://evil.example")[0] == 403
    assert settings(server)["effect"] == "edges"


@pytest.mark.parametrize(
    "content",
    [
        '{"settings":{"since":"<script>","settings":{"web.token":{"value":"x","configured":""}}}}',
        '{"settings":{"since":"now","settings":{"picture.effect":{"value":"egdes","configured":"none"}}}}',
        '{"settings":{"since":"now","settings":{"readings.region":{"value":[0,0,2,2],"configured":[0,0,1,1]}}}}',
        '{"settings":' + "[" * 3000,
        '{"settings":null,"camera":null}',
        "\0" * 4000,
    ],
)
def test_a_bad_state_file_leaves_the_values_of_the_configuration_in_effect(start, tmp_path, content):
    (tmp_path / "state.json").write_text(content)
    found = settings(start())
    assert (found["effect"], found["region"], found["remembered"]) == ("none", [0, 0, 1, 1], None)


def test_settings_that_cannot_be_stored_hold_until_the_program_ends(start, tmp_path):
    (tmp_path / "state.json").mkdir()
    server = start()
    assert change(server, effect="edges")["effect"] == "edges"
    server.wait_for_log("Changed settings will not be remembered for the next start: ")
    assert settings(server)["problem"].startswith("Changed settings will not be remembered for the next start: ")


def test_a_second_instance_on_the_same_folder_says_so_and_leaves_what_the_first_has_stored(start, tmp_path):
    first = start()
    change(first, effect="edges")
    wait_until(lambda: stored(tmp_path), "the change is not stored")
    before = (tmp_path / "state.json").read_bytes()
    second = start()
    second.wait_for_log(f"{tmp_path} is in use by another Swatchcam. Give this one a folder of its own")
    assert settings(second)["problem"] is None
    warning = f"Changed settings will not be remembered for the next start: {tmp_path} is in use by another Swatchcam."
    assert change(second, effect="invert")["problem"].startswith(warning)
    second.wait_for_log(warning)
    second.stop()
    assert (tmp_path / "state.json").read_bytes() == before
