"""Figures of a reading whose text on the page is known, and a histogram that the page can be made to wait for."""

import json

READING = {
    "mean": {"r": 117.898, "g": 104.62, "b": 92.0},
    "linear": {"r": 0.049712, "g": 0.38666, "b": 1},
    "luminance": 0.335643,
    "noise": {"r": 0.2113, "g": 0.1874, "b": 12, "deltaE": 0.0912},
    "settled": True,
    "drift": {"deltaEPerMinute": 0.0213, "standardError": 0.0158},
    "totalDrift": {"deltaEPerMinute": 1.5, "standardError": 0.25},
    "quality": {"grade": "fair", "flags": [{"code": "uneven", "value": 0.3, "message": "Choose a smaller region."}]},
    "statistics": {
        "pixels": 6279,
        "regionPixels": 307200,
        "min": {"r": 0, "g": 1, "b": 2},
        "max": {"r": 253, "g": 254, "b": 255},
        "median": {"r": 118, "g": 109.5, "b": 98},
        "sd": {"r": 55.4149, "g": 46.87, "b": 44},
        "clipped": {"low": {"r": 0, "g": 0.00002, "b": 0.0213}, "high": {"r": 1, "g": 0, "b": 0}},
        "outOfGamut": 0.0123,
        "dominant": {"hex": "#3FA7D6", "share": 0.998454},
    },
    "color": {
        "xyz": {"x": 0.28027, "y": 0.33613, "z": 0.68611},
        "xy": {"x": 0.2152, "y": 0.2581},
        "cct": 5003.4,
        "duv": -0.00312,
        "name": {"css": "deepskyblue", "deltaE": 7.2, "plain": "blue"},
    },
}

# Answers the page's requests for statistics with `statistics.document`, or keeps them waiting, and records their times.
SCRIPT = """
const statistics = window.statistics = { document: %s, times: [], waiting: [], keepsWaiting: false, error: null };
{
  const fetchFromServer = window.fetch;
  window.fetch = (path, options) => {
    if (path !== "api/statistics") return fetchFromServer(path, options);
    statistics.times.push(performance.now());
    const { error } = statistics;
    const answer = error ? { ok: false, status: 503, headers: new Headers(), json: async () => ({ error: { message: error } }) }
      : { ok: true, status: 200, json: async () => statistics.document };
    if (!statistics.keepsWaiting) return Promise.resolve(answer);
    return new Promise((resolve) => statistics.waiting.push(() => resolve(answer)));
  };
}
"""


def counts(**bins: int) -> list[int]:
    """256 counts, all of them 0 except those of the given code values: `counts(v0=3)`."""
    return [bins.get(f"v{value}", 0) for value in range(256)]


HISTOGRAM = {"r": counts(v0=100, v255=50), "g": counts(v10=100, v11=100), "b": counts(v128=1)}


def responses(histogram: dict | None = None) -> str:
    document = {"histogram": histogram or HISTOGRAM, "time": "2026-11-20T19:30:00.250Z"}
    return SCRIPT % json.dumps(document)
