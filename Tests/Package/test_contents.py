"""The package as a file."""

import re
import stat
import subprocess

from debian_root import execute
from Harness.program import ROOT


def field(package, name):
    return execute(["dpkg-deb", "--field", str(package), name]).strip()


def test_lintian_finds_no_fault_with_the_package(package):
    changes = next(package.parent.glob("*.changes"))
    command = ["lintian", "--allow-root", "--tag-display-limit=0", str(package), str(changes)]
    said = subprocess.run(command, check=False, capture_output=True, text=True)
    assert said.stdout + said.stderr == ""


def test_the_package_has_the_version_of_the_program(package, unpacked):
    assert field(package, "Version") == execute([str(unpacked / "usr/bin/swatchcam"), "--version"]).strip()


def test_the_package_depends_on_seven_others(package):
    """Every dependency takes memory on a small computer."""
    depends = [re.sub(r" \(.*", "", name) for name in field(package, "Depends").split(", ")]
    users = "systemd | systemd-standalone-sysusers | systemd-sysusers"
    assert sorted(depends) == [
        "libc6",
        "libexpat1",
        "libgcc-s1",
        "libjpeg62-turbo",
        "libstdc++6",
        "libturbojpeg0",
        users,
        "zlib1g",
    ]


def test_the_package_recommends_what_a_broker_requires(package):
    assert field(package, "Recommends") == "libcurl4, libmosquitto1, libqrencode4"


def test_the_package_contains_these_files_and_no_others(unpacked):
    files = {str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if not path.is_dir()}
    folders = {
        "docs/*.md": "usr/share/doc/swatchcam",
        "docs/*.svg": "usr/share/doc/swatchcam",
        "docs/container/*": "usr/share/doc/swatchcam/examples",
        "docs/proxies/*": "usr/share/doc/swatchcam/examples",
        "Resources/grafana/*": "usr/share/swatchcam/grafana",
        "Resources/home-assistant/*": "usr/share/swatchcam/home-assistant",
    }
    documents = {f"{folder}/{path.name}" for pattern, folder in folders.items() for path in ROOT.glob(pattern)}
    assert {name for name in files if not name.startswith(("DEBIAN/", "usr/share/swatchcam/kiosk/"))} == documents | {
        "etc/swatchcam/config.toml",
        "lib/systemd/system/swatchcam.service",
        "usr/bin/swatchcam",
        "usr/bin/swatchcam-kiosk",
        "usr/lib/sysusers.d/swatchcam.conf",
        "usr/share/bash-completion/completions/swatchcam",
        "usr/share/doc/swatchcam/NOTICE",
        "usr/share/doc/swatchcam/changelog.gz",
        "usr/share/doc/swatchcam/copyright",
        "usr/share/doc/swatchcam/examples/avahi-swatchcam.service",
        "usr/share/fish/vendor_completions.d/swatchcam.fish",
        "usr/share/man/man1/swatchcam-kiosk.1.gz",
        "usr/share/man/man1/swatchcam.1.gz",
        "usr/share/man/man5/swatchcam.toml.5.gz",
        "usr/share/swatchcam/systemd/60-swatchcam-dma-heap.rules",
        "usr/share/swatchcam/systemd/backoff.conf",
        "usr/share/swatchcam/systemd/libcamera.conf",
        "usr/share/swatchcam/systemd/rpicam.conf",
        "usr/share/swatchcam/systemd/sensor.conf",
        "usr/share/swatchcam/systemd/swatchcam-feed.modprobe.conf",
        "usr/share/swatchcam/systemd/swatchcam-feed.service",
        "usr/share/zsh/vendor-completions/_swatchcam",
    }


def test_the_package_contains_all_files_of_the_kiosk(unpacked):
    source, packed = ROOT / "Packaging/kiosk", unpacked / "usr/share/swatchcam/kiosk"
    files = {path.relative_to(source) for path in source.rglob("*") if path.is_file()}
    assert {path.relative_to(packed) for path in packed.rglob("*") if path.is_file()} == files


def test_every_file_belongs_to_root_and_only_root_may_write_it(package):
    entries = execute(["dpkg-deb", "--contents", str(package)]).splitlines()
    wrong = [entry for entry in entries if not re.match(r"(-rw-r--r--|[-d]rwxr-xr-x|lrwxrwxrwx) root/root ", entry)]
    assert not wrong


def test_only_the_two_programs_are_executable(unpacked):
    files = [path for path in unpacked.rglob("*") if path.is_file() and "DEBIAN" not in path.parts]
    programs = {str(path.relative_to(unpacked)) for path in files if path.stat().st_mode & stat.S_IXUSR}
    assert {name for name in programs if "/kiosk/" not in name} == {"usr/bin/swatchcam", "usr/bin/swatchcam-kiosk"}


def test_the_packaged_program_takes_less_than_30_megabytes(unpacked):
    """One use of Foundation, instead of FoundationEssentials, adds ICU and takes it to 64 MB."""
    assert (unpacked / "usr/bin/swatchcam").stat().st_size < 30_000_000


def test_the_package_takes_less_than_10_megabytes(package):
    assert package.stat().st_size < 10_000_000


def test_the_configuration_is_a_conffile(unpacked):
    assert (unpacked / "DEBIAN/conffiles").read_text() == "/etc/swatchcam/config.toml\n"


def test_the_packaged_configuration_is_that_of_the_repository(unpacked):
    assert (unpacked / "etc/swatchcam/config.toml").read_text() == (ROOT / "config.toml").read_text()


def test_the_packaged_program_is_stripped(unpacked):
    sections = execute(["readelf", "--section-headers", "--wide", str(unpacked / "usr/bin/swatchcam")])
    assert not re.findall(r"\.symtab|\.debug_\w+", sections)


def test_the_copyright_names_every_library_that_is_linked_in(unpacked):
    copyright_file = (unpacked / "usr/share/doc/swatchcam/copyright").read_text()
    libraries = re.findall(r'\.package\(url: ".*/([^/"]+)"', (ROOT / "Package.swift").read_text())
    assert len(libraries) >= 5
    assert not [name for name in libraries if not re.search(rf"^Files: \S*/{name}/\*$", copyright_file, re.MULTILINE)]


def test_the_notice_of_every_library_is_in_the_package(unpacked):
    """The Apache License, 4d, requires it. If this fails, Scripts/build-deb must copy the notice of another library."""
    notices = [*(ROOT / ".build/checkouts").glob("*/NOTICE*"), *(ROOT / "Packages").glob("*/NOTICE*")]
    text = (unpacked / "usr/share/doc/swatchcam/NOTICE").read_text()
    assert [notice for notice in notices if notice.read_text() in text] == notices != []
