"""A scene of the test pattern in which another region is another state, and so an event."""

from Harness import api
from Harness.waiting import wait_until

CARD = [0.74, 0.11, 0.18, 0.14]
ORANGE = [0.07, 0.27, 0.06, 0.1]
SCENE = f"""[camera.controls]
lamp_drift = 0
[readings]
rate = 30
hold = 0
region = {CARD}
[[targets]]
name = "card"
color = "rgb(118 118 118)"
tolerance = 10
[[targets]]
name = "orange"
color = "rgb(214 126 44)"
tolerance = 10
"""


def wait_for_state(server, name):
    wait_until(
        server.reading,
        f"the state is not {name}",
        holds=lambda reading: (reading["regionState"] or {}).get("name") == name,
    )


def look_at(server, region, name):
    """Causes an event: another part of the picture, with another state."""
    assert api.request(f"{server.url}api/settings", method="PUT", body={"region": region}).status == 200
    wait_for_state(server, name)
