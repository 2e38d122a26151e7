"""Recordings: every reading is kept, whether anybody watches or not, across restarts if there is a folder."""

import csv
import io
import signal

import pytest
from Harness import api
from Harness.cases import sampled
from Harness.server import Server
from Harness.waiting import wait_until


def start(server: Server, name: str = "Titration 3") -> dict:
    answer = api.request(server.url + "api/recording", method="POST", body={"name": name})
    assert answer.status == 201, answer.text
    return answer.json["recording"]


def end(server: Server) -> dict:
    answer = api.request(server.url + "api/recording", method="DELETE")
    assert answer.status == 200, answer.text
    return answer.json["recording"]


def rows(server: Server) -> list[dict]:
    return list(csv.DictReader(io.StringIO(api.request(server.url + "history.csv?recording=1").text)))


def marks(server: Server) -> list[str]:
    found = api.get_json(server.url + "api/history?span=1h")["marks"]
    return [mark["text"] for mark in found if mark["kind"] == "recording"]


def test_every_reading_is_kept_while_nobody_watches(start_server):
    server = start_server()
    recording = start(server)
    # Asking for the table requests no reading. Without the recording, there would be one a minute.
    wait_until(lambda: rows(server), "the table does not grow", holds=lambda found: len(found) >= 8)
    assert server.reading()["recording"] == {key: recording[key] for key in ("name", "since", "endsBy")}
    ended = end(server)
    assert ended["until"] > ended["since"] == recording["since"]
    count = len(rows(server))
    assert server.reading()["recording"] is None
    assert len(rows(server)) == count
    assert marks(server) == ["Titration 3: start", "Titration 3: end"]


@pytest.mark.parametrize("how", sampled([signal.SIGKILL, signal.SIGTERM]))
def test_with_a_folder_a_recording_survives_a_restart(start_server, tmp_path, how):
    folder = tmp_path / "history"
    folder.mkdir()
    server = start_server(config=f'[history]\nfolder = "{folder}"\ninterval = 1\n')
    recording = start(server)
    server.process.send_signal(how)
    server.process.wait()
    server.start()
    assert api.get_json(server.url + "api/recording") == {"problem": None, "recording": recording}
    server.wait_for_log('The recording "Titration 3" continues')
    assert end(server)["since"] == recording["since"]
    server.stop()
    server.start()
    assert api.get_json(server.url + "api/recording")["recording"]["until"] is not None
