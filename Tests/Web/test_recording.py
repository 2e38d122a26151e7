"""Recordings: every reading is kept, whether anybody watches or not, across restarts if there is a folder."""

import csv
import io
import signal

import pytest
from conftest import TOKEN
from Harness import api
from Harness.server import Server, running
from Harness.waiting import wait_until

VIEW_TOKEN = "view-token-of-forty-letters-and-a-few-more"


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


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_with_a_folder_a_recording_survives_a_restart(start_server, tmp_path, how):
    folder = tmp_path / "history"
    folder.mkdir()
    server = start_server(config=f'[history]\nfolder = "{folder}"\ninterval = 1\n')
    recording = start(server)
    state = server.config.parent / "state/swatchcam/state.json"
    wait_until(lambda: state.exists() and "Titration 3" in state.read_text(), "the recording is not stored")
    server.process.send_signal(how)
    server.process.wait()
    server.start()
    assert api.get_json(server.url + "api/recording") == {"problem": None, "recording": recording}
    server.wait_for_log('The recording "Titration 3" continues')
    assert end(server)["since"] == recording["since"]
    server.stop()
    server.start()
    assert api.get_json(server.url + "api/recording")["recording"]["until"] is not None


def test_a_recording_with_a_duration_ends_by_itself(start_server):
    server = start_server()
    answer = api.request(server.url + "api/recording", method="POST", body={"duration": 2})
    assert answer.status == 201, answer.text
    promised = answer.json["recording"]["endsBy"]
    ended = wait_until(
        lambda: api.get_json(server.url + "api/recording")["recording"],
        "the recording does not end",
        holds=lambda recording: recording["until"],
    )
    assert ended["until"] == promised
    assert server.reading()["recording"] is None


def test_without_a_folder_a_recording_ends_with_the_program_and_says_so(start_server):
    server = start_server()
    start(server)
    assert "history.folder" in api.get_json(server.url + "api/recording")["problem"]
    server.stop()
    server.start()
    assert api.get_json(server.url + "api/recording") == {"problem": None, "recording": None}


def test_the_name_of_a_recording_breaks_neither_a_line_nor_a_table(start_server):
    server = start_server()
    assert start(server, 'a\r\n=cmd\u202e,"')["name"] == 'a\ufffd\ufffd=cmd\ufffd,"'
    lines = api.request(server.url + "history.csv?recording=1&comments=1").text.split("\r\n")
    assert [line for line in lines if line.startswith("# recording: ")] == ["# recording: a\ufffd\ufffd=cmd\ufffd,'"]


def test_a_view_token_sees_the_recording_and_cannot_change_it(tmp_path):
    config = f'[web]\ntoken = "{TOKEN}"\nview_token = "{VIEW_TOKEN}"\n'
    with running(tmp_path, config=config) as server:
        address = server.url + "api/recording"
        assert api.request(address, method="POST", body={}, token=TOKEN).status == 201
        assert api.request(address, token=VIEW_TOKEN).json["recording"]["name"] == "Recording"
        assert api.request(server.url + "history.csv?recording=1", token=VIEW_TOKEN).status == 200
        for method, body in [("POST", {}), ("DELETE", None)]:
            refused = api.request(address, method=method, body=body, token=VIEW_TOKEN)
            assert (refused.status, refused.json["error"]["code"]) == (403, "read-only")
