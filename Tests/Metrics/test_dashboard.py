"""The dashboard for Grafana. Grafana itself is in no Debian, so this asks Prometheus each of its queries."""

import json
import re

import pytest
from Harness.program import ROOT
from Harness.waiting import wait_until

FILE = ROOT / "Resources/grafana/swatchcam.json"
BOARD = json.loads(FILE.read_text())
PANELS = BOARD["panels"]
VARIABLES = {variable["name"]: variable for variable in BOARD["templating"]["list"]}
QUERIES = [(panel["title"], target["expr"]) for panel in PANELS for target in panel["targets"]]


def test_it_belongs_to_no_grafana_yet():
    """An id or a chosen value would be that of the Grafana in which the dashboard was made."""
    assert BOARD["id"] is None
    assert BOARD["uid"] == "swatchcam"
    assert VARIABLES["datasource"]["current"] == {}


def test_every_panel_and_query_uses_the_data_source_that_is_chosen_at_the_top():
    assert VARIABLES["datasource"]["type"] == "datasource"
    chosen = {"type": "prometheus", "uid": "${datasource}"}
    assert all(panel["datasource"] == chosen for panel in PANELS)
    assert all(target["datasource"] == chosen for panel in PANELS for target in panel["targets"])
    assert VARIABLES["instance"]["datasource"] == chosen


def test_no_two_panels_overlap_or_share_an_id():
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)
    cells = []
    for panel in PANELS:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        cells += [
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        ]
    assert len(set(cells)) == len(cells)


def test_every_query_names_its_series_by_labels_that_they_have():
    for panel in PANELS:
        for target in panel["targets"]:
            assert "{{instance}}" in target["legendFormat"] or panel["type"] == "table"


@pytest.mark.parametrize(("title", "expression"), QUERIES)
def test_every_query_returns_data(prometheus, title, expression):
    name, label = re.fullmatch(r"label_values\((\w+), (\w+)\)", VARIABLES["instance"]["query"]["query"]).groups()
    instances = wait_until(
        lambda: prometheus.ask(f"label/{label}/values", **{"match[]": name}),
        "the variable does not offer both servers",
        holds=lambda found: len(found) == 2,
    )
    chosen = "|".join(re.escape(instance).replace("\\", "\\\\") for instance in instances)
    filled = expression.replace("$__rate_interval", "1m").replace("$instance", chosen)
    assert "$" not in filled
    series = prometheus.wait_for(filled)
    assert {one["metric"]["instance"] for one in series} <= set(instances), title
