"""What the documents promise: blocks of code, links, and names in code spans.

A command block is run (test_commands.py), unless a comment on the line before it says why not. In Markdown:

    <!-- not run: needs a camera -->
    <!-- run by Tests/Feeds/install: swatchcam-feed.service -->

and in a manual page the same after `.\\"`. The second form names a file that runs the command, and a text that both the
file and the block contain.
"""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from Harness.program import ROOT

GUIDES = [
    "README.md",
    "CONTRIBUTING.md",
    *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").glob("*.md"))),
]
"""What people who use Swatchcam read, and how we work."""

MANUALS = ["docs/man/swatchcam.1", "docs/man/swatchcam-kiosk.1"]
"""swatchcam.toml(5) is generated, and unit tests compare it with the program."""


@functools.cache
def text(path: str) -> str:
    return (ROOT / path).read_text()


def markdown_files() -> list[str]:
    """All Markdown of the project, of any folder that is ours."""
    ours = ["", ".github/**/", "Benchmarks/", "Tests/**/", "Packages/", "docs/**/"]
    found = {path for folder in ours for path in ROOT.glob(f"{folder}*.md") if ".venv" not in path.parts}
    return sorted(str(path.relative_to(ROOT)) for path in found)


@dataclass(frozen=True)
class Block:
    path: str
    line: int
    language: str
    text: str
    marker: str
    """The comment on the line before the block; empty without one."""

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"

    @property
    def is_run(self) -> bool:
        return not self.marker.startswith(("not run: ", "run by "))


def without_code(markdown: str) -> str:
    """The text without its blocks of code, at the same lines."""
    return re.sub(
        r"^ *```.*?^ *```$", lambda block: "\n" * block[0].count("\n"), markdown, flags=re.MULTILINE | re.DOTALL
    )


def blocks_of(path: str) -> Iterator[Block]:
    source = text(path)
    if path.endswith(".md"):
        pattern = r"(?:^ *<!-- (?P<marker>[^\n]*?) -->\n)?^(?P<indent> *)```(?P<language>[\w-]*)\n(?P<text>.*?)^(?P=indent)```$"
    else:
        pattern = r'(?:^\.\\" (?P<marker>.*)\n)?^(?:\.Dl (?P<line>.*)|\.Bd -literal.*\n(?P<text>(?:.*\n)*?)\.Ed)$'
    for found in re.finditer(pattern, source, re.MULTILINE | re.DOTALL if path.endswith(".md") else re.MULTILINE):
        groups = found.groupdict()
        code = groups["text"] if groups["text"] is not None else groups["line"] + "\n"
        indent = groups.get("indent") or ""
        yield Block(
            path,
            source.count("\n", 0, found.start()) + 1,
            groups.get("language") or ("" if path.endswith(".md") else "console" if code.startswith("$ ") else "sh"),
            re.sub(rf"^{indent}", "", code, flags=re.MULTILINE),
            groups["marker"] or "",
        )


def all_blocks() -> list[Block]:
    return [block for path in [*GUIDES, *MANUALS] for block in blocks_of(path)]


def code_spans(path: str) -> Iterator[tuple[str, str]]:
    """Each text between backticks, with its place."""
    for number, line in enumerate(without_code(text(path)).splitlines(), 1):
        for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", line):
            yield f"{path}:{number}", span


def slug(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    plain = re.sub(r"<[^>]*>", "", heading)
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", plain).replace("`", "").replace("*", "")
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")


@functools.cache
def anchors(path: str) -> set[str]:
    source = without_code(text(path))
    headings = [slug(heading) for heading in re.findall(r"^#+ +(.*)$", source, re.MULTILINE)]
    return {*headings, *re.findall(r'<a id="([^"]+)"', source)}


def links(path: str) -> Iterator[tuple[str, str]]:
    """The target of every link and picture, with its place."""
    pattern = r'\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"\s]+)"'
    for number, line in enumerate(without_code(text(path)).splitlines(), 1):
        for one, other in re.findall(pattern, re.sub(r"`[^`]*`", "", line)):
            yield f"{path}:{number}", one or other


def missing_target(place: str, target: str) -> str:
    """Why a link of a document leads nowhere; empty if it does not, or leads to another site."""
    if re.match(r"[a-z]+:", target) or re.match(r"(\.\./)+(actions/|releases$)", target):
        return ""
    path, _, anchor = target.partition("#")
    source = place.rpartition(":")[0]
    file = (ROOT / source).parent / path if path else ROOT / source
    if not file.exists():
        return f"{place}: there is no {target}"
    if anchor and anchor not in anchors(str(Path(file).resolve().relative_to(ROOT.resolve()))):
        return f"{place}: {target} has no such heading"
    return ""
