"""The archive with the images for containers, in OCI's layout."""

import json
import os
import shutil
from pathlib import Path

import pytest
from debian_root import execute
from Harness.program import ROOT

FOLDER = ROOT / ".build/container"


def made(pattern: str) -> Path:
    """What `make container` has made last."""
    if os.geteuid() != 0 or not shutil.which("buildah"):
        pytest.skip("not run: this needs root and buildah")
    found = list(FOLDER.glob(pattern))
    assert len(found) == 1, "there is no image: make container"
    return found[0]


class Layout:
    """The archive, unpacked into a folder."""

    def __init__(self, folder: Path):
        execute(["tar", "--extract", "--file", str(made("swatchcam-*-oci.tar.gz")), "--directory", str(folder)])
        self.folder = folder
        (self.named,) = json.loads((folder / "index.json").read_text())["manifests"]
        self.index = self.document(self.named)
        self.images = {image["platform"]["architecture"]: image for image in self.index["manifests"]}

    @property
    def reference(self) -> str:
        """The images as buildah names them."""
        return f"oci:{self.folder}:{self.named['annotations']['org.opencontainers.image.ref.name']}"

    def file(self, descriptor: dict) -> Path:
        return self.folder / "blobs" / descriptor["digest"].replace(":", "/")

    def document(self, descriptor: dict) -> dict:
        return json.loads(self.file(descriptor).read_text())

    def manifest(self, architecture: str) -> dict:
        return self.document(self.images[architecture])

    def config(self, architecture: str) -> dict:
        return self.document(self.manifest(architecture)["config"])

    def unpack(self, architecture: str, root: Path) -> None:
        """The root directory of a container of the image."""
        root.mkdir()
        (layer,) = self.manifest(architecture)["layers"]
        execute(["tar", "--extract", "--numeric-owner", "--file", str(self.file(layer)), "--directory", str(root)])
