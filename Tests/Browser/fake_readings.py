"""Readings with more to show than a test pattern has: long names, notices, several cameras."""

import json

# Changes the reading that the page begins with, and those that it gets: `fake` is merged into each. The first keeps its
# revisions, so that the page requests its lists again.
SCRIPT = """
window.fake = %s;
document.addEventListener("readystatechange", () => {
  const first = document.getElementById("reading");
  if (!first) return;
  const reading = JSON.parse(first.textContent);
  first.textContent = JSON.stringify({ ...reading, ...fake, revisions: reading.revisions });
}, { once: true });
const { get, set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
Object.defineProperty(WebSocket.prototype, "onmessage", {
  get,
  set(receive) {
    set.call(this, receive && (({ data }) => {
      const reading = JSON.parse(data);
      receive({ data: JSON.stringify({ ...reading, ...fake, revisions: { ...reading.revisions, ...fake.revisions } }) });
    }));
  },
});
const fetchFromServer = fetch;
window.fetch = (path, options) => path !== "api/cameras" ? fetchFromServer(path, options)
  : Promise.resolve({ ok: true, status: 200, json: async () => ({ cameras: fake.cameras ?? [] }) });
"""

CAMERAS = [
    {"id": "one", "name": "HD Pro Webcam C920 with a Name as Long as Vendors Like Them", "device": "/dev/video0"},
    {"id": "two", "name": "Integrated Camera", "device": "/dev/video2"},
]
MUCH = {
    "cameras": CAMERAS,
    "camera": CAMERAS[0],
    "revisions": {"cameras": 7, "history": 1},
    "notices": [
        {"topic": "camera", "message": "No camera was found. Plug one in: it is used at once. " * 2},
        {"topic": "controls", "message": "exposure_time_absolute_with_a_long_name_without_any_break was not accepted."},
        {"topic": "configuration", "message": "/etc/swatchcam/config.toml:3: camera.fps: 900 is out of range 1...240"},
    ],
    "message": "The camera delivers fewer frames than it should, perhaps because there is little light.",
    "color": {
        "css": {
            "hsl": "hsl(231.1 51.2% 34.3%)",
            "hwb": "hwb(231.1 16.9% 48.6%)",
            "lab": "lab(26.6 -14.9 -107.2)",
            "lch": "lch(26.6 108.2 262.1)",
            "oklab": "oklab(0.371 -0.006 -0.132)",
            "oklch": "oklch(0.371 0.132 267.5)",
        },
        "lab": {"l": 26.614, "a": 14.932, "b": -44.213},
        "name": {"css": "lightgoldenrodyellow", "deltaE": 14.9, "plain": "very light yellowish grey"},
    },
}


def script(**changes) -> str:
    """JavaScript that runs before the page's own, and adds all this to the readings; `changes` replace some of it."""
    return SCRIPT % json.dumps(MUCH | changes)
