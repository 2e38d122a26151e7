"""The files in docs/container, in a Debian 13 with its Podman and podman-compose, under systemd and with a camera."""

import json
import re

import pytest
from debian_root import execute
from oci_layout import made

PACKAGES = "podman,podman-compose,netavark,aardvark-dns,nftables,crun,dbus"
# Images and containers are in memory, because no overlay can be on top of the guest's own.
SETUP = "mkdir --parents /var/lib/containers && mount -t tmpfs containers /var/lib/containers"

pytestmark = pytest.mark.release


@pytest.fixture(scope="module")
def facts() -> dict:
    """What in_podman.py saw."""
    archive = made("swatchcam-*-oci.tar.gz")
    root = execute(["Tests/Lab/systemd-root", "--suite=trixie", f"--include={PACKAGES}"]).strip()
    machine = ["Tests/Lab/lab", "--root", root, "--mem", "4G", "--silence", "200", "--setup", SETUP]
    command = ["env", "PYTHONDONTWRITEBYTECODE=1", "python3", "Tests/Package/in_podman.py", str(archive)]
    return json.loads(execute([*machine, "--", *command]).splitlines()[-1])


@pytest.fixture(params=["unit", "compose"])
def container(request, facts) -> dict:
    """One that systemd's unit or podman-compose started."""
    return facts[request.param]


def test_podman_loads_the_image_for_the_processor_under_its_name(facts):
    version = made("swatchcam-*-oci.tar.gz").name.split("-")[1]
    assert facts["loaded"] == f"Loaded image: localhost/swatchcam:{version}"
    assert facts["architecture"] == "amd64"


def test_the_service_is_healthy_and_reads_the_camera(container):
    assert container["first"]["health"] == 200
    reading = container["first"]["reading"]
    assert reading["state"] == "live"
    assert re.fullmatch("#[0-9A-F]{6}", reading["hex"])


def test_only_this_machine_reaches_it_and_only_with_the_token(container):
    assert container["first"]["listens"] == "8080/tcp -> 127.0.0.1:8080"
    assert container["first"]["without token"] == 401


def test_podman_checks_its_health(container):
    command = " ".join(container["first"]["checked"]["Test"])
    assert "swatchcam status --config /config/config.toml" in command
    assert container["first"]["check"]


def test_a_new_container_has_the_token_and_the_settings_of_the_removed_one(container):
    assert container["removed"]
    assert container["second"]["token"] == container["first"]["token"]
    assert (container["first"]["effect"], container["second"]["effect"]) == ("none", "zebra")
