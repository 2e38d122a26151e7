"""The images for containers and the add-on for Home Assistant: what is in them, and the program in a container.

`make container` makes them. Containers run in buildah's isolation by chroot, which needs neither a daemon nor a kernel with
user namespaces; their network is that of this machine.
"""

import contextlib
import json
import re
import subprocess
import tarfile
from pathlib import Path

import jsonschema
import pytest
from debian_root import execute
from Harness import api
from Harness.program import ROOT, free_port
from Harness.waiting import stretched, wait_until
from oci_layout import Layout, made
from ruamel.yaml import YAML

SCHEMA = json.loads((Path(__file__).parent / "home-assistant-addon.schema.json").read_text())


@pytest.fixture(scope="module")
def layout(tmp_path_factory) -> Layout:
    """The images, unpacked. buildah names them by the path, in which `.build` is invalid."""
    return Layout(tmp_path_factory.mktemp("oci"))


@pytest.fixture(scope="module")
def repository(workshop) -> Path:
    """The repository with the add-on."""
    folder = workshop / "repository"
    folder.mkdir()
    execute(["tar", "--extract", "--file", str(made("swatchcam-*-home-assistant.tar.gz")), "--directory", str(folder)])
    return folder


@pytest.fixture(scope="module")
def addon(repository) -> Path:
    """The folder of the add-on."""
    return repository / "swatchcam"


class Container:
    """A container of the image, with folders for /config and /data."""

    def __init__(self, layout: Layout, folder: Path):
        images = ["--root", str(folder / "images"), "--runroot", str(folder / "run"), "--storage-driver", "vfs"]
        self._buildah = ["buildah", *images]
        self._name = execute([*self._buildah, "from", "--quiet", layout.reference]).strip()
        self.config, self.data = folder / "config", folder / "data"
        self._volumes = []
        for place in (self.config, self.data):
            place.mkdir()
            self._volumes += ["--volume", f"{place}:/{place.name}"]

    def command(self, *words: str) -> list[str]:
        return [*self._buildah, "run", "--isolation", "chroot", *self._volumes, self._name, "--", *words]

    def run(self, *words: str) -> str:
        return execute(self.command(*words))

    def clear(self) -> None:
        for place in (self.config, self.data):
            for file in place.iterdir():
                file.unlink()


@pytest.fixture(scope="module")
def container(layout, workshop) -> Container:
    folder = workshop / "container"
    folder.mkdir()
    return Container(layout, folder)


@contextlib.contextmanager
def started(container: Container):
    """The address of the page of a container that has just been started."""
    port = free_port()
    options = ["--device", "test-pattern", "--port", str(port)]
    command = container.command("/usr/local/lib/swatchcam/start", *options)
    url = f"http://127.0.0.1:{port}/"

    def answers() -> bool:
        with contextlib.suppress(OSError):
            return api.request(f"{url}healthz").status == 200
        return False

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            wait_until(answers, "nothing answers")
            yield url
        finally:
            execute(["pkill", "--parent", str(process.pid), "--signal", "TERM"])
            process.terminate()


@pytest.fixture(params=["amd64", "arm64"])
def architecture(request, layout) -> str:
    """A processor for which there is an image."""
    if request.param not in layout.images:
        pytest.skip("not run: Scripts/build-arm64 --tarball has not been run")
    return request.param


def test_the_image_starts_the_service_keeps_its_state_in_data_and_names_its_port(layout, architecture):
    config = layout.config(architecture)["config"]
    assert config["Entrypoint"] == ["/usr/local/lib/swatchcam/start"]
    assert "STATE_DIRECTORY=/data" in config["Env"]
    assert set(config["ExposedPorts"]) == {"8080/tcp"}


def test_an_image_is_for_the_processor_that_the_index_names(layout, architecture):
    expected = {"architecture": architecture, "os": "linux"} | ({"variant": "v8"} if architecture == "arm64" else {})
    assert layout.images[architecture]["platform"] == expected
    config = layout.config(architecture)
    assert {key: config[key] for key in expected} == expected


def test_the_archive_names_one_index_with_all_images(layout):
    version = made("swatchcam-*-oci.tar.gz").name.split("-")[1]
    assert layout.named["mediaType"] == layout.index["mediaType"] == "application/vnd.oci.image.index.v1+json"
    assert layout.named["annotations"] == {"org.opencontainers.image.ref.name": f"swatchcam:{version}"}


def test_the_index_and_the_images_say_what_they_are(layout, architecture):
    expected = {
        "org.opencontainers.image.title": "Swatchcam",
        "org.opencontainers.image.description": "Measures the colour that a camera sees",
        "org.opencontainers.image.version": made("swatchcam-*-oci.tar.gz").name.split("-")[1],
        "org.opencontainers.image.licenses": "MIT",
    }
    assert layout.index["annotations"] == expected
    assert expected.items() <= layout.manifest(architecture)["annotations"].items()
    assert expected.items() <= layout.config(architecture)["config"]["Labels"].items()


@pytest.mark.parametrize("path", ["docs/container/compose.yaml", "docs/container/swatchcam.container"])
def test_the_files_for_starting_it_state_the_health_check_that_the_images_cannot_have(layout, path):
    """OCI's configuration of an image has no health check. The add-on has it, because Docker builds its image."""
    dockerfile = (ROOT / "Packaging/container/Containerfile").read_text()
    command = " ".join(json.loads(re.search(r"^HEALTHCHECK .* CMD (.*)$", dockerfile, re.MULTILINE)[1]))
    assert all("Healthcheck" not in layout.config(architecture)["config"] for architecture in layout.images)
    assert re.search(rf"(test: |HealthCmd=){command}$", (ROOT / path).read_text(), re.MULTILINE)


@pytest.mark.parametrize("kind", ["oci", "home-assistant"])
def test_nothing_names_the_machine_or_the_time_of_the_build(kind):
    with tarfile.open(made(f"swatchcam-*-{kind}.tar.gz")) as contents:
        members = contents.getmembers()
    assert {(member.uid, member.gid, member.uname) for member in members} == {(0, 0, "")}
    assert len({member.mtime for member in members}) == 1


def test_the_first_start_requires_a_token_of_its_own(container):
    container.clear()
    with started(container) as url:
        config = container.config / "config.toml"
        assert config.stat().st_mode & 0o777 == 0o600
        (token,) = re.findall(r'^token = "(.{43,})"$', config.read_text(), re.MULTILINE)
        assert api.request(f"{url}api/reading").status == 401
        assert api.get_json(f"{url}api/reading", token)["state"] == "test-pattern"
        api.request(f"{url}api/settings", "PUT", {"effect": "zebra"}, token=token)
        wait_until(lambda: list(container.data.iterdir()), "nothing is kept in /data")


def test_the_program_runs_as_a_user_of_its_own(container):
    container.clear()
    with started(container):
        (pid,) = execute(["pgrep", "--full", "swatchcam serve --config /config"]).split()
        status = Path(f"/proc/{pid}/status").read_text()
        assert re.search(r"^Uid:\s+10080\s+10080", status, re.MULTILINE)
        assert re.search(r"^CapEff:\s+0+$", status, re.MULTILINE)
        assert (container.config / "config.toml").stat().st_uid == 10080


def test_as_an_add_on_it_lets_the_supervisor_in_without_a_token(container):
    container.clear()
    execute(
        container.command(
            "sh", "-c", "SUPERVISOR_TOKEN=x timeout 2 /usr/local/lib/swatchcam/start --device test-pattern || true"
        )
    )
    assert 'ingress = ["172.30.32.2"]' in (container.config / "config.toml").read_text()


def test_a_configuration_that_is_there_is_kept(container):
    container.clear()
    (container.config / "config.toml").write_text('[web]\ntitle = "Mine"\n')
    with started(container) as url:
        assert api.get_json(f"{url}api/reading")["state"] == "test-pattern"
    assert (container.config / "config.toml").read_text() == '[web]\ntitle = "Mine"\n'


@pytest.mark.release
def test_a_camera_that_is_passed_in_is_read(layout):
    """In the lab, whose kernel has a camera."""
    buildah = "buildah --root /tmp/images --runroot /tmp/run --storage-driver vfs"
    make = f"container=$({buildah} from --quiet --device /dev/video0 {layout.reference})"
    read = f"{buildah} run --isolation chroot $container -- swatchcam read --device /dev/video0"
    lab = [str(ROOT / "Tests/Lab/lab"), "--timeout", str(int(stretched(200)))]
    assert re.match(r"#[0-9A-F]{6} ", execute([*lab, "--", "sh", "-c", f"{make} && {read}"]))


def test_the_image_has_what_a_broker_requires(container):
    container.clear()
    (container.config / "mqtt.toml").write_text(f'[mqtt]\nhost = "127.0.0.1"\nport = {free_port()}\n')
    done = subprocess.run(
        container.command("swatchcam", "check", "--connect", "--config", "/config/mqtt.toml"),
        check=False,
        capture_output=True,
        text=True,
    )
    assert "refuses the connection: nothing listens there" in done.stderr


def test_the_image_has_licences_but_neither_lists_of_packages_nor_what_it_was_built_from(container):
    assert container.run("find", "/opt", "/var/lib/apt/lists", "/var/log", "-type", "f", "-size", "+0") == ""
    assert "copyright" in container.run("find", "/usr/share/doc/libmosquitto1")
    assert "GNU" in container.run("cat", "/usr/share/doc/bash/copyright")


def test_the_configuration_of_the_add_on_is_as_the_supervisor_documents(addon):
    config = YAML(typ="safe").load((addon / "config.yaml").read_text())
    jsonschema.validate(config, SCHEMA)
    assert config["version"] == made("swatchcam-*-oci.tar.gz").name.split("-")[1]
    # What its Dockerfile keeps in volumes is where the Supervisor keeps it.
    assert config["map"] == [{"type": "app_config", "read_only": False}]
    # Nothing outside Home Assistant reaches it, until the user gives it a port.
    assert config["ingress"] and config["ports"] == {"8080/tcp": None} and "webui" not in config


def test_the_add_on_is_built_from_its_own_folder(addon):
    names = {path.name for path in addon.iterdir()}
    assert {"Dockerfile", "DOCS.md", "config.yaml", "start"} <= names
    assert any(re.fullmatch(r"swatchcam-.*-linux-amd64\.tar\.gz", name) for name in names)
    assert (addon / "Dockerfile").read_text() == (ROOT / "Packaging/container/Containerfile").read_text()


def test_the_repository_of_the_add_on_has_a_name_and_a_maintainer(repository):
    """The Supervisor requires a name, and knows a URL and a maintainer."""
    described = YAML(typ="safe").load((repository / "repository.yaml").read_text())
    control = (ROOT / "Packaging/debian/control").read_text()
    assert described["name"] == "Swatchcam"
    assert f"Maintainer: {described['maintainer']}\n" in control
    assert {path.name for path in repository.iterdir()} == {"repository.yaml", "swatchcam"}
