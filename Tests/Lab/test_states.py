"""The exit status and the message of `swatchcam read` when a configured camera cannot be used."""

import program
import pytest


def assert_refused(result, status, *fragments):
    """Asserts that nothing is on stdout, and one line on stderr with all of the fragments."""
    assert (result.returncode, result.stdout) == (status, ""), result.stderr
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    missing = [fragment for fragment in fragments if fragment.lower() not in lines[0].lower()]
    assert not missing, f"{missing} not in: {lines[0]}"


def test_a_camera_in_use_by_another_program_is_reported(camera, tmp_path):
    stream = camera.hold()
    try:
        path = program.config(tmp_path, camera.node)
        assert_refused(program.run("read", "--json", "--config", path), 69, camera.node)
    finally:
        stream.kill()
        stream.communicate()
    assert program.run("read", "--json", "--config", path).returncode == 0, "the camera cannot be used afterwards"


@pytest.mark.parametrize("fourcc", ["H264", "NM12"], ids=["not read by Swatchcam", "not offered by the camera"])
def test_an_unavailable_format_is_refused_with_the_formats_that_are_offered(camera, tmp_path, fourcc):
    """The message lists what the camera offers."""
    path = program.config(tmp_path, camera.node, format=fourcc)
    assert_refused(program.run("read", "--json", "--config", path), 69, fourcc, "YUYV", "NV12")
