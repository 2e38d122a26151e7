"""Figures and tables of the documents, compared with the program."""

import json
import re
import socket
import tomllib
import urllib.parse

import pytest
from conftest import TOKEN
from documents import text
from Harness import api, program
from Harness.server import running
from Harness.waiting import wait_until

API = json.loads(text("docs/openapi.json"))
SCHEMAS = API["components"]["schemas"]


def test_mistakes_are_reported_as_the_guide_shows(tmp_path):
    (tmp_path / "config.toml").write_text("\n" * 10 + "[camera]\nwidht = 640\n" + "\n" * 7 + "fps = 900\n")
    said = program.run("check", cwd=tmp_path).stdout
    shown = text("docs/configuration.md").split("```text\n")[1].split("```")[0]
    assert [re.sub(r":\d+:", ":", line) for line in said.splitlines()] == [
        re.sub(r":\d+:", ":", line) for line in shown.splitlines()
    ]


# Numbers in sentences

CLAIMS = [
    ("docs/api.md", r"mean of (\d+) readings, or of (\d+) to (\d+),", ["SampleOrder.readings.default", "SampleReadings.minimum", "SampleReadings.maximum"]),
    ("docs/api.md", r"averages readings of frames that are captured after the request, (\d+) to (\d+),", ["VerdictOrder.readings.minimum", "VerdictOrder.readings.maximum"]),
    ("docs/api.md", r"with a text of (\d+) to (\d+) characters", ["MarkOrder.text.minLength", "MarkOrder.text.maxLength"]),
    ("docs/history.md", r"A name has up to (\d+) characters", ["RecordingOrder.name.maxLength"]),
    ("docs/measuring.md", r"a text of up to (\d+) characters", ["MarkOrder.text.maxLength"]),
    ("docs/measuring.md", r"mean of (\d+) readings \((\d+) to (\d+)\)", ["SampleOrder.readings.default", "SampleReadings.minimum", "SampleReadings.maximum"]),
    ("docs/targets.md", r"with up to (\d+) targets", ["SettingsChange.targets.maxItems"]),
    ("docs/targets.md", r"\(ΔE00\) that is accepted, ([\d.]+) to (\d+); without that line, it is (\d+)", ["ToleranceLimit.minimum", "ToleranceLimit.maximum", 2]),
    ("docs/mqtt.md", r"readings per second, ([\d.]+)…(\d+)", ["Settings.rate.minimum", "Settings.rate.maximum"]),
    ("docs/man/swatchcam.1", r"The number of readings to average, (\d+) to (\d+); the default is (\d+)\.", ["SampleReadings.minimum", "SampleReadings.maximum", "SampleOrder.readings.default"]),
    ("docs/man/swatchcam.1", r"The name of the sample, of up to (\d+) characters", ["SampleName.maxLength"]),
    ("docs/man/swatchcam.1", r"CIEDE2000 that passes, ([\d.]+) to (\d+);", ["ToleranceLimit.minimum", "ToleranceLimit.maximum"]),
    ("docs/mqtt.md", r"every `mqtt.interval` \((\d+) s\)", ["mqtt.interval"]),
    ("docs/mqtt.md", r"more than `mqtt.change` \(ΔE00 (\d+)\)", ["mqtt.change"]),
    ("docs/history.md", r"A row is the mean of `interval` seconds, (\d+) by default", ["history.interval"]),
    ("docs/security.md", r"\| Samples kept \| ([\d,]+) \|", ["SampleList.samples.maxItems"]),
    ("docs/security.md", r"\| Targets \| (\d+) \|", ["SettingsChange.targets.maxItems"]),
]  # fmt: skip


def known(name) -> float:
    """A figure of the API's description (Schema.property.word), or a default of the configuration (table.key)."""
    if not isinstance(name, str):
        return name
    first, *rest = name.split(".")
    if first not in SCHEMAS:
        return tomllib.loads(text("config.toml"))[first][rest[0]]
    schema = SCHEMAS[first]
    for word in rest:
        schema = schema.get("properties", {}).get(word) or schema[word]
    return schema


@pytest.mark.parametrize(("path", "pattern", "names"), CLAIMS)
def test_numbers_in_sentences_are_those_of_the_api_and_the_configuration(path, pattern, names):
    found = re.search(pattern, text(path))
    assert found, "The sentence has changed: change this test, too."
    assert [float(number.replace(",", "")) for number in found.groups()] == [float(known(name)) for name in names]


# Limits of requests (docs/security.md)


def limits() -> dict[str, list[int]]:
    table = text("docs/security.md").split("## Limits")[1].split("###")[0]
    return {
        row[0]: [int(number.replace(",", "")) for number in re.findall(r"\b[\d,]+\b", row[1])]
        for row in re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", table, re.MULTILINE)[1:]
    }


def answered(server, method: str, path: str, body: bytes = b"", fields=None) -> tuple[int, str]:
    response = api.request(f"{server.url}{path}", method, body if method != "GET" else None, fields=fields)
    return response.status, response.json["error"]["code"] if response.status >= 400 else ""


JSON = {"Content-Type": "application/json"}


def test_a_head_has_this_size_and_these_fields(reader):
    kibibytes, fields, *_ = limits()["Head of a request"]

    def status(lines: list[str]) -> int:
        with socket.create_connection(("127.0.0.1", reader.server.port)) as client:
            client.sendall(
                (
                    "\r\n".join(["GET /healthz HTTP/1.1", "Host: localhost", "Connection: close", *lines]) + "\r\n\r\n"
                ).encode()
            )
            return int(client.recv(100).split()[1])

    assert status([f"X-{number}: 1" for number in range(fields - 2)]) == 200
    assert status([f"X-{number}: 1" for number in range(fields)]) == 431
    assert status([f"X: {'x' * (kibibytes * 1024 - 200)}"]) == 200
    assert status([f"X: {'x' * (kibibytes * 1024 + 1)}"]) == 431


def test_a_body_has_this_size(reader):
    kibibytes, *_ = limits()["Body of a request"]
    assert answered(reader.server, "POST", "api/marks", b" " * (kibibytes * 1024), JSON) == (400, "bad-mark")
    assert answered(reader.server, "POST", "api/marks", b" " * (kibibytes * 1024 + 1), JSON) == (413, "body-too-large")


def test_json_has_these_levels_values_and_characters(reader):
    levels, values, characters = limits()["JSON in a body"]

    def code(document: str) -> str:
        return answered(reader.server, "POST", "api/marks", document.encode(), JSON)[1]

    assert code("[" * levels + "]" * levels) == "bad-mark"
    assert code("[" * (levels + 1) + "]" * (levels + 1)) == "bad-json"
    assert code(json.dumps([1] * (values - 1))) == "bad-mark"
    assert code(json.dumps([1] * (values + 1))) == "bad-json"
    assert code(json.dumps({"text": "x" * characters})) == "bad-mark"
    assert code(json.dumps({"text": "x" * (characters + 1)})) == "bad-json"


def test_every_limit_names_tests_that_exist():
    rows = text("docs/security.md").split("### Shares")[1]
    named = {
        name
        for row in rows.splitlines()
        if row.startswith("| ")
        for name in re.findall(r"`([A-Z]\w+Tests[+\w]*|test_\w+\.py)`", row)
    }
    assert len(named) > 10
    files = {path.name for path in (program.ROOT / "Tests").rglob("*") if path.suffix in (".swift", ".py")}
    assert {name for name in named if name not in files and f"{name}.swift" not in files} == set()


# The API


def orders() -> list:
    """Every request of the description whose body has an example."""
    found = []
    for path, item in API["paths"].items():
        for method, operation in item.items():
            if not isinstance(operation, dict) or "requestBody" not in operation:
                continue
            for kind, media in operation["requestBody"]["content"].items():
                schema = media.get("schema", {})
                schema = SCHEMAS.get(schema.get("$ref", "").rpartition("/")[2], schema)
                examples = [media["example"]] if "example" in media else schema.get("examples", [])
                found += [
                    pytest.param(method.upper(), path, kind, body, id=f"{method} {path} {json.dumps(body)}")
                    for body in examples
                ]
    return found


@pytest.mark.parametrize(("method", "path", "kind", "body"), orders())
def test_the_examples_of_requests_are_accepted(reader, method, path, kind, body):
    parameters = {"{id}": "7", "{name}": "Example"}
    for name, value in parameters.items():
        path = path.replace(name, value)
    if path.startswith("/api/absorbance/"):
        # The whole picture is clipped somewhere. A standard needs a blank.
        api.request(f"{reader.server.url}api/settings", "PUT", {"region": [0.17, 0.59, 0.06, 0.1]})
        api.request(f"{reader.server.url}api/absorbance/blank", "PUT", {"readings": 8})
    if path.endswith("/read"):
        points = [{"value": value, "color": f"rgb({value} 0 0)"} for value in (50, 120, 200)]
        api.request(f"{reader.server.url}api/scales/Example", "PUT", {"points": points})
    if method == "PATCH" and path.startswith("/api/targets/"):
        api.request(f"{reader.server.url}{path[1:]}", "PUT", {"color": "red"})
    if path == "/api/chart":
        body = "name,L,a,b\n" + body
    if isinstance(body, dict) and "time" in body:
        # The history has no other hour.
        body = body | {"time": api.get_json(f"{reader.server.url}api/reading")["time"]}
    sent = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    response = api.request(f"{reader.server.url}{path[1:]}", method, sent, fields={"Content-Type": kind})
    if path.startswith("/api/controls/") and response.status >= 400:
        assert response.json["error"]["code"] in ("control-not-found", "no-camera"), "the scene has two controls"
    else:
        assert 200 <= response.status < 300, response.text
    # For the next test.
    api.request(f"{reader.server.url}api/absorbance", "DELETE")
    api.request(f"{reader.server.url}api/recording", "DELETE")
    api.request(f"{reader.server.url}api/settings", "DELETE")


def test_the_example_of_a_difference_is_the_answer_to_the_examples_of_its_parameters(reader):
    colors = {one["name"]: one["example"] for one in API["paths"]["/api/difference"]["get"]["parameters"]}
    answer = api.get_json(f"{reader.server.url}api/difference?{urllib.parse.urlencode(colors)}")
    assert SCHEMAS["Difference"]["examples"] == [answer]


def test_the_guide_shows_the_same_difference(reader):
    block = text("docs/api.md").split("## A difference")[1].split("```json\n")[1].split("```")[0]
    assert json.loads(block) == SCHEMAS["Difference"]["examples"][0]


@pytest.mark.parametrize(("name", "schema"), [("A reading", "Reading"), ("A sample", "StoredSample")])
def test_the_example_in_the_guide_has_every_field(name, schema):
    block = text("docs/api.md").split(f"## {name}\n")[1].split("```json\n")[1].split("```")[0]
    allOf = SCHEMAS[schema].get("allOf", [SCHEMAS[schema]])
    parts = [SCHEMAS.get(part.get("$ref", "").rpartition("/")[2], part) for part in allOf]
    assert set(json.loads(block)) == {key for part in parts for key in part.get("properties", {})}


@pytest.mark.parametrize(
    ("address", "document", "heading"),
    [("samples.csv", "docs/api.md", "## A sample\n"), ("history.csv?span=1h", "docs/history.md", "### Columns\n")],
)
def test_the_guide_lists_the_columns_of_a_table_in_their_order(reader, address, document, heading):
    columns = api.request(f"{reader.server.url}{address}").text.splitlines()[0].split(",")
    # Other commands of the guide may have set probes. Their columns have a space between the name and the quantity.
    header = [column for column in columns if " " not in column]
    rows = re.findall(r"^\| (`.*?) \|", text(document).split(heading)[1].split("\n## ")[0], re.MULTILINE)
    listed = []
    for row in rows:
        names = re.findall(r"`(\w+)`", row)
        if "..." in row:
            first, last = (header.index(name) for name in names[:2])
            names = header[first : last + 1] + names[2:]
        listed += names
    assert listed == header


def test_a_reading_has_about_as_many_bytes_as_the_guide_says(reader):
    said = re.search(r"as long as a reading \(([\d,]+) bytes\)", text("docs/performance.md"))
    length = len(api.request(f"{reader.server.url}api/reading").body)
    assert int(said[1].replace(",", "")) == pytest.approx(length, rel=0.25)


STATUS = {
    "badRequest": 400, "unauthorized": 401, "forbidden": 403, "notFound": 404, "methodNotAllowed": 405, "requestTimeout": 408,
    "conflict": 409, "payloadTooLarge": 413, "contentTooLarge": 413, "unsupportedMediaType": 415, "misdirectedRequest": 421, "upgradeRequired": 426,
    "tooManyRequests": 429, "internalServerError": 500, "notImplemented": 501, "serviceUnavailable": 503, "httpVersionNotSupported": 505,
}  # fmt: skip


def test_the_table_of_errors_has_the_statuses_of_the_sources():
    rows = re.findall(r"^\| (`[^|]*) \| ([\d, ]+) \|", text("docs/api.md").split("### Errors")[1], re.MULTILINE)
    listed = {
        code: set(map(int, statuses.split(",")))
        for codes, statuses in rows
        for code in re.findall(r"`([a-z-]+)`", codes)
    }
    assert set(listed) == set(SCHEMAS["ErrorCode"]["enum"])
    wrong = []
    for path in sorted((program.ROOT / "Sources/Dashboard/Web").rglob("*.swift")):
        for status, code in re.findall(r'status: \.(\w+),\s*code:\s*"([a-z-]+)"', path.read_text()):
            if STATUS[status] not in listed[code]:
                wrong.append(f"{path.name}: {code} is {STATUS[status]}, not {listed[code]}")
    assert wrong == []


def test_the_guide_lists_every_effect(reader):
    effects = [one["name"] for one in api.get_json(f"{reader.server.url}api/settings")["effects"]]
    listed = re.findall(r"^\| .* \| `([a-z-]+)`:", text("docs/effects.md"), re.MULTILINE)
    assert listed == [name for name in effects if name != "none"]


def allowed(key: str) -> list[str]:
    """The words that a key of the configuration accepts, according to the line above it."""
    facts = re.search(rf"^# Default: .*?;(.*)\n#?{key} = ", text("config.toml"), re.MULTILINE)
    return re.findall(r'"([a-z]+)"', facts[1])


def test_the_guide_lists_every_view_of_the_kiosk():
    assert set(re.findall(r"/kiosk\?show=([a-z]+)", text("docs/page.md"))) == set(allowed("show"))


def items(manual: str, macro: str = "Cm") -> list[str]:
    """The words of a list in the source of a manual page."""
    lines = " ".join(
        line
        for line in manual.splitlines()
        if line.startswith(f".{macro}") or line in ("or",) or not line.startswith(".")
    )
    return re.findall(r"[a-z]+", " ".join(re.findall(rf"\.{macro} ([a-z ,]+)", lines)))


def test_the_manual_lists_every_notation_and_every_level():
    manual = text("docs/man/swatchcam.1")
    formats = manual.split(".It Fl -format Ar notation\n")[1].split(".It Fl")[0]
    usage = program.run("read", "--help").stdout
    assert [word for word in items(formats) if word != "or"] == re.search(r"\(values:([^)]*)\)", usage)[1].replace(
        ",", " "
    ).split()
    levels = manual.split(".It Fl -log-level Ar level\n")[1].split(".El")[0]
    assert [word for word in items(levels) if word != "or"] == allowed("level")


# What happens when


@pytest.mark.parametrize("command", [["cameras"], ["check"], ["status"]], ids=" ".join)
def test_the_three_commands_of_troubleshooting_run(reader, command):
    """`swatchcam cameras`, `swatchcam check` and `swatchcam status`."""
    assert " ".join(["swatchcam", *command]) in text("docs/troubleshooting.md")
    result = reader.run(["bash", "-c"], " ".join(["swatchcam", *command]))
    # Without a camera, the first one says so.
    assert result.returncode == 0 or (command == ["cameras"] and "camera" in result.stderr), result.stderr


def test_a_view_token_that_is_removed_is_refused_at_once_and_a_token_holds_until_the_restart(tmp_path):
    owner = "token-of-the-owner-that-swatchcam-token-has-printed"
    with running(tmp_path, config=f'[web]\ntoken = "{owner}"\nview_token = "{TOKEN}"\n') as server:
        reading = f"{server.url}api/reading"
        assert api.request(reading, token=TOKEN).status == 200
        server.config.write_text(f'[camera]\ndevice = "test-pattern"\n[web]\ntoken = "{owner}"\n')
        wait_until(lambda: api.request(reading, token=TOKEN).status == 401, "the view token is still accepted")
        server.config.write_text('[camera]\ndevice = "test-pattern"\n')
        server.wait_for_log("restart")
        assert api.request(reading).status == 401
        assert api.request(reading, token=owner).status == 200


def test_the_second_service_has_its_own_configuration_and_state(reader):
    unit = text("docs/service.md").split("As a service, with that")[1].split("```sh\n")[1].split("```")[0]
    assert reader.run(["bash", "-ec"], unit).returncode == 0
    lines = (reader.folder / "swatchcam-second.service").read_text().splitlines()
    assert "StateDirectory=swatchcam-second" in lines
    assert "ExecStart=/usr/bin/swatchcam serve --config /etc/swatchcam/second.toml" in lines


def test_two_instances_keep_their_state_apart(reader, tmp_path):
    """`XDG_STATE_HOME`"""
    with running(tmp_path) as second:
        assert api.request(f"{second.url}api/samples", "POST", {"readings": 1}).json["id"] == 1
        assert api.get_json(f"{second.url}api/samples")["problem"] is None
