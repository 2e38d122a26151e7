"""Requests that a driver refuses although its frames can be read."""

import errno

import pytest
from Harness.waiting import wait_until
from pictures import jpeg


@pytest.mark.parametrize(
    "code", [errno.EINVAL, errno.EIO, errno.EPROTO, errno.ENOTTY, errno.EBUSY], ids=errno.errorcode.get
)
def test_a_camera_that_refuses_a_frame_rate_is_read_at_its_own(play, serve, code):
    server = serve(play([jpeg((62, 167, 214))], rate=10, extra=[f"refuse S_PARM {code}"]))
    reading = wait_until(server.reading, "there is no notice", holds=lambda reading: reading["notices"])
    assert (reading["state"], reading["hex"]) == ("live", "#3EA7D6")
    assert "the camera delivers 10 frames/s" in str(reading["notices"])


@pytest.mark.parametrize("request_name", ["G_PARM", "G_INPUT", "ENUM_FRAMESIZES", "QUERY_EXT_CTRL"])
def test_a_camera_that_lacks_a_request_is_read(play, serve, request_name):
    server = serve(play([jpeg((62, 167, 214))], extra=[f"refuse {request_name} {errno.ENOTTY}"]))
    assert server.wait_for_state("live")["hex"] == "#3EA7D6"
