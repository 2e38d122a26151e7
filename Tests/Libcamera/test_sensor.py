"""The sandboxed service with a sensor that is read raw, as docs/cameras.md describes it."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1] / "Service"))

import service

OVERRIDE = pathlib.Path("/etc/systemd/system/swatchcam.service.d/zz-override.conf")


def test_without_the_drop_in_the_reading_says_what_the_service_lacks():
    OVERRIDE.write_text("[Service]\nDeviceAllow=\nDeviceAllow=char-video4linux rw\n")
    try:
        service.CONFIG.write_text('[camera]\ndevice = "/dev/v4l-subdev0"\n')
        service.systemctl("daemon-reload")
        service.systemctl("restart", service.UNIT)
        reading = service.wait_for_state("denied")
        assert "DeviceAllow=char-media" in reading["message"]
    finally:
        OVERRIDE.unlink()
        service.systemctl("daemon-reload")


def test_the_sensor_is_read_raw():
    service.CONFIG.write_text('[camera]\ndevice = "Sensor A"\nwidth = 320\nheight = 240\nblack_level = 4096\n')
    service.systemctl("restart", service.UNIT)
    service.wait_until_live()
    reading = service.request("/api/reading")[1]
    assert reading["camera"]["device"] == "/dev/v4l-subdev0"
    assert reading["frame"]["colorimetry"].startswith("camera RGB, linear")


def test_its_controls_are_those_of_the_sensor():
    service.wait_until_live()
    controls = service.request("/api/controls")[1]["controls"]
    assert {"exposure", "analogue_gain"} <= {control["name"] for control in controls}
