"""Breaks the program in many small ways, and counts how many of them the unit tests detect. `make mutants` runs it.

All mutants are compiled into one build, in a copy of the repository, and the environment variable SWATCHCAM_MUTANT
says which one is active. An operator is replaced by a custom operator of the same precedence, which acts as the
original or as the mutated one; a literal, a condition or a statement becomes a choice between the two. No parser is
needed: a mutant that does not compile is dropped, and the next candidate of the seeded sequence takes its place.
"""

import argparse
import bisect
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / ".build/mutants"
TREE = WORK / "tree"
BUILD = ["swift", "build", "--build-tests", "--disable-xctest", "-Xcc", "-O2", "-Xswiftc", "-suppress-warnings"]

# Targets whose mutants no unit test can detect: the generator of a build step, and files without logic.
UNTESTED = {"AssetEmbedder", "Assets"}
# These tests try random bytes, so they specify nothing.
UNUSED_TESTS = {"FuzzTests"}

# The signatures of the functions that implement custom operators, by the kind of operator and of its operands.
COMPARISON = "<T: Comparable>(a: T, b: T) -> Bool"
EQUALITY = "<T: Equatable>(a: T, b: T) -> Bool"
SUM = "<T: AdditiveArithmetic>(a: T, b: T) -> T"
INTEGER = "<T: FixedWidthInteger>(a: T, b: T) -> T"
FLOAT = "<T: FloatingPoint>(a: T, b: T) -> T"
SHIFT = "<T: BinaryInteger, U: BinaryInteger>(a: T, b: U) -> T"
LOGIC = "(a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool"
LIST = "<T: RangeReplaceableCollection, S: Sequence<T.Element>>(a: T, b: S) -> T"
INOUT = {
    signature: signature.replace("a: T", "a: inout T").replace(" -> T", "")
    for signature in (SUM, INTEGER, FLOAT, LIST, "<T: Numeric>(a: T, b: T) -> T")
}
RANGE = "<T: Strideable>(a: T, b: T)"
NUMBER = "<T: Numeric>(a: T, b: T) -> T"

# For each operator its precedence, and for each operator that may replace it the signatures, each with the original and
# the mutated expression. Lists have no difference, so their sum drops its right side instead.
OPERATORS = {
    "<": ("Comparison", {"<=": [(COMPARISON, "a < b", "a <= b")], ">=": [(COMPARISON, "a < b", "a >= b")]}),
    "<=": ("Comparison", {"<": [(COMPARISON, "a <= b", "a < b")], ">": [(COMPARISON, "a <= b", "a > b")]}),
    ">": ("Comparison", {">=": [(COMPARISON, "a > b", "a >= b")], "<=": [(COMPARISON, "a > b", "a <= b")]}),
    ">=": ("Comparison", {">": [(COMPARISON, "a >= b", "a > b")], "<": [(COMPARISON, "a >= b", "a < b")]}),
    "==": ("Comparison", {"!=": [(EQUALITY, "a == b", "a != b")]}),
    "!=": ("Comparison", {"==": [(EQUALITY, "a != b", "a == b")]}),
    "&&": (
        "LogicalConjunction",
        {"||": [(LOGIC, "try a && b()", "try a || b()")], "drops its right side:": [(LOGIC, "try a && b()", "a")]},
    ),
    "||": (
        "LogicalDisjunction",
        {"&&": [(LOGIC, "try a || b()", "try a && b()")], "drops its right side:": [(LOGIC, "try a || b()", "a")]},
    ),
    "+": ("Addition", {"-": [(SUM, "a + b", "a - b"), (LIST, "a + b", "a")]}),
    "-": ("Addition", {"+": [(SUM, "a - b", "a + b")]}),
    "*": ("Multiplication", {"+": [(NUMBER, "a * b", "a + b")]}),
    "/": ("Multiplication", {"*": [(INTEGER, "a / b", "a &* b"), (FLOAT, "a / b", "a * b")]}),
    "%": ("Multiplication", {"/": [(INTEGER, "a % b", "a / b")]}),
    "&": ("Multiplication", {"|": [(INTEGER, "a & b", "a | b")]}),
    "|": ("Addition", {"&": [(INTEGER, "a | b", "a & b")]}),
    "^": ("Addition", {"|": [(INTEGER, "a ^ b", "a | b")]}),
    "&+": ("Addition", {"&-": [(INTEGER, "a &+ b", "a &- b")]}),
    "&-": ("Addition", {"&+": [(INTEGER, "a &- b", "a &+ b")]}),
    "&*": ("Multiplication", {"&+": [(INTEGER, "a &* b", "a &+ b")]}),
    "<<": ("BitwiseShift", {">>": [(SHIFT, "a << b", "a >> b")]}),
    ">>": ("BitwiseShift", {"<<": [(SHIFT, "a >> b", "a << b")]}),
    "+=": ("Assignment", {"-=": [(INOUT[SUM], "a += b", "a -= b"), (INOUT[LIST], "a += b", "()")]}),
    "-=": ("Assignment", {"+=": [(INOUT[SUM], "a -= b", "a += b")]}),
    "*=": ("Assignment", {"+=": [(INOUT[NUMBER], "a *= b", "a += b")]}),
    "|=": ("Assignment", {"&=": [(INOUT[INTEGER], "a |= b", "a &= b")]}),
    "&=": ("Assignment", {"|=": [(INOUT[INTEGER], "a &= b", "a |= b")]}),
    "..<": (
        "RangeFormation",
        {"...": [(f"{RANGE} -> Range<T> where T.Stride: SignedInteger", "a..<b", "a..<b.advanced(by: 1)")]},
    ),
    "...": (
        "RangeFormation",
        {
            "..<": [
                (
                    f"{RANGE} -> ClosedRange<T> where T.Stride: SignedInteger",
                    "a...b",
                    "a...Swift.max(a, b.advanced(by: -1))",
                )
            ]
        },
    ),
    "??": (
        "NilCoalescing",
        {
            "drops its left side:": [
                ("<T>(a: T?, b: @autoclosure () throws -> T) rethrows -> T", "try a ?? b()", "try b()"),
                ("<T>(a: T?, b: @autoclosure () throws -> T?) rethrows -> T?", "try a ?? b()", "try b()"),
            ]
        },
    ),
}
# C has no custom operators, but an added 1, or a factor of -1, behind an operator has the same effect on integers.
C_OPERATORS = {
    "<": ("<=", "< {on} +"),
    "<=": ("<", "<= -{on} +"),
    ">": (">=", "> -{on} +"),
    ">=": (">", ">= {on} +"),
    "+": ("-", "+ (1 - 2 * {on}) *"),
    "-": ("+", "- (1 - 2 * {on}) *"),
    "+=": ("-=", "+= (1 - 2 * {on}) *"),
}

# The digits of a mutant's number, as characters that Swift allows in operators.
DIGITS = "←↑→↓↔↕↖↗↘↙"

TOKEN = re.compile(
    r"(?P<word>[$#@]?[A-Za-z_]\w*|\$\d+)"
    r"|(?P<number>0[xb][0-9A-Fa-f_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d+)?)"
    r"|(?P<operator>[-+*/%<>=!&|^~?.]+)"
)
KEYWORDS = (
    "actor|as|associatedtype|case|catch|class|default|defer|do|else|enum|extension|fileprivate|final|for|func|guard|if|"
    "import|in|indirect|infix|init|internal|is|lazy|let|mutating|nonisolated|open|operator|override|package|postfix|"
    "prefix|private|protocol|public|repeat|return|static|struct|subscript|switch|throw|throws|typealias|unowned|var|"
    "weak|where|while|break|continue"
)
# A call or an assignment on one line.
STATEMENT = re.compile(
    rf"(?!(?:{KEYWORDS})\b)(?:(?:try|await|unsafe)[?]? |_ = )*[A-Za-z_\(][\w.?\[\]\(\), ]*"
    r"(?: [-+*/|&^%]?= \S.*|\(.*\)|\)?)"
)
EXIT = re.compile(r"(?:return|throw|continue|break)\b.*")
# Lines whose mutants no test can detect, or that have no expressions: messages, and calls that end the process.
SKIPPED = re.compile(
    r"\s*(?:(?:@\w+ )*(?:(?:public|package|private) )?import |#|@|\w*log(?:ger)?\w*\.|precondition|assert|fatalError|"
    r"infix |prefix |(?:indirect )?case \w+ = [-\d])",
    re.IGNORECASE,
)


@dataclasses.dataclass(frozen=True)
class Candidate:
    """One way to break one place."""

    path: pathlib.Path
    line: int
    start: int
    end: int
    # What replaces the text, with {on} for the condition that the mutant is active, {name} for its operator.
    text: str
    # What the mutant amounts to, for people.
    shown: str
    # Declarations that it needs, with {name} and {on}.
    declarations: tuple[str, ...] = ()
    kind: str = ""

    @property
    def target(self) -> str:
        return self.path.parts[1]


@dataclasses.dataclass(frozen=True)
class Source:
    path: pathlib.Path
    text: str
    starts: list[int]

    @classmethod
    def read(cls, path: pathlib.Path) -> "Source":
        text = (ROOT / path).read_text()
        return cls(path, text, [0, *(match.end() for match in re.finditer("\n", text))])

    def line(self, offset: int) -> int:
        return bisect.bisect(self.starts, offset)

    def line_text(self, line: int) -> str:
        return self.text[self.starts[line - 1] :].split("\n", 1)[0]


# MARK: Finding candidates

BLANKED = re.compile(r'#/[\s\S]*?/#|//[^\n]*|/\*[\s\S]*?\*/|@\w+(?:\([^()]*\))?|#*(?:"""|")')
OPENING = re.compile(r'#*(?:"""|")')


def masked(text: str) -> str:
    """The text with comments, strings, regular expressions and attributes blanked out; all else keeps its place."""
    result, position = [], 0
    while match := BLANKED.search(text, position):
        is_string = OPENING.fullmatch(match[0])
        end = end_of_string(text, match) if is_string else match.end()
        result += [text[position : match.start()], re.sub(".", '"' if is_string else " ", text[match.start() : end])]
        position = end
    return "".join([*result, text[position:]])


def end_of_string(text: str, opening: re.Match[str]) -> int:
    pounds = opening[0].rstrip('"')
    quotes = opening[0].lstrip("#")
    position = opening.end()
    while not text.startswith(quotes + pounds, position):
        if text.startswith(f"\\{pounds}(", position):
            position = end_of_interpolation(text, position + len(pounds) + 2)
        elif text.startswith("\\" + pounds, position):
            position += len(pounds) + 2
        else:
            position += 1
    return position + len(quotes + pounds)


def end_of_interpolation(text: str, position: int) -> int:
    depth = 1
    while depth:
        if opening := OPENING.match(text, position):
            position = end_of_string(text, opening)
            continue
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        position += 1
    return position


def candidates_by_line(source: Source, chance: random.Random) -> dict[int, list[Candidate]]:
    """The candidates of a file."""
    code = masked(source.text)
    is_swift = source.path.suffix == ".swift"
    found = [*token_candidates(source, code, chance, is_swift)]
    if is_swift:
        found += [*condition_candidates(source, code), *statement_candidates(source, code)]
    lines = collections.defaultdict(list)
    for candidate in found:
        line = code[source.starts[candidate.line - 1] :].split("\n", 1)[0]
        if not SKIPPED.match(line) and not line.endswith("\\"):
            lines[candidate.line].append(candidate)
    return lines


def token_candidates(source: Source, code: str, chance: random.Random, is_swift: bool):
    for match in TOKEN.finditer(code):
        first, last, token = match.start(), match.end(), match[0]
        previous, after = code[max(first - 1, 0) : first], code[last : last + 1]
        place = (source.path, source.line(first), first, last)
        if match["number"] and previous != "." and not previous.isalnum():
            for number in other_numbers(token, chance):
                yield Candidate(*place, f"({{on}} ? {number} : {token})", number, kind="literal")
        elif match["operator"] and is_swift:
            is_infix = previous.isspace() and after.isspace() and code[first - 5 : first] != "func "
            is_tight = token in ("..<", "...") and re.match(r"[\w)\]]", previous) and re.match(r"[\w(]", after)
            if token in OPERATORS and (is_infix or is_tight):
                precedence, ways = OPERATORS[token]
                for shown, bodies in ways.items():
                    yield Candidate(*place, " {name} ", shown, declarations(token, precedence, bodies), "operator")
            elif token == "!" and re.match(r"[\s(\[]", previous) and re.match(r"[\w(]", after):
                body = "prefix func {name}(a: Bool) -> Bool {{ {on} ? a : !a }}"
                yield Candidate(*place, "{name}", "", ("prefix operator {name}", f"fileprivate {body}"), "operator")
        elif match["operator"] and token in C_OPERATORS and previous.isspace() and after.isspace():
            shown, text = C_OPERATORS[token]
            yield Candidate(*place, text, shown, kind="operator")
        elif token in ("true", "false") and previous != "." and after != ":":
            other = {"true": "false", "false": "true"}[token]
            yield Candidate(*place, f"({{on}} ? {other} : {token})", other, kind="literal")
        elif token in ("min", "max") and is_swift and after == "(" and code[first - 5 : first] != "func ":
            yield from extremes(place, token, code[last : last + 2], previous == ".")


def extremes(place: tuple, token: str, call: str, is_method: bool):
    other = {"min": "max", "max": "min"}[token]
    if not is_method:
        body = "func {name}<T: Comparable>(_ a: T, _ b: T, _ more: T...) -> T {{ "
        body += f"let all = [a, b] + more; return ({{on}} ? all.{other}() : all.{token}()) ?? a }}}}"
        yield Candidate(*place, "{name}", other, (f"fileprivate {body}",), "word")
    elif call == "()":
        body = "extension Sequence where Element: Comparable {{ fileprivate func {name}() -> Element? {{ "
        body += f"{{on}} ? {other}() : {token}() }}}} }}}}"
        yield Candidate(*place, "{name}", other, (body,), "word")


def declarations(operator: str, precedence: str, bodies: list[tuple[str, str, str]]) -> tuple[str, ...]:
    lines = [f"infix operator {{name}}: {precedence}Precedence"]
    for signature, original, mutated in bodies:
        choice = f"if {{on}} {{{{ return {mutated} }}}}; return {original}"
        lines.append(f"fileprivate func {{name}} {signature} {{{{ {choice} }}}}")
    return tuple(lines)


def other_numbers(token: str, chance: random.Random) -> list[str]:
    plain = token.replace("_", "")
    if re.fullmatch(r"0[xb].*|\d+", plain):
        value = int(plain, 0) if plain[:2] in ("0x", "0b") else int(plain)
        changes = [value + 1] if value == 0 else [value + 1, value - 1]
        if value >= 16:
            changes += [value * 2, value // 2]
        other = chance.choice(changes)
        return [hex(other) if plain.startswith("0x") else str(other)]
    value = float(plain)
    return [repr(chance.choice([value + 1, value * 2, value / 2] if value else [1.0]))]


def top_level(code: str, position: int, ends: str) -> tuple[int, list[int]] | None:
    """The places of the first of some characters outside brackets, and of the commas before it; None: there is none."""
    depth, commas = 0, []
    while position < len(code):
        character = code[position]
        if depth == 0 and character in ends:
            return position, commas
        if character == "," and depth == 0:
            commas.append(position)
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        if depth < 0:
            return None
        position += 1
    return None


def condition_candidates(source: Source, code: str):
    for match in re.finditer(r"^ *(?:\} else )?(guard|if) ", code, re.MULTILINE):
        found = top_level(code, match.end(), "{")
        if not found:
            continue
        end, commas = found
        if match[1] == "guard":
            end = code.rfind("else", match.end(), end)
        for start, stop in zip([match.end(), *(comma + 1 for comma in commas)], [*commas, end], strict=True):
            clause = code[start:stop]
            first = start + len(clause) - len(clause.lstrip())
            last = first + len(clause.strip())
            text = source.text[first:last]
            if not text or "\n" in text or "{" in text or re.match(r"(?:unsafe )?(?:let|var|case|#)", text):
                continue
            place = (source.path, source.line(first), first, last)
            original = text.replace("{", "{{").replace("}", "}}")
            yield Candidate(*place, f"{{on}} != ({original})", f"!({text})", kind="condition")
            yield Candidate(*place, f"({{on}} ? true : ({original}))", "true", kind="condition")
            if match[1] == "if":
                yield Candidate(*place, f"({{on}} ? false : ({original}))", "false", kind="condition")


def statement_candidates(source: Source, code: str):
    lines = code.split("\n")
    originals = source.text.split("\n")
    for index, line in enumerate(lines):
        stripped = line.strip()
        if not stripped or any(stripped.count(a) != stripped.count(b) for a, b in ("()", "[]", "{}")):
            continue
        before = next((other.strip() for other in reversed(lines[:index]) if other.strip()), "")
        after = next((other.strip() for other in lines[index + 1 :] if other.strip()), "")
        begins = re.search(r"(?:^|[{};:)\]\w\"]| in)$", before) and not re.search(r"(?:\belse|\breturn|=)$", before)
        if not begins or re.match(r"[.?:]|[-+*/&|<>=]+ |else\b|in\b", after):
            continue
        is_statement = STATEMENT.fullmatch(stripped) and ("(" in stripped or " = " in stripped or "= " in stripped)
        if is_statement and ": " in stripped.split("(")[0].split(" = ")[0]:
            continue
        is_exit = EXIT.fullmatch(stripped) and re.match(r"(?:\} else )?if ", before)
        if is_statement and " = " in stripped and is_in_init(lines, index):
            continue
        if is_statement or is_exit:
            first = source.starts[index] + len(line) - len(line.lstrip())
            last = source.starts[index] + len(line.rstrip())
            text = originals[index][len(line) - len(line.lstrip()) : len(line.rstrip())]
            text = text.replace("{", "{{").replace("}", "}}")
            place = (source.path, index + 1, first, last)
            yield Candidate(*place, f"if !{{on}} {{{{ {text} }}}}", "(removed)", kind="statement")


def is_in_init(lines: list[str], index: int) -> bool:
    """Whether the function around a line is an initializer: there, an assignment can hardly be left out."""
    indent = len(lines[index]) - len(lines[index].lstrip())
    for line in reversed(lines[:index]):
        if len(line) - len(line.lstrip()) < indent and (match := re.search(r"\b(init|func|var|subscript)\b", line)):
            return match[1] == "init"
    return False


def sequence(seed: int, targets: list[str]) -> list[Candidate]:
    """One candidate of each line that has any, in the seed's order."""
    chance = random.Random(seed)
    lines = []
    for path in sorted((ROOT / "Sources").rglob("*")):
        path = path.relative_to(ROOT)
        if path.suffix in (".swift", ".c") and path.parts[1] in targets:
            lines += sorted(candidates_by_line(Source.read(path), chance).items())
    chance.shuffle(lines)
    return [chance.choice(ways) for _, ways in lines]


# MARK: Writing the mutants


def names(number: int, candidate: Candidate, token: str) -> dict[str, str]:
    digits = "".join(DIGITS[int(digit)] for digit in str(number))
    name = f"{token}Of{number}" if candidate.kind == "word" else token + digits
    return {"on": f"mutant({number})", "name": name}


def mutated(source: Source, chosen: list[tuple[int, Candidate]]) -> tuple[str, dict[int, Candidate]]:
    """The file with its mutants, and the mutant that each changed or added line belongs to."""
    text, lines, declared = source.text, {}, []
    for number, candidate in sorted(chosen, key=lambda each: -each[1].start):
        values = names(number, candidate, source.text[candidate.start : candidate.end])
        text = text[: candidate.start] + candidate.text.format(**values) + text[candidate.end :]
        lines[candidate.line] = candidate
        declared += [(line.format(**values), candidate) for line in candidate.declarations]
    if source.path.suffix == ".c":
        return '#include "CMutation.h"\n#line 1\n' + text, lines
    for line, candidate in declared:
        text += line + "\n"
        lines[text.count("\n")] = candidate
    return "public import CMutation; " + text, lines


HEADER = """#pragma once
#include <stdbool.h>

extern int swatchcam_mutant;

static inline bool mutant(int number) { return swatchcam_mutant == number; }
"""
BODY = """#include "CMutation.h"

#include <stdlib.h>

int swatchcam_mutant = -1;

__attribute__((constructor)) static void choose(void) {
    const char *number = getenv("SWATCHCAM_MUTANT");
    if (number) swatchcam_mutant = atoi(number);
}
"""
# Lets every target use the switch, and removes the targets that are not to be built.
PACKAGE = """
do {
    let kept: Set<String> = [%s]
    package.products = []
    package.targets.removeAll { !kept.contains($0.name) }
    for target in package.targets where [.regular, .executable].contains(target.type) {
        target.dependencies.append("CMutation")
    }
    package.targets.append(.target(name: "CMutation", path: "Tests/CMutation"))
}
"""


def write(path: pathlib.Path, text: str) -> None:
    """Writes a file unless it has this text already, so that it is not compiled again."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def lay_out(kept: set[str], replaced: dict[pathlib.Path, str]) -> None:
    """Brings the copy of the repository up to date."""
    listed = subprocess.check_output(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, text=True)
    paths = {pathlib.Path(name) for name in listed.split("\0") if name and (ROOT / name).is_file()}
    for path in paths:
        copy = TREE / path
        if path in replaced or path.name == "Package.swift":
            continue
        if not copy.exists() or copy.read_bytes() != (ROOT / path).read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, copy)
            shutil.copymode(ROOT / path, copy)
    # The links to Templates and Resources.
    for link in (pathlib.Path(name) for name in listed.split("\0") if name and (ROOT / name).is_dir()):
        (TREE / link).parent.mkdir(parents=True, exist_ok=True)
        (TREE / link).unlink(missing_ok=True)
        (TREE / link).symlink_to((ROOT / link).readlink())
    for folder in ("Sources", "Tests"):
        for copy in (TREE / folder).rglob("*"):
            path = copy.relative_to(TREE)
            if copy.is_file() and path not in paths and path.parts[1] != "CMutation":
                copy.unlink()
    for path, text in replaced.items():
        write(TREE / path, text)
    write(TREE / "Tests/CMutation/include/CMutation.h", HEADER)
    write(TREE / "Tests/CMutation/CMutation.c", BODY)
    names = ", ".join(f'"{name}"' for name in sorted(kept))
    write(TREE / "Package.swift", (ROOT / "Package.swift").read_text() + PACKAGE % names)
    # The fetched packages need not be fetched again.
    for folder in ("checkouts", "repositories"):
        if (ROOT / ".build" / folder).is_dir() and not (TREE / ".build" / folder).exists():
            shutil.copytree(ROOT / ".build" / folder, TREE / ".build" / folder, symlinks=True)


# MARK: Building


def describe() -> dict[str, dict]:
    described = json.loads(subprocess.check_output(["swift", "package", "describe", "--type", "json"], cwd=ROOT))
    return {target["name"]: target for target in described["targets"]}


def reachable(package: dict[str, dict], names: set[str]) -> set[str]:
    found, rest = set(), set(names)
    while rest:
        name = rest.pop()
        if name in package and name not in found:
            found.add(name)
            rest |= set(package[name].get("target_dependencies", []))
            # A plugin's own tool is not among the dependencies.
            rest |= {"AssetEmbedder"} if name == "EmbedAssets" else set()
    return found


class Mutants:
    """The chosen mutants, by number."""

    def __init__(self, seed: int, count: int, targets: list[str], kept: set[str]) -> None:
        self.count, self.kept = count, kept
        self.rest = iter(sequence(seed, targets))
        self.chosen: dict[int, Candidate] = {}
        self.refused_path = WORK / "refused.json"
        self.refused = set(json.loads(self.refused_path.read_text())) if self.refused_path.exists() else set()

    @staticmethod
    def identity(candidate: Candidate) -> str:
        line = Source.read(candidate.path).line_text(candidate.line).strip()
        return f"{candidate.path}: {line}: {candidate.kind}: {candidate.text}"

    def fill(self) -> None:
        number = 0
        while len(self.chosen) < self.count:
            candidate = next(self.rest, None)
            if candidate is None:
                return
            if self.identity(candidate) in self.refused:
                continue
            while number in self.chosen:
                number += 1
            self.chosen[number] = candidate

    def drop(self, candidate: Candidate) -> None:
        self.refused.add(self.identity(candidate))
        self.chosen = {number: other for number, other in self.chosen.items() if other != candidate}

    def build(self) -> None:
        """Builds all mutants; replaces those that do not compile, until everything does."""
        while True:
            self.fill()
            files = collections.defaultdict(list)
            for number, candidate in self.chosen.items():
                files[candidate.path].append((number, candidate))
            replaced = {path: mutated(Source.read(path), chosen) for path, chosen in files.items()}
            lay_out(self.kept, {path: text for path, (text, _) in replaced.items()})
            subprocess.run(["Scripts/patch-packages"], cwd=TREE, check=True, stdout=subprocess.DEVNULL)
            began = time.monotonic()
            environment = {name: value for name, value in os.environ.items() if name != "CI"}
            output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
            built = subprocess.run(BUILD, check=False, cwd=TREE, env=environment, **output)
            seconds = time.monotonic() - began
            (WORK / "build.log").write_text(built.stdout)
            if built.returncode == 0:
                print(f"Built in {seconds:.0f} s.", flush=True)
                self.refused_path.write_text(json.dumps(sorted(self.refused), indent=1))
                return
            dropped = culprits(built.stdout, {path: lines for path, (_, lines) in replaced.items()})
            if not dropped:
                print("\n".join([line for line in built.stdout.splitlines() if "error:" in line][:20]))
                sys.exit(f"The build failed, and its errors point to no mutant. See {WORK / 'build.log'}.")
            print(f"{len(dropped)} mutants do not compile, and are replaced ({seconds:.0f} s).", flush=True)
            for candidate in dropped:
                self.drop(candidate)
            self.refused_path.write_text(json.dumps(sorted(self.refused), indent=1))


def culprits(log: str, files: dict[pathlib.Path, dict[int, Candidate]]) -> set[Candidate]:
    """The mutants that errors point to: on the line, else the nearest above in the file, else all of the target."""
    places = collections.defaultdict(set)
    for name, line in re.findall(r"^(/[^:\n]+):(\d+):\d+: (?:fatal )?error: ", log, re.MULTILINE):
        path = pathlib.Path(name)
        if path.is_relative_to(TREE / "Sources"):
            places[path.relative_to(TREE)].add(int(line))
    found = set()
    for path, lines in places.items():
        known = files.get(path, {})
        exact = {known[line] for line in lines if line in known}
        near = {known[max((other for other in known if other <= line), default=min(known))] for line in lines if known}
        found |= exact or near
    if not found:
        targets = {path.parts[1] for path in places}
        found = {each for path, known in files.items() if path.parts[1] in targets for each in known.values()}
    if not found and (crash := re.search(r"error: compile command failed due to signal.*?$", log, re.MULTILINE)):
        # The compiler itself gave up: its report names the files.
        for path, known in files.items():
            if f"-primary-file {TREE / path}" in log[crash.start() - 20_000 : crash.end() + 20_000]:
                found |= set(known.values())
    return found


# MARK: Running the tests


@dataclasses.dataclass
class Binary:
    path: pathlib.Path
    limits: dict[str, float] = dataclasses.field(default_factory=dict)

    def run(self, tests: list[str], mutant: int | None, limit: float) -> str | None:
        """Runs tests and returns the reason why they failed; None if they passed."""
        environment = dict(os.environ) | ({} if mutant is None else {"SWATCHCAM_MUTANT": str(mutant)})
        command = [str(self.path), "--testing-library", "swift-testing"]
        command += [word for test in tests for word in ("--filter", rf"^{test}\.")]
        # In a process group of its own, because a test may start processes.
        process = subprocess.Popen(
            command, cwd=TREE, env=environment, text=True, errors="replace", start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )  # fmt: skip
        is_late = threading.Event()

        def stop() -> None:
            is_late.set()
            end(process)

        timer = threading.Timer(limit, stop)
        timer.start()
        reason = None
        for line in process.stdout:
            # The first failure is enough.
            if " recorded an issue" in line:
                reason = re.sub(r"^\W+", "", line.strip())
                end(process)
                break
        timer.cancel()
        status = process.wait()
        process.stdout.close()
        if is_late.is_set():
            return f"did not end within {limit:.0f} s"
        return reason or (f"exit status {status}" if status else None)


def end(process: subprocess.Popen) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def test_stages(package: dict[str, dict], target: str, are_all_run: bool) -> list[list[str]]:
    """The tests that can reach a target: its own, then those of the targets that use it."""
    tests = [name for name, each in package.items() if each["type"] == "test" and name not in UNUSED_TESTS]
    # Targets in C have no tests of their own: the tests of the targets that use them stand in.
    users = [name for name, each in package.items() if target in each.get("target_dependencies", [])]
    homes = [target] if f"{target}Tests" in tests else users
    own = [name for name in tests if name.removesuffix("Tests") in homes]
    others = [name for name in tests if name not in own and target in reachable(package, {name})]
    return [stage for stage in [own, others if are_all_run or not own else []] if stage]


def test(binary: Binary, number: int, candidate: Candidate, plan: list[list[str]]) -> str | None:
    for tests in plan:
        limit = sum(binary.limits[test] for test in tests)
        if reason := binary.run(tests, number, limit):
            return reason
    return None


def source_lines(candidate: Candidate) -> tuple[str, str]:
    source = Source.read(candidate.path)
    line = source.line_text(candidate.line)
    start = candidate.start - source.starts[candidate.line - 1]
    end = candidate.end - source.starts[candidate.line - 1]
    return line.strip(), (line[:start] + candidate.shown + line[end:]).strip()


def parsed_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Counts how many small faults the unit tests detect.")
    parser.add_argument("--seed", type=int, default=1, help="selects the mutants (default: 1)")
    parser.add_argument("--count", type=int, default=100, help="how many mutants (default: 100)")
    parser.add_argument("--targets", nargs="*", default=[], metavar="TARGET", help="folders of Sources (default: all)")
    parser.add_argument("--own", action="store_true", help="only run the tests of the mutated target itself")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="test processes at a time")
    parser.add_argument("--minimum", type=float, default=0, metavar="PERCENT", help="fail if fewer are killed")
    return parser.parse_args()


def main() -> int:
    options = parsed_arguments()
    package = describe()
    known = {path.name for path in (ROOT / "Sources").iterdir() if path.is_dir()} - UNTESTED
    targets = sorted(options.targets or known)
    if unknown := set(targets) - known:
        sys.exit(f"Sources has no {', '.join(sorted(unknown))} with tests.")
    WORK.mkdir(parents=True, exist_ok=True)
    plans = {target: test_stages(package, target, not options.own) for target in targets}
    needed = {name for plan in plans.values() for tests in plan for name in tests}
    mutants = Mutants(options.seed, options.count, targets, reachable(package, needed))
    mutants.build()

    binary = Binary(next((TREE / ".build/debug").glob("*PackageTests.xctest")))
    for name in sorted({name for each in mutants.chosen.values() for tests in plans[each.target] for name in tests}):
        began = time.monotonic()
        if reason := binary.run([name], None, 600):
            sys.exit(f"{name} fail without any mutant: {reason}")
        # A mutant whose tests never end costs this much time.
        binary.limits[name] = 15 + 3 * (time.monotonic() - began)

    survivors, totals, killed = [], collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        order = sorted(mutants.chosen.items(), key=lambda each: (each[1].path, each[1].line))
        results = {pool.submit(test, binary, n, each, plans[each.target]): (n, each) for n, each in order}
        for done, result in enumerate(concurrent.futures.as_completed(results), 1):
            number, candidate = results[result]
            reason = result.result()
            totals[candidate.target] += 1
            killed[candidate.target] += reason is not None
            if reason is None:
                survivors.append((number, candidate))
            word = f"killed    ({reason})" if reason else "SURVIVED"
            print(f"[{done:3}/{len(results)}] {candidate.path}:{candidate.line} {word}"[:200], flush=True)

    print("\nSurvivors:" if survivors else "\nNo survivors.")
    for number, candidate in sorted(survivors, key=lambda each: (each[1].path, each[1].line)):
        original, changed = source_lines(candidate)
        print(f"{candidate.path}:{candidate.line} (SWATCHCAM_MUTANT={number})\n  - {original}\n  + {changed}")
    print()
    for target in sorted(totals):
        print(f"{target:14} {killed[target]:3} of {totals[target]:3} killed")
    share = 100 * killed.total() / max(totals.total(), 1)
    print(f"Seed {options.seed}: {killed.total()} of {totals.total()} killed, {share:.0f} %.")
    return int(share < options.minimum)


if __name__ == "__main__":
    sys.exit(main())
