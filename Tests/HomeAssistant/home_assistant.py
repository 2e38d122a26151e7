"""Home Assistant and a broker, which run in the Debian that `prepare` makes."""

import contextlib
import json
import queue
import shutil
import subprocess
import tempfile
import threading
import urllib.parse
from pathlib import Path

import websockets.sync.client
from Harness.api import Response, request
from Harness.program import ROOT, free_port
from Harness.waiting import stretched, wait_until

HERE = Path(__file__).parent
PATIENCE = 60.0
"""Seconds in which Home Assistant starts on an idle machine, and in which it notices a broker that is back."""


class Debian:
    """The root with Home Assistant and mosquitto, and a folder in it for this run."""

    def __init__(self):
        made = subprocess.run([HERE / "prepare"], check=True, stdout=subprocess.PIPE, text=True)
        self.root = Path(made.stdout.strip())
        self.folder = Path(tempfile.mkdtemp(prefix="run-", dir=self.root / "var"))
        self.folder.chmod(0o755)
        self.inside = Path("/", self.folder.relative_to(self.root))

    def command(self, *arguments: str | Path) -> list:
        """The command that runs a program there, with this machine's network and nothing else of it."""
        mounts = f"mount --bind /dev {self.root}/dev && mount -t proc proc {self.root}/proc"
        return ["unshare", "--mount", "sh", "-c", f'{mounts} && exec chroot "$@"', "sh", self.root, *arguments]

    def start(self, log: str, *arguments: str | Path, **options) -> subprocess.Popen:
        with (self.folder / log).open("ab") as file:
            return subprocess.Popen(self.command(*arguments), **{"stdout": file, "stderr": file} | options)

    def remove(self) -> None:
        shutil.rmtree(self.folder)


def stop(process: subprocess.Popen) -> None:
    process.terminate()
    process.wait(stretched(PATIENCE))


class Broker:
    """mosquitto. It forgets everything when it ends."""

    def __init__(self, debian: Debian):
        self.debian, self.port = debian, free_port()
        # It would change to a user of its own.
        (debian.folder / "mosquitto.conf").write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\nuser root\n"
        )
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        self.process = self.debian.start("mosquitto.log", "mosquitto", "-c", self.debian.inside / "mosquitto.conf")
        wait_until(lambda: self.publish("lab/ready", "x").returncode == 0, "the broker does not answer")

    def stop(self) -> None:
        stop(self.process)

    def publish(self, topic: str, text: str | bytes, quality=0, retain=False) -> subprocess.CompletedProcess:
        options = [
            "-h",
            "127.0.0.1",
            "-p",
            str(self.port),
            "-q",
            str(quality),
            *(["-r"] if retain else []),
            "-t",
            topic,
        ]
        data = text if isinstance(text, bytes) else text.encode()
        command = ["chroot", self.debian.root, "mosquitto_pub", *options, *(["-s"] if data else ["-n"])]
        return subprocess.run(command, check=False, input=data, capture_output=True, timeout=stretched())

    @contextlib.contextmanager
    def listening(self, topic: str):
        """A function that returns the next message of these topics as `topic payload`."""
        options = ["-h", "127.0.0.1", "-p", str(self.port), "-q", "1", "-R", "-v", "-t", topic]
        command = ["chroot", self.debian.root, "stdbuf", "-oL", "mosquitto_sub", *options, "-t", "lab/listening"]
        messages: queue.Queue[str] = queue.Queue()
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            reader = threading.Thread(target=lambda: [messages.put(line.rstrip("\n")) for line in process.stdout])
            reader.start()

            def is_subscribed() -> bool:
                self.publish("lab/listening", "x")
                return not messages.empty()

            wait_until(is_subscribed, "mosquitto_sub does not subscribe")

            def receive() -> str:
                while (message := messages.get(timeout=stretched())).startswith("lab/listening"):
                    pass
                return message

            yield receive
            process.terminate()
            reader.join()


class HomeAssistant:
    """Home Assistant with a user, connected to a broker."""

    def __init__(self, debian: Debian):
        self.debian, self.port = debian, free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self.config = debian.folder / "config"
        self.config.mkdir()
        configuration = (HERE / "configuration.yaml").read_text().replace("PORT", str(self.port))
        (self.config / "configuration.yaml").write_text(configuration)
        shutil.copy(HERE / "automations.yaml", self.config)
        blueprints = self.config / "blueprints/automation/swatchcam"
        shutil.copytree(ROOT / "Resources/home-assistant", blueprints)
        self.process: subprocess.Popen | None = None
        self.tokens: dict = {}

    def start(self) -> None:
        program = ["/venv/bin/hass", "--config", self.debian.inside / "config", "--skip-pip"]
        self.process = self.debian.start("home-assistant.out", *program)
        wait_until(self._is_running, lambda: f"Home Assistant does not start:\n{self.log()}", timeout=PATIENCE)

    def stop(self) -> None:
        stop(self.process)

    def _is_running(self) -> bool:
        assert self.process.poll() is None, self.log()
        try:
            if not self.tokens:
                return request(f"{self.url}api/onboarding").status == 200
            return self.get("api/config")["state"] == "RUNNING"
        except (OSError, AssertionError):
            return False

    def log(self) -> str:
        return (self.config / "home-assistant.log").read_text(errors="replace")

    def complaints(self) -> list[str]:
        """What the log says about the entities of this test: lines from WARNING up, without those of other parts.

        Home Assistant itself sends more empty messages while it removes a device, and complains about them. It also
        complains when the broker ends.
        """
        levels = (" WARNING ", " ERROR ", " CRITICAL ")
        parts = ("mqtt", "template", "automation", "blueprint", "helpers", "light")
        own = ("No device components to cleanup", "The connection was lost")
        return [
            line
            for line in self.log().splitlines()
            if any(level in line for level in levels)
            and any(part in line for part in parts)
            and not any(one in line for one in own)
        ]

    # Its own API

    def call(self, path: str, body: dict | None = None, form: dict | None = None) -> Response:
        fields = {"Authorization": f"Bearer {self.tokens['access_token']}"} if self.tokens else {}
        if form is not None:
            fields["Content-Type"] = "application/x-www-form-urlencoded"
            return request(self.url + path, "POST", urllib.parse.urlencode(form).encode(), fields=fields)
        return request(self.url + path, "GET" if body is None else "POST", body, fields=fields)

    def get(self, path: str):
        response = self.call(path)
        assert response.status == 200, f"{path}: {response.status} {response.text[:300]}"
        return response.json

    def set_up(self, broker_port: int) -> None:
        """Does what a person would do: creates a user and connects the broker."""
        user = {"client_id": self.url, "name": "Lab", "username": "lab", "password": "lab-password", "language": "en"}
        code = self.call("api/onboarding/users", user).json["auth_code"]
        grant = {"grant_type": "authorization_code", "code": code, "client_id": self.url}
        self.tokens = self.call("auth/token", form=grant).json
        for step in ("core_config", "analytics"):
            self.call(f"api/onboarding/{step}", {})
        self.call("api/onboarding/integration", {"client_id": self.url, "redirect_uri": self.url})
        flow = self.call("api/config/config_entries/flow", {"handler": "mqtt", "show_advanced_options": False}).json
        broker = {"broker": "127.0.0.1", "port": broker_port}
        # Home Assistant 2026.11 has a section of other settings, which the form sends as it was opened.
        if any(field["name"] == "other_settings" for field in flow["data_schema"]):
            broker["other_settings"] = {"set_client_cert": False, "set_ca_cert": "off", "transport": "tcp"}
        done = self.call(f"api/config/config_entries/flow/{flow['flow_id']}", broker)
        assert done.json["type"] == "create_entry", done.text

    def renew(self) -> None:
        """Gets a new access token, because one is valid for half an hour."""
        grant = {"grant_type": "refresh_token", "refresh_token": self.tokens["refresh_token"], "client_id": self.url}
        fields = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = request(f"{self.url}auth/token", "POST", urllib.parse.urlencode(grant).encode(), fields=fields)
        self.tokens |= answer.json

    def ask(self, kind: str, **parameters):
        """The result of a command of the WebSocket API."""
        address = self.url.replace("http", "ws", 1) + "api/websocket"
        with websockets.sync.client.connect(address, max_size=None) as client:
            client.recv(stretched())
            client.send(json.dumps({"type": "auth", "access_token": self.tokens["access_token"]}))
            assert json.loads(client.recv(stretched()))["type"] == "auth_ok"
            client.send(json.dumps({"id": 1, "type": kind} | parameters))
            answer = json.loads(client.recv(stretched()))
            assert answer["success"], answer
            return answer["result"]

    def states(self) -> dict[str, dict]:
        """The state of each entity by its id."""
        return {state["entity_id"]: state for state in self.get("api/states")}

    def state(self, entity: str) -> str | None:
        return self.states().get(entity, {}).get("state")

    def wait_for(self, entity: str, state: str | None) -> None:
        wait_until(
            lambda: self.state(entity), f"{entity} is not {state}", timeout=PATIENCE, holds=lambda now: now == state
        )

    def render(self, template: str) -> str:
        """What a template is rendered as."""
        response = self.call("api/template", {"template": template})
        assert response.status == 200, response.text
        return response.text

    def act(self, service: str, entity: str, **data) -> None:
        """Calls a service, such as `button/press`."""
        response = self.call(f"api/services/{service}", {"entity_id": entity} | data)
        assert response.status == 200, response.text

    def entities(self) -> dict[str, dict]:
        """The registered entities of Swatchcams, by their id without its domain and the name of the device."""
        entries = self.ask("config/entity_registry/list")
        return {
            entry["unique_id"].removeprefix("swatchcam_ab12cd_"): entry
            for entry in entries
            if entry["unique_id"].startswith("swatchcam_")
        }

    def devices(self) -> list[dict]:
        return [device for device in self.ask("config/device_registry/list") if device["manufacturer"] == "Swatchcam"]
