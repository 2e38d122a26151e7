"""Checks that the sources, the API's description and the tests have the same codes of errors. `make lint` runs it.

- The description (docs/openapi.json) lists the codes in the sources, and no others.
- A test of the server expects each of them: it stands in an assertion about a code, or in a table of cases for one. A
  comment, a state, the name of a test or the answer of a fake server is no evidence.
"""

import ast
import json
import pathlib
import re
import sys
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
SERVER = ROOT / "Sources/Dashboard/Web"
TESTS = [ROOT / "Tests" / folder for folder in ("Dashboard/Web", "Lab", "Web")]
"""The tests of the server. Those of its clients name codes that no server has sent."""

FAULTS = {"internal"}
"""Answers to faults of the program. No request is known that causes one; when one is found, the fault gets a test."""

TEXT = r'"""[\s\S]*?"""|#"(?:[^"\n]|"(?!#))*"#|"(?:\\.|[^"\\\n])*"'
CODE = r'"([a-z]+(?:-[a-z]+)*)"'


def without_comments(path: pathlib.Path) -> str:
    return re.sub(rf"({TEXT})|//.*", lambda found: found[1] or "", path.read_text())


def codes_of_the_server() -> set[str]:
    """The literals that are codes, and the states of a reading without a colour, which are codes too."""
    text = "".join(map(without_comments, sorted(SERVER.rglob("*.swift"))))
    readings = without_comments(ROOT / "Sources/Readings/Reading.swift")
    _, _, states = readings.partition("enum State:")
    cases = re.findall(rf"^ +case (\w+)(?: = {CODE})?$", states.partition("var hasColor")[0], re.MULTILINE)
    named = {raw or name for name, raw in cases}
    return {*re.findall(rf"\b(?:code: |refusal\(){CODE}", text), *named} - {"live", "test-pattern"}


def python_evidence(path: pathlib.Path) -> Iterator[str]:
    """The assertions of tests and the tables of their cases, if they mention a code."""
    module = ast.parse(path.read_text())
    constants = {ast.unparse(one.targets[0]): one.value for one in module.body if isinstance(one, ast.Assign)}
    for test in ast.walk(module):
        if not isinstance(test, ast.FunctionDef) or not test.name.startswith("test_"):
            continue
        asserted = [node.test for node in ast.walk(test) if isinstance(node, ast.Assert)]
        for part in [part for part in test.decorator_list + asserted if "code" in ast.unparse(part)]:
            names = {node.id for node in ast.walk(part) if isinstance(node, ast.Name)}
            yield from map(ast.unparse, [part, *(constants[name] for name in names & constants.keys())])


def swift_evidence(path: pathlib.Path) -> Iterator[str]:
    """The expectations of tests and the arguments of their cases, if they mention a code."""
    text = without_comments(path)
    for start in re.finditer(r"#(?:expect|require)\(|\barguments: ", text):
        depth = 1
        for part in re.finditer(rf"{TEXT}|[()]", text[start.end() :]):
            depth += {"(": 1, ")": -1}.get(part[0], 0)
            if depth == 0:
                # The parameters of the test follow its arguments.
                evidence, signature = (
                    text[start.end() :][: part.end()],
                    text[start.end() + part.end() :].partition("{")[0],
                )
                # A refusal is written as its status and its code: "409 samples-full".
                yield from (f'"{code}"' for code in re.findall(r'"\d{3} ([a-z-]+)"', evidence))
                if "code" in (signature if start[0].startswith("arguments") else evidence):
                    yield evidence
                break


def expected_codes() -> set[str]:
    evidence = [one for folder in TESTS for path in folder.rglob("*.swift") for one in swift_evidence(path)]
    evidence += [one for folder in TESTS for path in folder.rglob("test_*.py") for one in python_evidence(path)]
    return {code for one in evidence for code in re.findall(CODE, one.replace("'", '"'))}


described = set(json.loads((ROOT / "docs/openapi.json").read_text())["components"]["schemas"]["ErrorCode"]["enum"])
server = codes_of_the_server()
problems = [
    *(f"docs/openapi.json: ErrorCode lacks {code}, a code of the server." for code in sorted(server - described)),
    *(f"docs/openapi.json: the server has no code {code}." for code in sorted(described - server)),
    *(f"No test of the server expects the code {code}." for code in sorted(described - expected_codes() - FAULTS)),
]
print("\n".join(problems), end="\n" if problems else "")
sys.exit(bool(problems))
