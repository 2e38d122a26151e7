"""Links of the documents lead somewhere, and so do the names of files, commands, keys and addresses in their text."""

import json
import re
import shlex
import subprocess
import tomllib

import pytest
from documents import GUIDES, MANUALS, code_spans, links, markdown_files, missing_target, text, without_code
from Harness import program
from Harness.program import ROOT

API = json.loads(text("docs/openapi.json"))
KEYS = {
    f"{table}.{name}"
    for table, names in tomllib.loads(re.sub(r"^#(?=[\[\w])", "", text("config.toml"), flags=re.MULTILINE)).items()
    for name in (names if isinstance(names, dict) else names[0])
}
MAKE = set(re.findall(r"^([a-z0-9-]+):", text("Makefile"), re.MULTILINE))


@pytest.fixture(scope="module")
def options():
    """The options of each command, as the program describes itself."""
    usage = json.loads(program.run("--experimental-dump-help").stdout)["command"]

    def names(command):
        listed = [name for argument in command.get("arguments", []) for name in argument.get("names", [])]
        return {("--" if len(name["name"]) > 1 else "-") + name["name"] for name in listed}

    always = names(usage) | {"--generate-completion-script"}
    commands = {command["commandName"]: names(command) | always for command in usage["subcommands"]}
    return commands | {"": commands["serve"], "help": set()}


@pytest.mark.parametrize("path", markdown_files())
def test_links_lead_to_files_and_headings_that_exist(path):
    assert [problem for place, target in links(path) if (problem := missing_target(place, target))] == []


@pytest.mark.parametrize("path", GUIDES)
def test_commands_in_the_text_have_these_options(path, options):
    wrong = []
    for place, span in code_spans(path):
        if not re.match(r"(sudo )?swatchcam( |$)", span):
            continue
        words = shlex.split(span.partition(" > ")[0].partition(" | ")[0].removeprefix("sudo "))[1:]
        command = words[0] if words and not words[0].startswith("-") else ""
        if command not in options:
            wrong.append(f"{place}: there is no command in `{span}`")
        elif unknown := {word for word in words if re.match("--?[a-z]", word)} - options[command]:
            wrong.append(f"{place}: {unknown} in `{span}`")
    assert wrong == []


@pytest.mark.parametrize("path", GUIDES)
def test_parts_of_make_exist(path):
    named = [
        (place, part)
        for place, span in code_spans(path)
        for part in re.findall(r"^(?:sudo )?make ([a-z][a-z0-9-]*)", span)
    ]
    assert [f"{place}: make {part}" for place, part in named if part not in MAKE] == []


@pytest.mark.parametrize("path", GUIDES)
def test_keys_in_the_text_are_keys_of_the_configuration(path):
    tables = {key.partition(".")[0] for key in KEYS}
    reading = set(API["components"]["schemas"]["Reading"]["properties"])
    wrong = []
    for place, span in code_spans(path):
        key = re.match(r"([a-z]+)\.([a-z_]+)(?= =|$)", span)
        if not key or key[1] not in tables or key[2] in ("md", "csv", "js", "toml", "json", "pem", "local"):
            continue
        if key[0] not in KEYS and key[1] not in reading:
            wrong.append(f"{place}: {key[0]}")
    assert wrong == []


@pytest.mark.parametrize("path", [path for path in GUIDES if path != "CONTRIBUTING.md"])
def test_requests_in_the_text_are_those_of_the_api(path):
    known = [
        (method.upper(), re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(name)))
        for name, item in API["paths"].items()
        for method in item
    ]
    wrong = []
    for place, span in code_spans(path):
        request = re.match(r"(GET|PUT|POST|PATCH|DELETE) ([^\s?]+)\S*$", span)
        if request and not any(method == request[1] and re.fullmatch(name, request[2]) for method, name in known):
            wrong.append(f"{place}: {span}")
    assert wrong == []


@pytest.mark.parametrize("path", [*GUIDES, "ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_files_in_the_text_exist(path):
    folders = "Sources|Tests|Scripts|docs|Resources|Packaging|Templates|Benchmarks|patches|Packages|Plugins"
    spans = [
        (place, found[0]) for place, span in code_spans(path) if (found := re.match(rf"(?:{folders})/[\w./*+-]*", span))
    ]
    # `make` clones into Packages.
    missing = [
        f"{place}: {name}" for place, name in spans if name != "Packages/" and not any(ROOT.glob(name.rstrip("/")))
    ]
    assert missing == []


@pytest.mark.parametrize(
    "path",
    ["absorbance", "calibration", "cameras", "history", "measuring", "page", "palettes", "targets", "troubleshooting"],
)
def test_controls_in_the_text_are_on_the_page(path):
    """Bold words within a sentence are the names of controls; those at its beginning are headings."""
    sources = [*(ROOT / "Templates").rglob("*.mustache"), *(ROOT / "Resources").rglob("*.js")]
    page = "".join(file.read_text() for file in sources)
    named = re.findall(r"(?<=[\w,;(] )\[?\*\*([A-Z][^*]*?)\*\*", without_code(text(f"docs/{path}.md")))
    assert [name for name in named if name not in page] == []


def test_documents_that_the_program_names_are_in_the_package():
    """Messages, manual pages and examples are read where there is no folder docs."""
    listed = subprocess.run(
        ["git", "ls-files", "config.toml", "docs/man", "Resources", "Sources", "Templates"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    wrong, seen = [], 0
    for path in listed:
        if path.endswith((".png", ".webp", ".ico", ".jpg")) or (ROOT / path).is_dir():
            continue
        for number, line in enumerate(text(path).splitlines(), 1):
            if re.match(r" *//", line):
                continue
            wrong += [f"{path}:{number}: {name}" for name in re.findall(r"(?<![\w/])docs/[\w-]+\.md", line)]
            for name in re.findall(r"/usr/share/doc/swatchcam/([\w-]+\.md)", line):
                seen += 1
                if not (ROOT / "docs" / name).exists():
                    wrong.append(f"{path}:{number}: {name}")
    assert wrong == []
    assert seen > 0
    assert "docs/*.md" in text("Packaging/debian/docs").splitlines()


def test_manual_pages_are_without_errors():
    for path in MANUALS:
        said = subprocess.run(
            ["mandoc", "-Tlint", "-Wwarning", path], cwd=ROOT, check=False, capture_output=True, text=True
        )
        assert said.stdout + said.stderr == ""
