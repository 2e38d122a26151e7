"""The metrics, read by the real Prometheus of Debian 13, and before a release also by that of Debian 12.

    .venv/bin/python -m pytest Tests/Metrics

SWATCHCAM names the program, .build/release/swatchcam if it is not set.
"""

import json
import subprocess
import urllib.parse
from pathlib import Path

import pytest
from Harness import api
from Harness.program import free_port
from Harness.server import starting
from Harness.waiting import PATIENCE, stretched, wait_until

HERE = Path(__file__).parent
TOKEN = "owner-token-of-forty-letters-and-a-few-more"
VIEW_TOKEN = "view-token-of-forty-letters-and-a-few-more"

GREY_CARD = """
[readings]
region = [0.74, 0.12, 0.1, 0.1]
"""
"""The grey card of the test pattern, which has a colour temperature (docs/test-pattern.md)."""

TARGETS = """
[[targets]]
name = 'Oak, "light" \\ pale'
color = "#B08D57"

[[targets]]
name = "Grey card"
color = "#777777"
"""


class Prometheus:
    """The Prometheus of a Debian: its tools, and after `start` its server."""

    def __init__(self, suite: str, folder: Path):
        made = subprocess.run([HERE / "prometheus", suite], check=True, stdout=subprocess.PIPE, text=True)
        self.programs = Path(made.stdout.strip())
        self.folder = folder
        self.url = ""

    def promtool(self, *arguments: str | Path, text: str = "") -> subprocess.CompletedProcess:
        command = [self.programs / "promtool", *arguments]
        return subprocess.run(command, check=False, input=text, capture_output=True, text=True, timeout=stretched())

    def start(self, jobs: str) -> subprocess.Popen:
        """Starts the server, which scrapes these jobs each second."""
        config = self.folder / "prometheus.yml"
        config.write_text(f"global: {{scrape_interval: 1s, scrape_timeout: 1s}}\nscrape_configs:\n{jobs}")
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        options = [
            f"--config.file={config}",
            f"--storage.tsdb.path={self.folder / 'data'}",
            f"--web.listen-address=127.0.0.1:{port}",
        ]
        with (self.folder / "prometheus.log").open("wb") as log:
            return subprocess.Popen([self.programs / "prometheus", *options], stdout=log, stderr=log)

    def ask(self, path: str, **parameters: str) -> dict | list:
        """The data of an answer of Prometheus's own API."""
        response = api.request(f"{self.url}/api/v1/{path}?{urllib.parse.urlencode(parameters)}")
        answer = json.loads(response.body)
        assert answer["status"] == "success", answer
        return answer["data"]

    def query(self, expression: str) -> list:
        return self.ask("query", query=expression)["result"]

    def values(self, expression: str) -> list[float]:
        return [float(series["value"][1]) for series in self.query(expression)]

    def wait_for(self, expression: str) -> list:
        """The series of a query, once there are any."""
        return wait_until(lambda: self.query(expression), f"no data: {expression}", timeout=2 * PATIENCE)


@pytest.fixture(scope="session")
def start_server(tmp_path_factory):
    with starting(tmp_path_factory.mktemp("servers")) as start:
        yield lambda config="", **how: start(config=config, **how)


@pytest.fixture(scope="session")
def guarded(start_server, tmp_path_factory):
    """A server that requires a token, waits for a broker and has targets. Its history makes it read all the time."""
    folder = tmp_path_factory.mktemp("history")
    web = f'[web]\ntoken = "{TOKEN}"\nview_token = "{VIEW_TOKEN}"\n'
    mqtt = f'[mqtt]\nhost = "127.0.0.1"\nport = {free_port()}\n'
    return start_server(f'{GREY_CARD}{web}{mqtt}[history]\nfolder = "{folder}"\n{TARGETS}')


@pytest.fixture(scope="session")
def open_to_all(start_server):
    """A server that requires a token for all but the metrics."""
    return start_server(f'{GREY_CARD}[web]\ntoken = "{TOKEN}"\n[metrics]\nopen = true\n')


@pytest.fixture(scope="session", params=["trixie", pytest.param("bookworm", marks=pytest.mark.release)])
def prometheus(request, guarded, open_to_all, tmp_path_factory):
    """Prometheus, which scrapes one server with the right token and with a wrong one, and one that is open."""
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "token").write_text(VIEW_TOKEN + "\n")
    (folder / "wrong").write_text("wrong-" + VIEW_TOKEN)

    def job(name, server, file=None):
        access = f"    authorization: {{credentials_file: {folder / file}}}\n" if file else ""
        return f'  - job_name: {name}\n{access}    static_configs:\n      - targets: ["127.0.0.1:{server.port}"]\n'

    prometheus = Prometheus(request.param, folder)
    jobs = [
        job("guarded", guarded, "token"),
        job("wrong", guarded, "wrong"),
        job("open", open_to_all),
    ]
    process = prometheus.start("".join(jobs))
    try:
        wait_until(
            lambda: process.poll() is None and is_ready(prometheus.url),
            lambda: f"Prometheus is not ready:\n{(folder / 'prometheus.log').read_text()}",
        )
        yield prometheus
    finally:
        process.terminate()
        process.wait(stretched())


def is_ready(url: str) -> bool:
    try:
        return api.request(f"{url}/-/ready").status == 200
    except OSError:
        return False
