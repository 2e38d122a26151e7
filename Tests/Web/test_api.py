"""docs/openapi.json is valid, and the server does what it says.

SWATCHCAM_API_SEED is the seed of the requests that schemathesis makes, by default 1.
"""

import contextlib
import http.client
import json
import os
import re
import subprocess
import sys
import urllib.parse
import urllib.request

import openapi_spec_validator
import pytest
import websockets.sync.client
from conftest import HERE
from Harness import program
from Harness.program import ROOT
from Harness.waiting import stretched, wait_until
from jsonschema import Draft202012Validator, FormatChecker

FILE = ROOT / "docs/openapi.json"
API = json.loads(FILE.read_text())
TOKEN = "test-token-of-forty-letters-and-a-few-more"


def validator(schema) -> Draft202012Validator:
    """A validator for a schema that may refer to schemas of the description."""
    return Draft202012Validator(schema | {"components": API["components"]}, format_checker=FormatChecker())


def named(name: str) -> Draft202012Validator:
    return validator({"$ref": f"#/components/schemas/{name}"})


def ask(server, method: str, path: str, fields=None, body=None):
    """Status, fields and body; no body if it is endless."""
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=stretched())
    with contextlib.closing(client):
        client.request(method.upper(), path, body, fields or {})
        response = client.getresponse()
        return response.status, response.headers, response.read(1 << 20) if response.length is not None else b""


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


# The description itself


def test_the_description_is_valid_openapi():
    openapi_spec_validator.validate(API)


def test_every_example_in_the_description_is_valid():
    count = 0
    for schema in API["components"]["schemas"].values():
        for value in schema.get("examples", []):
            validator(schema).validate(value)
            count += 1
    assert count > 5


def test_every_component_of_the_description_is_referred_to():
    text = FILE.read_text()
    for kind in ("responses", "schemas"):
        for name in API["components"][kind]:
            assert f'"#/components/{kind}/{name}"' in text


def test_the_description_has_the_version_of_the_program():
    assert API["info"]["version"] == program.run("--version").stdout.strip()


# The routes


def described(path: str) -> bool:
    return any(re.fullmatch(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(one)), path) for one in API["paths"])


def test_every_path_that_the_pages_use_is_described(server):
    """The paths are found as a browser finds them: from a page to its scripts, and to those that they import."""
    seen, waiting, used = set(), ["/", "/kiosk", "/test"], set()
    while waiting:
        address = waiting.pop()
        if address in seen:
            continue
        seen.add(address)
        text = ask(server, "get", address)[2].decode()
        links = re.findall(r"""(?:src="|from ?"|import ?"|import\(")([^"]+\.js)""", text)
        waiting += [urllib.parse.urljoin(address, link) for link in links]
        # Addresses are relative to the page.
        used |= set(
            re.findall(
                r"""["'`](?:\./)?((?:api/[a-z/-]*[a-z](?:\.json)?|ws|[a-z]+\.(?:jpg|mjpg)|healthz|login|logout))""",
                text,
            )
        )
    assert {"api/settings", "api/cameras", "ws"} <= used
    # An address that continues with a name ends before it here.
    assert {path for path in used if not described("/" + path) and not described(f"/{path}/name")} == set()


def test_every_request_in_the_documentation_is_described():
    rows = re.findall(r"`(GET|PUT|POST|PATCH|DELETE) (/[^`]+)`", (ROOT / "docs/api.md").read_text())
    assert len(rows) > 10
    assert [(method, path) for method, path in rows if method.lower() not in API["paths"].get(path, {})] == []


# Answers


# A number rather than a time, because the requests that are sent must not depend on the machine's speed.
@pytest.mark.slow
def test_generated_requests_of_every_operation_are_answered_as_described(server, tmp_path):
    seed = os.environ.get("SWATCHCAM_API_SEED", "1")
    print(f"\n    SWATCHCAM_API_SEED={seed}")
    command = [sys.executable, "-m", "schemathesis.cli", "--no-color", "--config-file", str(HERE / "schemathesis.toml")]
    command += ["run", str(FILE), "--url", server.url, "--seed", seed, "--max-examples", "100"]
    command += ["--generation-database", "none"]
    run = subprocess.run(
        command,
        cwd=tmp_path,
        env=os.environ | {"SCHEMATHESIS_HOOKS": "schemathesis_hooks", "PYTHONPATH": str(HERE)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    print("   ", *re.findall(r"\d+ generated.*", run.stdout))


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("post", "/api/camera", {"id": "test-pattern", "ID": "/dev/video0"}),
        ("put", "/api/controls/brightness", {"value": 1, "values": 2}),
        ("put", "/api/settings", {"effect": "none", "efect": "edges"}),
        ("post", "/api/samples", {"name": "Leaf", "reading": 3}),
        ("patch", "/api/samples/7", {"name": "Leaf", "id": 3}),
        ("post", "/api/marks", {"text": "Leaf", "kind": "lock"}),
        ("put", "/api/calibration", {"measurements": {}, "measurement": {}}),
    ],
)
def test_a_key_that_is_not_described_is_refused(server, method, path, body):
    status, _, _ = ask(server, method, path, {"Content-Type": "application/json"}, json.dumps(body))
    assert status == 400


IS_JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("method", "path", "fields", "body", "status", "code"),
    [
        ("get", "/api/reading", {"Host": "evil.example"}, None, 421, "wrong-host"),
        ("get", "/api/reading", {"Host": "localhost:port"}, None, 400, "bad-host"),
        ("post", "/api/camera", IS_JSON, "{}", 400, "bad-camera"),
        ("put", "/api/controls/gain", IS_JSON, "{}", 400, "bad-control"),
        ("put", "/api/controls/exposure", IS_JSON, "{}", 400, "bad-control"),
        ("post", "/api/controls/exposure", {}, None, 503, "no-camera"),
        ("delete", "/api/controls/exposure", {}, None, 503, "no-camera"),
        ("put", "/api/calibration", IS_JSON, "{}", 400, "bad-calibration"),
        ("delete", "/api/calibration", {}, None, 404, "calibration-not-found"),
        ("put", "/api/settings", IS_JSON, '{"effect": 7}', 400, "bad-settings"),
        ("put", "/api/settings", IS_JSON, " " * 65_537, 413, "body-too-large"),
        ("put", "/api/settings", {"Content-Type": "text/plain"}, "{}", 415, "not-json"),
        ("post", "/login", IS_JSON, "{}", 415, "not-a-form"),
        ("get", "/stream.mjpg?fps=0", {}, None, 400, "bad-fps"),
    ],
)
def test_a_refusal_has_the_described_status_and_code(server, method, path, fields, body, status, code):
    answer, _, content = ask(server, method, path, fields, body)
    error = json.loads(content)
    named("Error").validate(error)
    assert (answer, error["error"]["code"]) == (status, code)
    assert str(status) in API["paths"][path.partition("?")[0].replace("gain", "{name}")][method]["responses"]


def test_readings_without_a_colour_are_as_described(start_server):
    server = start_server(device="/dev/video-that-is-not-there")
    reading = wait_until(
        lambda: json.loads(ask(server, "get", "/api/reading")[2]),
        "the server is still starting",
        holds=lambda reading: reading["state"] != "starting",
    )
    named("Reading").validate(reading)
    assert reading["state"] == "no-camera"
    status, _, body = ask(server, "get", "/healthz")
    named("Error").validate(json.loads(body))
    assert status == 503


def test_every_message_of_the_websocket_is_a_reading_as_described(server):
    with websockets.sync.client.connect(f"ws://127.0.0.1:{server.port}/ws") as client:
        for _ in range(3):
            named("Reading").validate(json.loads(client.recv(stretched())))
    status, fields, body = ask(server, "get", "/ws")
    assert (status, fields["Upgrade"]) == (426, "websocket")
    named("Error").validate(json.loads(body))


def test_the_stream_has_the_described_content_type(server):
    with urllib.request.urlopen(server.url + "stream.mjpg?fps=5", timeout=stretched()) as stream:
        kind = stream.headers["Content-Type"].split(";")[0]
        assert [kind] == list(API["paths"]["/stream.mjpg"]["get"]["responses"]["200"]["content"])
        assert stream.readline().startswith(b"--")
        fields = dict(stream.readline().decode().strip().split(": ") for _ in range(3))
    assert fields.keys() == {"Content-Type", "Content-Length", "X-Timestamp"}
    assert fields["Content-Type"] == "image/jpeg"


# Tokens


def test_wrong_tokens_are_refused_and_after_ten_guesses_with_the_time_to_wait(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\n')
    for number in range(10):
        status, _, body = ask(server, "get", "/api/reading", bearer(f"guess {number}"))
        assert (status, json.loads(body)["error"]["code"]) == (401, "wrong-token")
    status, fields, body = ask(server, "get", "/api/reading", bearer("guess 10"))
    assert (status, json.loads(body)["error"]["code"]) == (429, "too-many-guesses")
    assert int(fields["Retry-After"]) > 0
