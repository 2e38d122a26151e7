"""Checks that the code keeps to the layers of ARCHITECTURE.md. `make lint` runs it.

- Each third-party library is imported by one target only, except swift-log.
- No file imports Foundation instead of FoundationEssentials, because Foundation would add ICU to the program.
- The folders of a target do not depend on each other in a circle.
- The table of targets in ARCHITECTURE.md agrees with the package.
- In the picture there, each target stands above those that it imports.
"""

import collections
import itertools
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "Sources"
MAP = ROOT / "ARCHITECTURE.md"
LIBRARIES = {"FlyingFox": "FlyingFox", "FlyingSocks": "FlyingFox", "Mustache": "swift-mustache", "TOMLKit": "TOMLKit"}
LIBRARIES |= {
    "ArgumentParser": "swift-argument-parser",
    "CCurl": "libcurl",
    "CMosquitto": "libmosquitto",
    "CQREncode": "libqrencode",
    "CJPEG": "libjpeg-turbo",
    "CTurboJPEG": "libjpeg-turbo",
    "CZlib": "zlib",
    "CExpat": "Expat",
}

IMPORT = re.compile(r"^(?:@\w+ )*(?:(?:public|package|private) )?import (\w+)", re.MULTILINE)
WORDS = "public|package|internal|final|indirect"
TYPE = re.compile(rf"^(?:@\S+ )*(?:(?:{WORDS}) )*(?:struct|enum|class|actor|protocol|typealias) (\w+)", re.MULTILINE)
EXTENSION = re.compile(r"^(?:\w+ )?extension [^{]*\{.*?^\}", re.MULTILINE | re.DOTALL)
MEMBER = re.compile(r"^ {4}(?:@\S+ )*(?:(?:public|package|static|mutating) )*(?:var|let|func) (\w+)", re.MULTILINE)
NAME = re.compile(r"\b(?:var|let|func|case) (\w+)")


def swift_files(folder: pathlib.Path) -> dict[pathlib.Path, str]:
    """The code of the Swift files below a folder, by path, without comments and string literals."""
    return {path: without_comments(path.read_text()) for path in sorted(folder.rglob("*.swift"))}


def without_comments(text: str) -> str:
    """The code without comments, and with empty string literals."""
    text = re.sub(r'"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"', '""', text)
    return re.sub(r"//.*", "", text)


def check_libraries() -> list[str]:
    users = collections.defaultdict(set)
    for path, text in swift_files(SOURCES).items():
        for name in IMPORT.findall(text):
            if name in LIBRARIES:
                users[LIBRARIES[name]].add(path.relative_to(SOURCES).parts[0])
    return [
        f"{library} is imported by {', '.join(sorted(targets))}: let one target import it and offer types of its own."
        for library, targets in users.items()
        if len(targets) > 1
    ]


def check_foundation() -> list[str]:
    return [
        f"{path.relative_to(ROOT)} imports Foundation, which adds ICU to the program: import FoundationEssentials."
        for path, text in swift_files(SOURCES).items()
        if re.search(r"\bimport (?:\w+ )?Foundation\b", text)
    ]


def folder_dependencies(target: pathlib.Path, declarations: collections.Counter[str]) -> dict[str, dict[str, str]]:
    """Which folder of a target uses which other folders, each with a type or a member of an extension as evidence.

    Without a compiler, a member is recognised only if its name is declared once in all sources.
    """
    files = {path: text for path, text in swift_files(target).items() if len(path.relative_to(target).parts) > 1}
    homes = {}
    for path, text in files.items():
        members = [name for extension in EXTENSION.findall(text) for name in MEMBER.findall(extension)]
        for name in TYPE.findall(text) + [f".{name}" for name in members if declarations[name] == 1]:
            homes[name] = path.relative_to(target).parts[0]
    edges = collections.defaultdict(dict)
    for path, text in files.items():
        folder = path.relative_to(target).parts[0]
        for name in set(re.findall(r"(?<!\.)\b[A-Z]\w+|\.[a-z]\w+", text)) & homes.keys():
            if homes[name] != folder:
                edges[folder][homes[name]] = f"{path.name} uses {name}"
    return edges


def find_circle(edges: dict[str, dict[str, str]]) -> list[str] | None:
    """Folders that use each other in a circle, with the first repeated at the end; None if there is no circle."""

    def follow(way: list[str]) -> list[str] | None:
        for folder in edges.get(way[-1], {}):
            if folder in way:
                return [*way[way.index(folder) :], folder]
            if found := follow([*way, folder]):
                return found
        return None

    return next((found for folder in edges if (found := follow([folder]))), None)


def check_circles() -> list[str]:
    problems = []
    declarations = collections.Counter(name for text in swift_files(SOURCES).values() for name in NAME.findall(text))
    for target in sorted(path for path in SOURCES.iterdir() if path.is_dir()):
        edges = folder_dependencies(target, declarations)
        if found := find_circle(edges):
            steps = [f"{a} -> {b} ({edges[a][b]})" for a, b in itertools.pairwise(found)]
            problems.append(f"The folders of {target.name} use each other in a circle: {', '.join(steps)}.")
    return problems


def rows() -> list[tuple[str, str]]:
    """The table of targets: the name of each, and what it imports."""
    return re.findall(r"^\| `(\w+)` \|.*\| ([\w, ]*)\|$", MAP.read_text(), re.MULTILINE)


def check_table() -> list[str]:
    described = json.loads(subprocess.check_output(["swift", "package", "describe", "--type", "json"], cwd=ROOT))
    package = {
        target["name"]: {*target.get("target_dependencies", []), *target.get("product_dependencies", [])}
        for target in described["targets"]
    }
    # The plugin that embeds assets is not imported.
    problems = [
        f"ARCHITECTURE.md: the row of {name} differs from Package.swift."
        for name, imports in rows()
        if package.get(name, set()) - {"EmbedAssets"} != set(re.findall(r"\w+", imports))
    ]
    # C targets have no rows of their own; the rows of the targets that use them mention them.
    swift_targets = {path.name for path in SOURCES.iterdir() if any(path.rglob("*.swift"))} - {"AssetEmbedder"}
    missing = sorted(swift_targets - {name for name, _ in rows()})
    return problems + [f"ARCHITECTURE.md: the table of targets has no row for {name}." for name in missing]


def check_picture() -> list[str]:
    lines = re.findall(r"^│(.*)│", MAP.read_text(), re.MULTILINE)
    levels = {name: level for level, line in enumerate(lines) for name in re.findall(r"\w+", line)}
    absent = [f"ARCHITECTURE.md: {name} is not in the picture." for name, _ in rows() if name not in levels]
    return absent + [
        f"ARCHITECTURE.md: {name} imports {below}, and does not stand above it in the picture."
        for name, imports in rows()
        for below in re.findall(r"\w+", imports)
        if name in levels and below in levels and levels[name] >= levels[below]
    ]


problems = check_libraries() + check_foundation() + check_circles() + check_table() + check_picture()
print("\n".join(problems), end="\n" if problems else "")
sys.exit(bool(problems))
