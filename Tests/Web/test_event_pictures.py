"""The pictures of events: taken at once, kept within limits, and shown to those who may see the camera."""

import pytest
import webhooks
from Harness import api
from Harness.eventful import CARD, ORANGE, SCENE, look_at, wait_for_state
from Harness.waiting import stretched, wait_until

OWNER, VIEWER = "owner-token-of-forty-letters-and-a-few-more", "viewer-token-of-forty-letters-and-some-more"


def events(server, token=None):
    marks = api.get_json(server.url + "api/history?span=1h", token)["marks"]
    return [mark for mark in marks if mark["kind"] == "state"]


def wait_for_picture(server, count=1):
    return wait_until(
        lambda: [mark["picture"] for mark in events(server) if mark["picture"]],
        lambda: server.logged(),
        holds=lambda found: len(found) == count,
    )


@pytest.fixture
def start(start_server):
    def start_with(more="", **how):
        server = start_server(config=SCENE + more, **how)
        wait_for_state(server, "card")
        return server

    return start_with


def test_an_event_has_a_picture_that_stays_after_a_restart(start, tmp_path):
    (tmp_path / "history").mkdir()
    server = start(f'[history]\nfolder = "{tmp_path / "history"}"\n')
    look_at(server, ORANGE, "orange")
    [address] = wait_for_picture(server)
    answer = api.request(server.url + address)
    assert answer.status == 200 and answer.fields["Content-Type"] == "image/jpeg"
    assert answer.body[:2] == b"\xff\xd8"
    server.restart()
    wait_until(lambda: [mark["picture"] for mark in events(server)] == [address], lambda: server.logged())
    assert api.request(server.url + address).body == answer.body


def test_the_webhook_names_the_picture(start):
    with webhooks.receiving() as receiver:
        server = start(f'[events]\nwebhook = "http://{receiver.place}/"\n')
        look_at(server, ORANGE, "orange")
        event = receiver.requests.get(timeout=stretched(20)).event
        assert api.request(server.url + event["picture"]).status == 200


def test_without_room_no_picture_is_kept(start):
    server = start("[events]\npictures_max_size = 0\n")
    look_at(server, ORANGE, "orange")
    look_at(server, CARD, "card")
    assert [mark["picture"] for mark in events(server)] == [None, None]


def test_only_those_who_may_see_the_camera_see_the_picture(start_server):
    server = start_server(config=f'{SCENE}[web]\ntoken = "{OWNER}"\nview_token = "{VIEWER}"\n')

    def state():
        return (api.get_json(server.url + "api/reading", VIEWER)["regionState"] or {}).get("name")

    wait_until(lambda: state() == "card", "the state is not the card")
    api.request(server.url + "api/settings", method="PUT", body={"region": ORANGE}, token=OWNER)
    wait_until(lambda: state() == "orange", "the state is not orange")
    [address] = wait_until(
        lambda: [mark["picture"] for mark in events(server, VIEWER) if mark["picture"]], lambda: server.logged()
    )
    assert api.request(server.url + address).status == 401
    assert api.request(server.url + address, token=VIEWER).status == 200
    site = {"Origin": "http://other.example", "Sec-Fetch-Site": "cross-site"}
    assert api.request(server.url + address, token=VIEWER, fields=site).json["error"]["code"] == "wrong-origin"


@pytest.mark.parametrize("name", ["20261120T193000.250Z.jpg", "..%2Fsettings.json", "x", "%00", "."])
def test_a_picture_that_does_not_exist_is_not_found(server, name):
    answer = api.request(server.url + "api/events/" + name)
    assert answer.status == 404 and answer.json["error"]["code"] == "picture-not-found"
