"""The commands of docs/service.md, as they stand there."""

import pathlib
import subprocess

import pytest
import service
from Harness import api, waiting

GUIDE = pathlib.Path("docs/service.md")
SECOND = "swatchcam-second.service"


def follow(beginning):
    """Runs the block of the guide that begins like this, as root, who needs no sudo."""
    blocks = [block for block in GUIDE.read_text().split("```sh\n")[1:] if block.startswith(beginning)]
    assert len(blocks) == 1, f"{len(blocks)} blocks begin with {beginning}"
    script = f'set -eu\nsudo() {{ "$@"; }}\n{blocks[0].partition("```")[0]}'
    subprocess.run(["bash", "-c", script], check=True, timeout=waiting.stretched(60))


@pytest.fixture
def enabled_again():
    yield
    service.systemctl("enable", "--now", service.UNIT)


@pytest.mark.usefixtures("enabled_again")
def test_the_service_is_stopped_for_good():
    follow("sudo systemctl disable --now swatchcam")
    assert (service.show("ActiveState"), service.show("UnitFileState")) == ("inactive", "disabled")


def test_a_reset_deletes_what_was_kept():
    assert service.request("/api/samples", "POST", {"readings": 1})[0] == 201
    pid = service.main_pid()
    follow("sudo systemctl stop swatchcam")
    service.wait_until_live(but_not=pid)
    assert service.request("/api/samples")[1]["samples"] == []


@pytest.fixture
def second():
    configuration = pathlib.Path("/etc/swatchcam/second.toml")
    configuration.write_text('[camera]\ndevice = "none-such"\n\n[web]\nport = 8081\ntitle = "Second"\n')
    configuration.chmod(0o640)
    yield
    service.systemctl("disable", "--now", SECOND, check=False)
    pathlib.Path("/etc/systemd/system", SECOND).unlink()
    service.systemctl("daemon-reload")
    configuration.unlink()


@pytest.mark.release
@pytest.mark.usefixtures("second")
def test_a_second_service_has_a_port_a_title_and_a_state_folder_of_its_own():
    follow("sed -e 's/config.toml/second.toml/'")
    follow("sudo chgrp swatchcam /etc/swatchcam/second.toml")

    def page():
        try:
            return api.request("http://127.0.0.1:8081/").text
        except OSError:
            return ""

    assert "Second</title>" in service.wait_until(page, f"no answer: {service.show('Result', SECOND)}")
    assert (service.STATE.parent / "swatchcam-second").is_dir()
    assert service.reading("live")
