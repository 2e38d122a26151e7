"""What a control that is switched while the program runs does to the noise and to the settling of the colour."""

import os

import program
import pytest
import recorder

pytestmark = pytest.mark.skipif(
    "SWATCHCAM_LAB" not in os.environ, reason="switches automatic controls: only in the lab"
)


def flags(reading):
    return {flag["code"]: flag["value"] for flag in reading["quality"]["flags"]}


@pytest.fixture(scope="module")
def still(camera, tmp_path_factory):
    """The recorder of a program on a still pattern, of which all tests have a part: only its controls disturb it."""
    camera.reset_picture()
    # Colour bars of 75 %, so that no channel is clipped.
    camera.set(gain_automatic=0, test_pattern=0)
    port = program.free_port()
    path = program.config(
        tmp_path_factory.mktemp("still"), camera.node, port=port, width=320, height=180, format="YUYV", fps=5
    )
    with recorder.serving(path, port) as (_, record):
        yield record
    camera.reset_picture()
    camera.set(gain_automatic=1, menu=3)


@pytest.fixture
def settled(camera, still):
    """This recorder, once the colour has settled and no automatic control is on."""
    camera.set(gain_automatic=0)
    still.wait(
        lambda reading: reading["settled"] and "automatic" not in flags(reading), still.mark(), what="settled reading"
    )
    return still


def test_switching_an_automatic_control_unsettles_the_colour_until_it_settles_again(camera, settled):
    mark = settled.mark()
    camera.set(gain_automatic=1)
    unsettled = settled.wait(lambda reading: reading["settled"] is None, mark, what="unsettled reading")
    settled.wait(
        lambda reading: reading["settled"] is True and reading["sequence"] > unsettled["sequence"],
        mark,
        what="settled reading",
    )


def test_the_flag_of_an_automatic_control_ends_when_it_is_switched_off(camera, settled):
    mark = settled.mark()
    camera.set(gain_automatic=1)
    flagged = settled.wait(lambda reading: "automatic" in flags(reading), mark, what="flag")
    assert flags(flagged)["automatic"] == 1
    mark = settled.mark()
    camera.set(gain_automatic=0)
    settled.wait(lambda reading: "automatic" not in flags(reading), mark, what="reading without the flag")


def test_a_changed_control_starts_the_measurement_of_noise_again(camera, settled):
    mark = settled.mark()
    camera.set(menu=1)
    first = settled.wait(lambda reading: reading["noise"] is None, mark, what="reading without noise")
    again = settled.wait(
        lambda reading: reading["noise"] is not None and reading["sequence"] > first["sequence"],
        mark,
        what="noise",
    )
    # Seven readings of new frames have none. A slow machine may repeat some, which adds to their number.
    assert again["sequence"] - first["sequence"] >= 7
    assert again["noise"] == {"r": 0, "g": 0, "b": 0, "deltaE": 0}
