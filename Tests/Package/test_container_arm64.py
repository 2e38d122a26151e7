"""The image for arm64 in the kernel of Debian 13 for arm64, which has a camera. Its root directory is that of the container."""

import json
import re

import pytest
from debian_root import execute
from Harness.program import ROOT
from oci_layout import Layout

pytestmark = pytest.mark.release


@pytest.fixture(scope="module")
def facts(tmp_path_factory, workshop) -> dict:
    """What in_arm64.py saw."""
    layout = Layout(tmp_path_factory.mktemp("oci"))
    if "arm64" not in layout.images:
        pytest.skip("not run: Scripts/build-arm64 --tarball has not been run")
    root, config = workshop / "arm64", workshop / "arm64.json"
    layout.unpack("arm64", root)
    config.write_text(json.dumps(layout.config("arm64")))
    root, config = (str(path.relative_to(ROOT)) for path in (root, config))
    files = [root, config, "Tests/Package/in_arm64.py", "Tests/Harness"]
    machine = ["Tests/Arm64/lab", "--suite", "trixie", *(word for file in files for word in ("--file", file))]
    printed = execute([*machine, "--", "python3", "Tests/Package/in_arm64.py", root, config])
    return json.loads(re.findall("^{.*}$", printed, re.MULTILINE)[-1])


def test_the_image_starts_as_a_user_of_its_own_and_is_healthy(facts):
    assert (facts["machine"], facts["user"], facts["health"]) == ("aarch64", "10080", 200)
    assert facts["program"].endswith("/bin/swatchcam")
    assert facts["state"] == "test-pattern"


def test_the_program_in_the_image_reads_the_camera(facts):
    assert re.match(r"#[0-9A-F]{6} ", facts["read"])
