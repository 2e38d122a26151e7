"""The camera's controls, set by the API, by config.toml and by another program; and locking the automatic ones."""

import json
import os
import subprocess

import program
import pytest
import recorder
from Harness import api as http

pytestmark = pytest.mark.skipif("SWATCHCAM_LAB" not in os.environ, reason="sets every control: only in the lab")


@pytest.fixture(autouse=True)
def defaults(camera):
    yield
    camera.reset_picture()
    camera.set(gain_automatic=1, gain=100, integer_32_bits=0, boolean=1, menu=3, integer_menu=4, bitmask=0x80002000)


class Api:
    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}"

    def request(self, method, path, body=None):
        answer = http.request(f"{self.url}{path}", method, body)
        return answer.status, answer.json

    def put(self, name, value):
        return self.request("PUT", f"/api/controls/{name}", {"value": value})

    def document(self):
        return self.request("GET", "/api/controls")[1]

    def control(self, name):
        return next(control for control in self.document()["controls"] if control["name"] == name)


@pytest.fixture(scope="class")
def running(camera, tmp_path_factory):
    port = program.free_port()
    path = program.config(tmp_path_factory.mktemp("controls"), camera.node, port=port)
    with recorder.serving(path, port) as (_, record):
        record.wait(lambda reading: reading["revisions"]["controls"] > 0, what="list of controls")
        yield Api(port), record


@pytest.fixture
def served(running):
    """The running program with nothing locked: its API, and the recorder of its readings."""
    api, record = running
    record.wait_for_state("live", record.mark())
    yield api, record
    api.request("DELETE", "/api/controls/lock")


class TestARunningCamera:
    """These tests share one program."""

    def test_every_kind_of_control_is_listed_as_v4l2_ctl_lists_it(self, camera, served):
        api, _ = served
        listed = {control["name"]: control for control in api.document()["controls"]}
        kinds = {control["type"] for control in listed.values()}
        assert kinds == {"integer", "boolean", "menu", "integer-menu", "button", "bitmask", "string"}
        theirs = subprocess.run(
            ["v4l2-ctl", "-d", camera.node, "--list-ctrls"], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        names = [line.split()[0] for line in theirs if " 0x" in line and "(u8)" not in line and "(u16)" not in line]
        # Matrices, areas and the like have no value that a person could write.
        assert set(listed) <= set(names) and len(listed) > 40
        assert listed["brightness"] | {"value": 0} == {
            "name": "brightness",
            "label": "Brightness",
            "type": "integer",
            "minimum": 0,
            "maximum": 255,
            "step": 1,
            "default": 128,
            "value": 0,
            "readOnly": False,
            "inactive": False,
            "controlledBy": None,
        }

    @pytest.mark.parametrize(
        "name, written, read, theirs",
        [
            ("brightness", 77, 77, "77"),
            ("boolean", False, 0, "0"),
            ("menu", "Menu Item 4", 4, "4 (Menu Item 4)"),
            ("menu", 1, 1, "1 (Menu Item 1)"),
            ("integer_menu", 5, 5, "5 (8 0x8)"),
            ("integer_32_bits", -2147483648, -2147483648, "-2147483648"),
            ("integer_64_bits", -(2**63), -(2**63), str(-(2**63))),
            ("bitmask", 0x2000, 0x2000, str(0x2000)),
            ("bitmask", 0x80002000, 0x80002000, str(0x80002000 - 2**32)),
            ("string", "abcd", "abcd", "'abcd'"),
        ],
    )
    def test_a_control_of_each_kind_is_set_and_read_back(self, camera, served, name, written, read, theirs):
        api, _ = served
        status, control = api.put(name, written)
        assert (status, control.get("value")) == (200, read), control
        said = subprocess.run(
            ["v4l2-ctl", "-d", camera.node, "-C", name], capture_output=True, text=True, check=True
        ).stdout
        assert said.strip() == f"{name}: {theirs}"

    def test_setting_a_button_presses_it(self, camera, served):
        """The button injects a fault, which is easy to see."""
        api, record = served
        mark = record.mark()
        assert api.put("inject_fatal_streaming_error", True)[0] == 200
        record.wait_for_state("lost", mark)
        record.wait_for_state("live", mark)

    @pytest.mark.parametrize(
        "name, value, status, words",
        [
            ("gain", 7, 409, "Gain, Automatic has taken it over"),
            ("read_only_integer_32_bits", 1, 409, "read-only"),
        ],
    )
    def test_a_value_that_cannot_be_set_is_refused_with_the_reason(self, served, name, value, status, words):
        api, _ = served
        answer = api.put(name, value)
        assert answer[0] == status and words in answer[1]["error"]["message"], answer

    def test_a_change_by_another_program_increments_the_revision(self, camera, served):
        """The driver may change other controls first, each of which also increments the revision."""
        api, record = served
        revision = record.readings[-1]["revisions"]["controls"]
        camera.set(contrast=99)
        while api.control("contrast")["value"] != 99:
            seen = record.wait(lambda reading, last=revision: reading["revisions"]["controls"] > last, what="revision")
            revision = seen["revisions"]["controls"]

    def test_null_and_a_reset_restore_the_defaults(self, served):
        api, _ = served
        assert api.put("contrast", 9)[0] == api.put("brightness", 9)[0] == 200
        assert api.put("contrast", None)[1]["value"] == 128
        assert api.request("POST", "/api/controls/reset", {})[0] == 200
        assert api.control("brightness")["value"] == 128

    def test_automatic_controls_are_reported_locked_and_unlocked(self, served):
        api, record = served
        mark = record.mark()
        record.wait(lambda reading: "Gain, Automatic is on" in str(reading["notices"]), mark, what="notice")
        assert api.document()["automatics"] == ["gain_automatic"]
        status, document = api.request("POST", "/api/controls/lock", {})
        assert (status, document["lock"]["phase"]) == (202, "settling")
        program.wait_until(lambda: api.document()["lock"]["phase"] == "locked", "the lock")
        lock = api.document()["lock"]
        print(f"\n  {json.dumps(lock)}", end="")
        names = [locked["name"] for locked in lock["locked"]]
        assert names == ["gain_automatic", "gain"] and lock["refused"] == []
        # vivid's automatic gain counts the seconds: it never settles, and is locked nevertheless.
        assert not lock["settled"]
        assert lock["missing"] == ["exposure", "white balance", "focus", "backlight compensation"]
        assert lock["config"].startswith("[camera.controls]\ngain_automatic = 0\ngain = ")
        assert (api.control("gain")["inactive"], api.document()["automatics"]) == (False, [])
        mark = record.mark()
        record.wait(lambda reading: not reading["notices"], mark, what="reading without the notice")
        assert api.request("POST", "/api/controls/lock", {})[1]["lock"] == lock
        assert api.request("DELETE", "/api/controls/lock")[0] == 200
        assert (api.document()["lock"], api.document()["automatics"]) == (None, ["gain_automatic"])


def test_the_lines_that_the_lock_prints_set_the_locked_values_at_the_next_start(camera, tmp_path):
    port = program.free_port()
    path = program.config(tmp_path, camera.node, port=port)
    api = Api(port)

    def values():
        return {name: api.control(name)["value"] for name in ("gain_automatic", "gain")}

    with recorder.serving(path, port) as (_, record):
        record.wait(lambda reading: reading["revisions"]["controls"] > 0, what="list of controls")
        assert api.request("POST", "/api/controls/lock", {})[0] == 202
        program.wait_until(lambda: api.document()["lock"]["phase"] == "locked", "the lock")
        lines, locked = api.document()["lock"]["config"], values()
    camera.set(gain_automatic=0, gain=(locked["gain"] + 100) % 256)
    camera.set(gain_automatic=1)
    path.write_text(path.read_text() + lines)
    with recorder.serving(path, port) as (_, record):
        record.wait(lambda reading: reading["revisions"]["controls"] > 0, what="list of controls")
        assert values() == locked
        assert locked["gain_automatic"] == 0
        assert record.readings[-1]["notices"] == []


def test_an_automatic_control_is_set_before_the_controls_that_it_rules(camera, tmp_path):
    """The automatic control is set first, whatever the order of the lines."""
    port = program.free_port()
    path = program.config(tmp_path, camera.node, port=port)
    path.write_text(path.read_text() + "[camera.controls]\ngain = 42\ngain_automatic = 0\nbrightness = 100\n")
    with recorder.serving(path, port) as (_, record):
        record.wait(lambda reading: reading["revisions"]["controls"] > 0, what="list of controls")
        api = Api(port)
        values = {name: api.control(name)["value"] for name in ("gain", "gain_automatic", "brightness")}
        assert values == {"gain": 42, "gain_automatic": 0, "brightness": 100}
        assert record.readings[-1]["notices"] == []
