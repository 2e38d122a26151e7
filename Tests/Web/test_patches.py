"""Measuring many areas of the next frames at once, by POST /api/patches."""

import json

import pytest
from Harness import api
from Harness.waiting import stretched, wait_until
from raw import Raw

AREA = [0.1, 0.1, 0.05, 0.05]
SLOW = "fps = 1\n"
"""A camera with one frame a second, so that a request takes as many seconds as it wants readings."""


def measure(server, body, **options):
    return api.request(f"{server.url}api/patches", method="POST", body=body, **options)


def test_areas_have_the_light_of_the_next_frames_and_the_conditions(server):
    # The patches white and black of the painted chart, and the edge between two others.
    areas = [[0.07, 0.59, 0.06, 0.1], [0.57, 0.59, 0.06, 0.1], [0.12, 0.11, 0.1, 0.1]]
    before = server.reading()
    answer = measure(server, {"areas": areas, "readings": 16})
    assert answer.status == 200, answer.json
    white, black, edge = answer.json["patches"]
    assert white["area"] == {"x": 0.07, "y": 0.59, "width": 0.06, "height": 0.1}
    assert white["linear"]["g"] > 10 * black["linear"]["g"] > 0
    assert (white["uneven"], edge["uneven"], white["readings"]) == (False, True, 16)
    assert white["clippedHigh"] == {"r": 0, "g": 0, "b": 0}
    conditions = api.get_json(f"{server.url}api/calibration")["conditions"]
    assert answer.json["conditions"] == conditions
    after = server.reading()
    assert (after["region"], after["probes"]) == (before["region"], before["probes"])


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"areas": []},
        {"areas": [AREA] * 193},
        {"areas": [AREA], "readings": 0},
        {"areas": [AREA], "readings": 257},
        {"areas": [AREA], "reading": 16},
        {"areas": [[0.1, 0.1, 0.05]]},
        {"areas": [[0.1, 0.1, 0, 0.05]]},
        {"areas": [[0.1, 0.1, 0.95, 0.05]]},
        {"areas": [[-0.1, 0.1, 0.05, 0.05]]},
        {"areas": [["0.1", 0.1, 0.05, 0.05]]},
        {"areas": [[0, 0, 1, 1], AREA]},
        [AREA],
    ],
)
def test_a_request_that_is_not_for_areas_in_the_picture_is_refused(server, body):
    answer = measure(server, body)
    assert (answer.status, answer.json["error"]["code"]) == (400, "bad-patches")


def begin_measuring(server):
    """The connection of a client whose request for a long measurement is being served."""
    body = json.dumps({"areas": [AREA], "readings": 256})
    client = Raw(server, timeout=stretched(60))
    client.send(
        f"POST /api/patches HTTP/1.1\r\nHost: {client.host}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    )
    # The answer to a second request on the connection would follow the first, so its silence says nothing; but the server
    # answers another client only after it has taken this request, which arrived first.
    server.reading()
    return client


def test_a_second_request_is_told_to_wait_until_the_client_of_the_first_has_left(start_server):
    server = start_server(config=SLOW)
    first = begin_measuring(server)
    refused = measure(server, {"areas": [AREA], "readings": 1})
    assert (refused.status, refused.json["error"]["code"]) == (503, "too-many-patches")
    assert refused.fields["Retry-After"] == "1"
    first.socket.close()
    wait_until(lambda: measure(server, {"areas": [AREA], "readings": 1}).status == 200, "the place stays taken")


def test_a_measurement_is_refused_if_the_size_of_the_pictures_changes_meanwhile(start_server):
    server = start_server(config=f"{SLOW}width = 640\n")
    with begin_measuring(server) as client:
        server.config.write_text(server.config.read_text().replace("width = 640", "width = 320"))
        status, _, body = client.response()
    error = json.loads(body)["error"]
    assert (status, error["code"]) == (409, "sample-interrupted")
    assert "size 640x" in error["message"] and "Measure them again." in error["message"]
