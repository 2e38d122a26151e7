"""Raw pictures straight from a sensor, played by vimc with the sensor of model_sensor.h.

Above its pedestal of 4096 at 16 bits, the code values of red, green and blue at 12 bits are 4, 8 and 2 times the
exposure, times the gain, which is 1 at 16. Its right half is black. The link to its raw node is off at first. Sensor B
is behind a receiver, as on a Raspberry Pi 5.
"""

import json
import os
import subprocess

import program
import pytest

pytestmark = pytest.mark.skipif("SWATCHCAM_LAB" not in os.environ, reason="needs vimc, which only the lab loads")

SENSOR = "/dev/v4l-subdev0"
SENSOR_BEHIND_RECEIVER = "/dev/v4l-subdev1"
LIGHT = {"r": 4, "g": 8, "b": 2}
WHITE = 4095 - 256


@pytest.fixture(scope="module", autouse=True)
def registered():
    """In place of the module that test_camera_module.py reads. The driver makes the node of the media graph last."""
    module = program.ROOT / ".build/lab/modules/model-sensor.ko"
    # On arm64 it is loaded already.
    if module.exists():
        subprocess.run(["rmmod", "vimc"], check=True)
        subprocess.run(["insmod", module], check=True)
    program.wait_until(lambda: os.path.exists("/dev/media0"), "there is no /dev/media0")


def set_controls(sensor=SENSOR, **values):
    settings = ",".join(f"{name}={value}" for name, value in values.items())
    subprocess.run(["v4l2-ctl", "-d", sensor, f"--set-ctrl={settings}"], check=True)


def config(tmp_path, region="[0, 0, 0.5, 1]", device="Sensor A", **camera):
    path = program.config(tmp_path, device, black_level=4096, width=64, height=48, **camera)
    text = path.read_text().replace("[readings]\n", f"[readings]\nregion = {region}\n")
    path.write_text(text)
    return path


def read(path):
    command = [*program.PROGRAM, "read", "--json", "--config", str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=program.patience())
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def links():
    graph = subprocess.run(["media-ctl", "-d", "/dev/media0", "-p"], capture_output=True, text=True, check=True)
    return [line.strip() for line in graph.stdout.splitlines() if "->" in line]


def test_a_sensor_is_listed_beside_the_nodes_that_capture_its_pictures():
    result = subprocess.run([*program.PROGRAM, "cameras", "--json"], capture_output=True, text=True, check=True)
    cameras = {camera["name"]: camera for camera in json.loads(result.stdout)}
    assert cameras["Sensor A"]["device"] == SENSOR
    names = {control["name"] for control in cameras["Sensor A"]["controls"]}
    assert {"exposure", "analogue_gain", "test_pattern"} <= names
    assert {"pRAA", "RG12"} <= {pixels["fourcc"] for pixels in cameras["Sensor A"]["formats"]}


def test_a_report_describes_nodes_and_graph():
    result = subprocess.run([*program.PROGRAM, "cameras", "--report"], capture_output=True, text=True, check=True)
    lines = result.stdout.splitlines()
    assert lines[0].startswith("swatchcam ")
    assert lines[1].startswith("kernel 6.")
    assert any(line.startswith("/dev/video0 vimc: vimc, platform:vimc, flags ") for line in lines)
    assert "/dev/media0 vimc, platform:vimc" in lines
    assert "  entity Sensor A, function 20001, /dev/v4l-subdev0" in lines
    assert any(line.startswith("    link 0 -> Raw Capture 0 0, ") for line in lines)
    assert any(line.startswith("    pad 0: bus format ") for line in lines)


@pytest.mark.parametrize("pixels", program.sampled(("auto", "pBAA", "pgAA", "BG12", "GB12"), {"auto", "pgAA"}))
def test_light_is_proportional_to_exposure_and_gain(tmp_path, pixels):
    path = config(tmp_path, format=pixels)
    for exposure, gain in ((20, 16), (40, 64), (440, 16)):
        set_controls(exposure=exposure, analogue_gain=gain)
        linear = read(path)["linear"]
        # Packed formats have 10 bits, whose white is 1023.
        white = WHITE if pixels in ("auto", "BG12", "GB12", "BA12", "RG12") else 4 * (1023 - 64)
        for channel, light in LIGHT.items():
            assert linear[channel] == pytest.approx(light * exposure * gain / 16 / white, rel=0.001)


def test_the_most_accurate_format_is_chosen(tmp_path):
    assert read(config(tmp_path))["frame"]["format"] == "RG12"


def test_black_is_0(tmp_path):
    reading = read(config(tmp_path, region="[0.5, 0, 0.5, 1]"))
    assert reading["hex"] == "#000000"
    assert reading["linear"] == {"r": 0, "g": 0, "b": 0}


def test_the_gains_of_a_grey_card_make_it_grey(tmp_path):
    set_controls(exposure=40, analogue_gain=16)
    linear = read(config(tmp_path, white_gains=[2, 1, 4]))["linear"]
    assert linear["r"] == pytest.approx(linear["g"], rel=0.001)
    assert linear["b"] == pytest.approx(linear["g"], rel=0.001)


def test_a_reading_says_that_its_colours_are_those_of_the_sensor(tmp_path):
    port = program.free_port()
    with program.serving(config(tmp_path, port=port), port):
        reading = program.wait_until(
            lambda: program.get(f"http://127.0.0.1:{port}/api/reading"),
            "no notice says so",
            holds=lambda reading: any("camera RGB" in notice["message"] for notice in reading["notices"]),
        )
    assert reading["frame"]["colorimetry"] == "camera RGB, linear, black at 6.25 %"


def test_a_link_that_is_off_is_enabled_and_other_links_are_as_before(tmp_path):
    before = links()
    read(config(tmp_path, format="BG12"))
    assert '-> "Raw Capture 0":0 [ENABLED]' in links()
    assert [line for line in links() if "Raw Capture 0" not in line] == [
        line for line in before if "Raw Capture 0" not in line
    ]


@pytest.mark.parametrize(("pixels", "white"), [("auto", WHITE), ("pBAA", 4 * (1023 - 64))])
def test_a_sensor_behind_a_receiver_is_read(tmp_path, pixels, white):
    path = config(tmp_path, device="Sensor B", format=pixels)
    for exposure in (20, 440):
        set_controls(SENSOR_BEHIND_RECEIVER, exposure=exposure)
        linear = read(path)["linear"]
        for channel, light in LIGHT.items():
            assert linear[channel] == pytest.approx(light * exposure / white, rel=0.001)
    dark = read(config(tmp_path, device="Sensor B", format=pixels, region="[0.5, 0, 0.5, 1]"))
    assert dark["linear"] == {"r": 0, "g": 0, "b": 0}


def test_only_the_link_from_the_receiver_to_the_node_that_captures_is_enabled(tmp_path):
    subprocess.run(["media-ctl", "-d", "/dev/media0", "-l", '"csi2":1 -> "Raw Capture 1":0 [0]'], check=True)
    before = links()
    read(config(tmp_path, device="Sensor B"))
    after = links()
    assert '-> "Raw Capture 1":0 [ENABLED]' not in before
    assert '-> "Raw Capture 1":0 [ENABLED]' in after
    assert [line for line in after if "Raw Capture 1" not in line] == [
        line for line in before if "Raw Capture 1" not in line
    ]


def test_the_controls_of_the_sensor_are_set_through_the_api(tmp_path):
    port = program.free_port()
    url = f"http://127.0.0.1:{port}"
    set_controls(exposure=40, analogue_gain=16)
    with program.serving(config(tmp_path, port=port), port):
        answer = program.request(f"{url}/api/controls/exposure", "PUT", {"value": 80})
        assert answer.status == 200
        program.wait_until(
            lambda: program.get(f"{url}/api/reading")["linear"],
            "the exposure has no effect",
            holds=lambda linear: linear["g"] == pytest.approx(8 * 80 / WHITE, rel=0.001),
        )
        set_controls(exposure=20)
        program.wait_until(
            lambda: program.get(f"{url}/api/controls")["controls"],
            "another program's change is not seen",
            holds=lambda controls: any(c["name"] == "exposure" and c["value"] == 20 for c in controls),
        )


def test_a_sensor_in_use_by_another_program_is_reported(tmp_path):
    port = program.free_port()
    with program.serving(config(tmp_path, port=port, format="BG12"), port):
        command = [*program.PROGRAM, "read", "--device", "Sensor A"]
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=program.patience())
    assert result.returncode == 69
    assert "busy" in result.stderr


@pytest.mark.parametrize(("exposure", "gain"), [(20, 16), (1000, 256)])
def test_the_exposure_is_set_to_80_percent_with_the_lowest_gain(tmp_path, exposure, gain):
    port = program.free_port()
    url = f"http://127.0.0.1:{port}"
    set_controls(exposure=exposure, analogue_gain=gain)
    with program.serving(config(tmp_path, port=port), port):
        assert program.request(f"{url}/api/controls/exposure", "POST", {}).status == 202
        outcome = program.wait_until(
            lambda: program.get(f"{url}/api/controls")["exposure"],
            "the exposure is not set",
            holds=lambda exposure: exposure["phase"] != "setting",
        )
        assert outcome["phase"] == "set", outcome
        values = {control["name"]: control["value"] for control in outcome["values"]}
        linear = program.get(f"{url}/api/reading")["linear"]
    assert values["analogue_gain"] == 16
    assert linear["g"] == pytest.approx(0.8, abs=0.03)
    assert 8 * values["exposure"] / WHITE == pytest.approx(0.8, abs=0.03)
