"""What `swatchcam read` does when a camera that is named cannot be used: an exit status, and a sentence."""

import os
import tempfile

import program
import pytest

NOBODY = 65534


def refused(result, status, *fragments):
    """Nothing on stdout, one line on stderr, with all of the fragments."""
    assert (result.returncode, result.stdout) == (status, ""), result.stderr
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    missing = [fragment for fragment in fragments if fragment.lower() not in lines[0].lower()]
    assert not missing, f"{missing} not in: {lines[0]}"


@pytest.mark.parametrize("device", ["/dev/video99", "no-such-camera"])
def test_a_camera_that_is_not_there(camera, tmp_path, device):
    """Another camera is there, and is not taken in its place."""
    path = program.config(tmp_path, device)
    refused(program.run("read", "--json", "--config", path), 69, device)


def test_a_file_that_is_not_a_camera(camera, tmp_path):
    path = program.config(tmp_path, "/dev/null")
    refused(program.run("read", "--json", "--config", path), 69, "/dev/null")


def test_a_camera_in_use_by_another_program(camera, tmp_path):
    stream = camera.hold()
    try:
        path = program.config(tmp_path, camera.node)
        refused(program.run("read", "--json", "--config", path), 69, camera.node)
    finally:
        stream.kill()
        stream.communicate()


def test_a_camera_that_this_user_may_not_open(camera):
    """As the owner of the checkout, without capabilities, who can read everything here but not the device."""
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
    refused(result, 77, camera.node)


@pytest.mark.parametrize("fourcc", ["H264", "NM12"], ids=["not read by Swatchcam", "not offered by the camera"])
def test_a_format_that_cannot_be_had(camera, tmp_path, fourcc):
    """The message lists what the camera offers."""
    path = program.config(tmp_path, camera.node, format=fourcc)
    refused(program.run("read", "--json", "--config", path), 69, fourcc, "YUYV", "NV12")


def test_the_camera_can_be_used_again_afterwards(camera, tmp_path):
    path = program.config(tmp_path, camera.node)
    assert program.run("read", "--json", "--config", path).returncode == 0
