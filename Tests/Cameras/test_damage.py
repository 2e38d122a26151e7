"""Frames that are damaged, and frames that only look so."""

import pytest
from Harness import api
from Harness.waiting import wait_until
from pictures import doubled, jpeg, mean, scene, torn, with_strays

FRAME = jpeg(scene(1), restart_marker_rows=1)
PLAIN = jpeg(scene(1))


@pytest.mark.parametrize("stray", [b"\0", b"\xa5\x17\x02\x40", bytes(range(1, 17)), bytes(400)], ids=len)
@pytest.mark.parametrize("kind", ["segment", "restart", "end"])
def test_a_frame_with_stray_bytes_before_markers_is_read_in_its_colour(play, serve, kind, stray):
    frame = with_strays(FRAME, stray, kind)
    server = serve(play([frame]))
    reading = server.wait_for_state("live")
    assert [reading["mean"][c] for c in "rgb"] == pytest.approx(mean(FRAME), abs=1)
    assert api.get_json(f"{server.url}api/cameras")["faults"] == []


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param(doubled(PLAIN), id="a packet that arrived twice"),
        pytest.param(doubled(PLAIN, 188), id="a small packet that arrived twice"),
        pytest.param(torn(PLAIN, jpeg(scene(2))), id="the end of another frame"),
        pytest.param(with_strays(doubled(PLAIN), b"\0", "segment"), id="a stray byte, and a packet that arrived twice"),
        pytest.param(PLAIN[: len(PLAIN) // 2], id="cut off"),
    ],
)
def test_a_damaged_frame_is_dropped_and_counted_and_the_colour_stays(play, serve, frame):
    camera = play([PLAIN])
    server = serve(camera)
    server.wait_for_state("live")
    camera.play([frame, PLAIN])
    reading = wait_until(server.reading, "no frame is dropped", holds=lambda reading: reading["dropped"] > 5)
    assert reading["state"] == "live"
    assert [reading["mean"][c] for c in "rgb"] == pytest.approx(mean(PLAIN), abs=1)
