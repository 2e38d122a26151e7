"""Scales: values read from the colours of the test pattern, by all ways out."""

import csv
import io
import json

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


def test_there_are_eight_scales_at_most(server):
    points = [{"value": value, "color": f"rgb({value} 0 0)"} for value in (50, 120, 200)]
    names = [f"S{number}" for number in range(6)]
    answers = [api.request(f"{server.url}api/scales/{name}", "PUT", {"points": points}) for name in names]
    assert [answer.status for answer in answers] == [201] * 5 + [409]
    assert answers[-1].json["error"]["code"] == "scales-full"
    for name in names[:5]:
        assert api.request(f"{server.url}api/scales/{name}", "DELETE").status == 200
