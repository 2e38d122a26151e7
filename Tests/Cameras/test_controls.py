"""Controls that a camera refuses to set, or describes wrongly."""

import errno

from Harness import api
from Harness.waiting import wait_until
from pictures import jpeg

GOOD = jpeg((62, 167, 214))
# V4L2_CID_AUTO_WHITE_BALANCE, a boolean; V4L2_CID_EXPOSURE_AUTO, a menu.
AUTOMATIC = "control 0x0098090c 2 0 1 1 1 0 White Balance, Automatic"


def test_a_camera_that_refuses_to_be_locked_is_not_called_locked(play, serve):
    """crowsnest#339: a control that refuses every value (ERANGE)."""
    refusals = [f"refuse {name} {errno.ERANGE}" for name in ("S_CTRL", "S_EXT_CTRLS")]
    server = serve(play([GOOD], extra=[AUTOMATIC, *refusals]))
    server.wait_for_state("live")
    api.request(f"{server.url}api/controls/lock", "POST", {})
    reading = wait_until(
        server.reading, "there is no notice", holds=lambda reading: "were locked" in str(reading["notices"])
    )
    assert "Not all controls were locked: white_balance_automatic" in str(reading["notices"])
    assert api.get_json(f"{server.url}api/controls")["lock"] is None
    assert "automatic controls are locked" not in server.logged()


def test_a_menu_without_choices_has_none(play, serve):
    server = serve(play([GOOD], extra=["control 0x00980918 3 0 1 1 0 0 Power Line"]))
    server.wait_for_state("live")
    refusal = api.request(f"{server.url}api/controls/power_line", "PUT", {"value": 1})
    assert "has no choices" in refusal.text
