"""What Swatchcam offers at /metrics, as Prometheus reads it."""

import re

import pytest
from conftest import VIEW_TOKEN
from Harness import api
from Harness.program import ROOT
from Harness.standards import add_curve, cuvette
from Harness.waiting import wait_until


@pytest.fixture(scope="module")
def metrics_of(guarded, start_server):
    """The text of the metrics in each of two situations."""
    blind = start_server(device="usb-none")
    curved = start_server(f'[readings]\nregion = {cuvette(1)}\n[[probes]]\nname = "A1"\nregion = {cuvette(2)}\n')
    add_curve(curved)
    texts = {
        "with a colour": lambda: api.request(f"{guarded.url}metrics", token=VIEW_TOKEN).text,
        "with a standard curve": lambda: concentrations(curved),
        "without a camera": lambda: api.request(f"{blind.url}metrics").text,
    }
    return lambda situation: texts[situation]()


def concentrations(server):
    """The metrics once the noise is known, and with it the concentrations."""
    return wait_until(
        lambda: api.request(f"{server.url}metrics").text,
        "there is no concentration",
        holds=lambda text: 'swatchcam_concentration_flag{flag="extrapolated",probe="A1"}' in text,
    )


@pytest.mark.parametrize("situation", ["with a colour", "with a standard curve", "without a camera"])
def test_promtool_has_no_complaint(metrics_of, prometheus, situation):
    text = metrics_of(situation)
    assert ("swatchcam_reading_linear_ratio" in text) == (situation != "without a camera")
    check = prometheus.promtool("check", "metrics", text=text)
    assert (check.returncode, check.stdout, check.stderr) == (0, "", "")


def test_it_is_scraped_with_the_token_in_a_file_and_without_a_token_if_it_is_open(prometheus):
    for job in ("guarded", "open"):
        prometheus.wait_for(f'up{{job="{job}"}} == 1')
        state = prometheus.wait_for(f'swatchcam_camera_state{{job="{job}"}} == 1')
        assert [series["metric"]["state"] for series in state] == ["test-pattern"]


def test_the_figures_are_those_of_the_reading(prometheus, guarded):
    linear = {
        series["metric"]["channel"]: float(series["value"][1])
        for series in prometheus.wait_for('swatchcam_reading_linear_ratio{job="guarded"}')
    }
    reading = api.get_json(f"{guarded.url}api/reading", VIEW_TOKEN)
    # The lamp of the test pattern changes slowly.
    for channel in ("red", "green", "blue"):
        assert linear[channel] == pytest.approx(reading["linear"][channel[0]], abs=0.1)
    assert prometheus.values('time() - swatchcam_reading_timestamp_seconds{job="guarded"}')[0] < 10
    assert prometheus.values('process_start_time_seconds{job="guarded"}')[0] == pytest.approx(
        guarded.config.stat().st_mtime, abs=10
    )


def test_each_target_has_its_difference_whatever_its_name(prometheus, guarded):
    differences = {
        series["metric"]["target"]: float(series["value"][1])
        for series in prometheus.wait_for('swatchcam_target_delta_e{job="guarded"}')
    }
    targets = api.get_json(f"{guarded.url}api/reading", VIEW_TOKEN)["targets"]
    assert set(differences) == {'Oak, "light" \\ pale', "Grey card"} == {target["name"] for target in targets}
    for target in targets:
        assert differences[target["name"]] == pytest.approx(target["deltaE"], abs=3)


@pytest.mark.parametrize(("name", "lowest"), [("frames", 14), ("readings", 3)])
def test_the_numbers_of_frames_and_readings_rise(prometheus, name, lowest):
    rate = f'rate(swatchcam_{name}_total{{job="guarded"}}[10s])'
    wait_until(lambda: prometheus.values(rate), f"{rate} is too low", holds=lambda now: now and now[0] > lowest)


def test_scraping_reads_one_frame_and_lets_the_camera_rest_again(prometheus, open_to_all):
    """Nobody watches this server. Two Prometheus at most scrape it, once a second each."""
    rate = 'rate(swatchcam_readings_total{job="open"}[10s])'
    wait_until(lambda: prometheus.values(rate), "there is no rate", holds=bool)
    assert prometheus.values(rate)[0] < 2.5


def configuration(kind: str) -> list[str]:
    """The blocks of docs/prometheus.md that begin like this."""
    blocks = re.findall(r"```\w*\n(.*?)```", (ROOT / "docs/prometheus.md").read_text(), re.DOTALL)
    return [block for block in blocks if block.startswith(kind)]


def test_the_configuration_and_the_alerts_of_the_guide_are_valid(prometheus, tmp_path):
    (config,), (rules,) = configuration("scrape_configs:"), configuration("groups:")
    token = tmp_path / "token"
    token.write_text(VIEW_TOKEN)
    (tmp_path / "prometheus.yml").write_text(config.replace("/etc/prometheus/swatchcam-token", str(token)))
    (tmp_path / "rules.yml").write_text(rules)
    check = prometheus.promtool("check", "config", tmp_path / "prometheus.yml")
    assert check.returncode == 0, check.stdout + check.stderr
    check = prometheus.promtool("check", "rules", tmp_path / "rules.yml")
    assert check.returncode == 0 and "2 rules found" in check.stdout, check.stdout + check.stderr


def test_the_alerts_of_the_guide_fire_only_when_something_is_wrong(prometheus):
    (rules,) = configuration("groups:")
    blind, gone = re.findall("expr: (.*)", rules)
    assert prometheus.query(blind), "a test pattern is no live colour"
    assert not prometheus.query(blind.replace("live", "test-pattern"))
    assert not prometheus.query(gone.replace('"swatchcam"', '"open"'))
    assert prometheus.query(gone.replace('"swatchcam"', '"wrong"'))


def test_the_luminance_of_the_guide_is_that_of_the_reading(prometheus, guarded):
    (query,) = configuration("sum by")
    luminance = {series["metric"]["instance"]: float(series["value"][1]) for series in prometheus.query(query)}
    reading = api.get_json(f"{guarded.url}api/reading", VIEW_TOKEN)
    assert luminance[f"127.0.0.1:{guarded.port}"] == pytest.approx(reading["luminance"], abs=0.1)
