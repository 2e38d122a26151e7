"""Scales: values read from the colours of the test pattern, by all ways out."""

import csv
import io
import json
import re
import signal
from datetime import UTC, datetime

import pytest
from Harness import api, program
from Harness.server import running
from Harness.waiting import wait_until

# The grey patches of the test pattern, from white to black, and their published code values.
GREYS = [243, 200, 160, 122, 85, 52]


def patch(column: int, row: int = 3) -> list[float]:
    return [0.07 + 0.1 * column, 0.11 + 0.16 * row, 0.06, 0.10]


CONFIG = (
    """
controls.lamp_drift = false

[readings]
rate = 20
"""
    + f"region = {patch(2)}\n"
    + "".join(f'[[probes]]\nname = "card {index}"\nregion = {patch(index)}\n' for index in range(6))
    + f'[[probes]]\nname = "orange"\nregion = {patch(0, 1)}\n'
    + """
[[scales]]
name = "Grey"
unit = "mg/L"
points = ["""
    + ", ".join(f'{{ value = {index}, probe = "card {index}" }}' for index in range(6))
    + """]

[[scales]]
name = "Typed"
points = ["""
    + ", ".join(f'{{ value = {10 * index}, color = "rgb({grey} {grey} {grey})" }}' for index, grey in enumerate(GREYS))
    + """]
probe = "card 3"

[[scales]]
name = "Orange"
points = ["""
    + ", ".join(f'{{ value = {index}, color = "rgb({grey} {grey} {grey})" }}' for index, grey in enumerate(GREYS))
    + """]
probe = "orange"
"""
)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("scales"), config=CONFIG) as server:
        wait_until(lambda: scales(server)["Grey"]["range"], "there is no value", holds=lambda found: found == "within")
        yield server


def scales(server) -> dict[str, dict]:
    api.pushed_readings(server.url, 12)
    return {scale["name"]: scale for scale in server.reading()["scales"]}


def test_a_scale_of_probes_gives_the_value_of_the_region_with_its_interval(server):
    grey = scales(server)["Grey"]
    assert grey["value"] == pytest.approx(2, abs=0.05)
    assert grey["low"] <= grey["value"] <= grey["high"] < grey["low"] + 0.5
    assert grey["unit"] == "mg/L"
    assert grey["distance"] < 0.5


def test_a_scale_of_typed_colours_gives_the_value_of_its_probe(server):
    assert scales(server)["Typed"]["value"] == pytest.approx(30, abs=0.5)


def test_a_colour_that_is_not_on_the_scale_has_no_value(server):
    orange = scales(server)["Orange"]
    assert (orange["range"], orange["value"]) == ("off", None)
    assert "Not on this scale" in orange["reason"]


def test_the_same_figures_leave_by_the_table_the_metrics_and_the_command(server):
    value = scales(server)["Grey"]["value"]
    rows = list(csv.DictReader(io.StringIO(api.request(f"{server.url}history.csv?span=10m").text)))
    cell = dict(pair.split("=") for pair in rows[-1]["scales"].split(";"))
    assert float(cell["Grey"]) == pytest.approx(value, abs=0.02) and "Orange" not in cell
    metrics = api.request(f"{server.url}metrics").text
    line = next(line for line in metrics.splitlines() if line.startswith('swatchcam_scale_value{scale="Grey"'))
    assert float(line.split()[-1]) == pytest.approx(value, abs=0.02)

    def read(*arguments: str):
        return program.run("read", "--config", server.config, "--scale", *arguments)

    assert json.loads(read("Grey", "--json").stdout)["value"] == pytest.approx(value, abs=0.02)
    assert read("Orange").returncode == 1
    missing = read("pH")
    assert missing.returncode == 64 and "no scale named" in missing.stderr


def test_a_scale_is_set_shown_and_deleted_by_a_client(server):
    points = [{"value": value, "color": f"rgb({grey} 0 0)"} for value, grey in ((3, 200), (1, 50), (2, 120))]
    url = f"{server.url}api/scales/Redness"
    assert api.request(url, "PUT", {"points": points, "unit": "%"}).status == 201
    assert [point["value"] for point in api.get_json(url)["points"]] == [1, 2, 3]
    assert "Redness" in scales(server)
    lines = api.get_json(f"{server.url}api/settings")["remembered"]["lines"]
    assert '[[scales]]\nname = "Redness"\nunit = "%"' in lines
    assert api.request(url, "PUT", {"points": points[:2]}).json["error"]["code"] == "bad-scale"
    assert api.request(url, "DELETE").status == 200
    assert api.request(url).json["error"]["code"] == "scale-not-found"


def test_a_sample_keeps_the_value_also_in_its_table(server):
    value = scales(server)["Grey"]["value"]
    sample = api.request(f"{server.url}api/samples", "POST", {"name": "Dip", "readings": 8}).json
    kept = {scale["name"]: scale for scale in sample["scales"]}
    assert kept["Grey"]["value"] == pytest.approx(value, abs=0.02)
    assert (kept["Orange"]["value"], kept["Orange"]["range"]) == (None, "off")
    row = next(
        row for row in csv.DictReader(io.StringIO(api.request(f"{server.url}samples.csv").text)) if row["name"] == "Dip"
    )
    cell = dict(pair.split("=") for pair in row["scales"].split(";"))
    assert float(cell["Grey"]) == kept["Grey"]["value"]


def test_two_pads_are_one_scale(server):
    url = f"{server.url}api/scales/Pads"
    # The first pad is the same for all values; only the second tells.
    points = [
        {"value": index, "color": ["rgb(200 200 200)", f"rgb({grey} {grey} {grey})"]}
        for index, grey in enumerate(GREYS)
    ]
    one_probe = api.request(url, "PUT", {"points": points, "probe": "card 1"})
    assert one_probe.json["error"]["message"].endswith("so probe has to name as many, whose colors are read")
    answer = api.request(url, "PUT", {"points": points, "probe": ["card 1", "card 4"]})
    assert answer.status == 201 and answer.json["points"] == points
    try:
        assert scales(server)["Pads"]["value"] == pytest.approx(4, abs=0.05)
        lines = api.get_json(f"{server.url}api/settings")["remembered"]["lines"]
        assert 'probe = ["card 1", "card 4"]' in lines
    finally:
        assert api.request(url, "DELETE").status == 200


def wait_for_mark(server, text: str) -> dict:
    marks = wait_until(
        lambda: [
            mark
            for mark in api.get_json(f"{server.url}api/history?span=10m")["marks"]
            if mark["kind"] == "scale" and mark["text"].startswith(text)
        ],
        f"no mark begins with {text!r}",
        timeout=20,
        holds=lambda marks: bool(marks) and (marks[0]["to"] is None or marks[0]["picture"] is not None),
    )
    return marks[0]


def test_a_scale_is_read_after_a_time_and_kept_as_a_sample_with_its_picture(server):
    url = f"{server.url}api/scales/Grey/read"
    answer = api.request(url, "POST", {"after": 1, "readings": 10})
    assert answer.status == 202 and answer.json["after"] == 1
    assert scales(server)["Grey"]["due"] == answer.json["due"]
    mark = wait_for_mark(server, "Grey after 1 s")
    assert mark["name"] == "Grey" and float(mark["to"]) == pytest.approx(2, abs=0.05)
    samples = api.get_json(f"{server.url}api/samples")["samples"]
    sample = next(sample for sample in samples if sample["name"] == "Grey after 1 s")
    assert sample["time"] >= answer.json["due"] and sample["readings"] == 10
    value = next(scale["value"] for scale in sample["scales"] if scale["name"] == "Grey")
    assert float(mark["to"]) == value
    assert sample["picture"] == mark["picture"]
    assert api.request(server.url + sample["picture"]).fields["Content-Type"] == "image/jpeg"
    assert scales(server)["Grey"]["due"] is None


def test_a_wait_for_a_scale_begins_again_and_can_be_ended(server):
    url = f"{server.url}api/scales/Typed/read"
    first = api.request(url, "POST", {"after": 3600}).json
    second = api.request(url, "POST", {"after": 7200}).json
    assert second["due"] > first["due"]
    assert scales(server)["Typed"]["due"] == second["due"]
    assert api.request(url, "DELETE").json["due"] == second["due"]
    assert scales(server)["Typed"]["due"] is None
    assert api.request(url, "DELETE").json["error"]["code"] == "timer-not-found"


@pytest.mark.parametrize("order", [{"after": -1}, {"after": 86401}, {"after": "60"}, {"readings": 0}, {"before": 3}])
def test_a_wait_that_makes_no_sense_is_refused(server, order):
    answer = api.request(f"{server.url}api/scales/Grey/read", "POST", order)
    assert (answer.status, answer.json["error"]["code"]) == (400, "bad-timer")
    assert api.request(f"{server.url}api/scales/None/read", "POST", {}).json["error"]["code"] == "scale-not-found"


def test_a_scale_is_read_by_one_client_at_a_time(server):
    url = f"{server.url}api/scales/Grey/read"
    assert api.request(url, "POST", {"readings": 12}).status == 202
    assert api.request(url, "POST", {}).json["error"]["code"] == "scale-busy"
    wait_for_mark(server, "Grey after 0 s")


def test_a_wait_continues_after_a_restart_and_says_if_it_was_missed(start_server):
    server = start_server(config=CONFIG)
    url = f"{server.url}api/scales"
    typed = api.request(f"{url}/Typed/read", "POST", {"after": 3600}).json
    grey = api.request(f"{url}/Grey/read", "POST", {"after": 0.5}).json
    server.stop(signal.SIGKILL)
    due = datetime.fromisoformat(grey["due"])
    wait_until(lambda: datetime.now(UTC) > due, "the time does not pass")
    server.start()
    text = wait_for_mark(server, "Grey after 0.5 s")["text"]
    assert text.endswith("it was due while Swatchcam was not running.")
    assert scales(server)["Typed"]["due"] == typed["due"]


def test_waits_for_scales_that_were_deleted_take_no_room_from_others(start_server):
    server = start_server()
    points = [{"value": value, "color": f"rgb({value} 0 0)"} for value in (50, 120, 200)]
    for number in range(12):
        url = f"{server.url}api/scales/S{number}"
        assert api.request(url, "PUT", {"points": points}).status == 201
        wait = api.request(f"{url}/read", "POST", {"after": 3600}).json
        if number < 11:
            assert api.request(url, "DELETE").status == 200
    server.restart()
    assert scales(server)["S11"]["due"] == wait["due"]


def test_the_guide_reads_the_strip_of_the_test_pattern_while_its_lamp_changes(start_server):
    server = start_server(config="[readings]\nrate = 20\n")
    guide = (program.ROOT / "docs/scales.md").read_text()
    block = next(block for block in re.findall(r"```sh\n(.*?)```", guide, re.DOTALL) if "rows" in block)
    assert "PUT http://127.0.0.1:8080/api/scales/pH" in block
    for method, path, body in re.findall(r"curl -X (\w+) http://127.0.0.1:8080/(\S+) --json '(.*?)'", block, re.DOTALL):
        assert api.request(server.url + path, method, json.loads(body)).status < 300
    found = set()
    for _ in range(4):
        scale = scales(server)["pH"]
        if scale["range"]:
            found.add(server.reading()["hex"])
            assert scale["value"] == pytest.approx(6.8, abs=0.05)
    assert len(found) > 1


def test_there_are_eight_scales_at_most(server):
    points = [{"value": value, "color": f"rgb({value} 0 0)"} for value in (50, 120, 200)]
    names = [f"S{number}" for number in range(6)]
    answers = [api.request(f"{server.url}api/scales/{name}", "PUT", {"points": points}) for name in names]
    assert [answer.status for answer in answers] == [201] * 5 + [409]
    assert answers[-1].json["error"]["code"] == "scales-full"
    for name in names[:5]:
        assert api.request(f"{server.url}api/scales/{name}", "DELETE").status == 200
