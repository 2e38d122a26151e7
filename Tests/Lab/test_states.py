"""The exit status and the message of `swatchcam read` when a configured camera cannot be used."""

import os
import tempfile

import program
import pytest

NOBODY = 65534


def assert_refused(result, status, *fragments):
    """Asserts that nothing is on stdout, and one line on stderr with all of the fragments."""
    assert (result.returncode, result.stdout) == (status, ""), result.stderr
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    missing = [fragment for fragment in fragments if fragment.lower() not in lines[0].lower()]
    assert not missing, f"{missing} not in: {lines[0]}"


@pytest.mark.parametrize("device", ["/dev/video99", "no-such-camera"])
def test_a_missing_camera_is_reported(camera, tmp_path, device):
    """Another camera is connected, and does not take its place."""
    path = program.config(tmp_path, device)
    assert_refused(program.run("read", "--json", "--config", path), 69, device)


def test_a_file_that_is_not_a_camera_is_refused(camera, tmp_path):
    path = program.config(tmp_path, "/dev/null")
    assert_refused(program.run("read", "--json", "--config", path), 69, "/dev/null")


def test_a_camera_in_use_by_another_program_is_reported(camera, tmp_path):
    stream = camera.hold()
    try:
        path = program.config(tmp_path, camera.node)
        assert_refused(program.run("read", "--json", "--config", path), 69, camera.node)
    finally:
        stream.kill()
        stream.communicate()
    assert program.run("read", "--json", "--config", path).returncode == 0, "the camera cannot be used afterwards"


def test_a_camera_that_the_user_may_not_open_is_reported(camera):
    """The program runs as the owner of the checkout without capabilities, and can read everything but the device."""
    if os.geteuid() != 0:
        pytest.skip("only root can change the device's owner")
    owner = program.ROOT.stat()
    before = os.stat(camera.node)
    with tempfile.TemporaryDirectory() as directory:
        path = program.config(directory, camera.node)
        os.chown(directory, owner.st_uid, owner.st_gid)
        os.chown(path, owner.st_uid, owner.st_gid)
        os.chown(camera.node, NOBODY, NOBODY)
        os.chmod(camera.node, 0o600)
        try:
            result = program.run(
                "read",
                "--json",
                "--config",
                path,
                prefix=[
                    "setpriv",
                    f"--reuid={owner.st_uid}",
                    f"--regid={owner.st_gid}",
                    "--clear-groups",
                    "--inh-caps=-all",
                    "--bounding-set=-all",
                ],
            )
        finally:
            os.chown(camera.node, before.st_uid, before.st_gid)
            os.chmod(camera.node, before.st_mode & 0o7777)
    assert_refused(result, 77, camera.node)


@pytest.mark.parametrize("fourcc", ["H264", "NM12"], ids=["not read by Swatchcam", "not offered by the camera"])
def test_an_unavailable_format_is_refused_with_the_formats_that_are_offered(camera, tmp_path, fourcc):
    """The message lists what the camera offers."""
    path = program.config(tmp_path, camera.node, format=fourcc)
    assert_refused(program.run("read", "--json", "--config", path), 69, fourcc, "YUYV", "NV12")
