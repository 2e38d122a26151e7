"""A server's history: points and marks that are the same in each run, and requests that a test can fail."""

import json

import fake_readings

# Replaces the responses to requests for history and marks. A test changes `fakeHistory` while the page is open.
SCRIPT = """
window.fakeHistory = Object.assign({ requests: [], posted: [], times: [], deleted: [], marks: [], problem: null, gap: [0.4, 0.5], spread: 3 }, %s);
for (const [index, mark] of fakeHistory.marks.entries()) mark.id ??= 100 + index;
fakeHistory.document = (span, points) => {
  const seconds = parseFloat(span) * { s: 1, m: 60, h: 3_600, d: 86_400 }[span.at(-1)];
  const step = Math.max(0.25, seconds / points);
  const now = Date.now() / 1_000;
  const from = Math.ceil((now - seconds) / step) * step;
  const all = [];
  for (let index = 0; from + index * step <= now; index++) {
    const share = (index * step) / seconds;
    if (share >= fakeHistory.gap[0] && share < fakeHistory.gap[1]) continue;
    const wave = (phase) => Math.sin(7 * share + phase) + 0.2 * Math.sin(43 * share + 2 * phase);
    const mean = { r: 160 + 40 * wave(0), g: 120 + 20 * wave(2), b: 60 + 12 * wave(4) };
    const move = (by) => Object.fromEntries(Object.entries(mean).map(([key, value]) => [key, value + by]));
    const { spread } = fakeHistory;
    const l = 50 + 10 * wave(1);
    all.push({
      time: new Date((from + index * step) * 1_000).toISOString(), n: 8, hex: "#000000", quality: share > 0.9 ? "fair" : "good",
      mean, min: move(-spread), max: move(spread), lightness: { mean: l, min: l - spread / 3, max: l + spread / 3 },
    });
  }
  const marks = fakeHistory.marks.map(({ share, ...mark }) =>
    ({ kind: "user", time: new Date((now - seconds * (1 - share)) * 1_000).toISOString(), ...mark }));
  return { from: new Date(from * 1_000).toISOString(), to: new Date(now * 1_000).toISOString(), step, points: all, marks };
};
fakeHistory.answer = async (address, options) => {
  const { pathname, searchParams } = new URL(address, location.href);
  const respond = (status, value) => new Response(JSON.stringify(value), { status, headers: { "Content-Type": "application/json" } });
  if (fakeHistory.problem) return respond(503, { error: { code: "busy", message: fakeHistory.problem } });
  if (options?.method === "DELETE") {
    const [mark] = fakeHistory.marks.splice(fakeHistory.marks.findIndex(({ id }) => pathname === `/api/marks/${id}`), 1);
    fakeHistory.deleted.push(mark.text);
    fake.revisions.history++;
    return respond(200, mark);
  }
  if (pathname === "/api/marks") {
    const { text, time } = JSON.parse(options.body);
    fakeHistory.posted.push(text);
    fakeHistory.times.push(time);
    fake.revisions.history++;
    return respond(201, { id: fakeHistory.posted.length, time, kind: "user", text });
  }
  fakeHistory.requests.push({ span: searchParams.get("span"), points: Number(searchParams.get("points")), at: performance.now() });
  return respond(200, fakeHistory.document(searchParams.get("span"), Number(searchParams.get("points"))));
};
const fetchBeforeHistory = fetch;
window.fetch = (address, options) => /^api\\/(history|marks)/.test(address)
  ? fakeHistory.answer(address, options) : fetchBeforeHistory(address, options);
"""


MARKS = [
    {"share": 0.2, "text": "Drop of iodine"},
    {"share": 0.55, "text": "Lamp on", "kind": "camera"},
    {"share": 0.6, "text": "A long note about everything that happened at this moment"},
]


def responses(**changes) -> str:
    """JavaScript that answers requests for the history, if readings say that there is one."""
    return SCRIPT % json.dumps({"marks": MARKS} | changes)


def script(readings: dict | None = None, **changes) -> str:
    """JavaScript that runs before the page's own. `readings` is merged into them; `changes` are those of `fakeHistory`."""
    merged = {"revisions": {"history": 1}} | (readings or {})
    return fake_readings.SCRIPT % json.dumps(merged) + responses(**{"marks": []} | changes)
