/** When the history is requested, by a clock that the test moves. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { HistoryLoader } from "./Resources/history/loader.js";

let now;
let timers;
/** The requests, each of which the test answers. */
let requests;

beforeEach(() => {
  now = 0;
  timers = [];
  requests = [];
});
Object.defineProperty(globalThis, "performance", { value: { now: () => now } });
globalThis.setTimeout = (job, delay) => {
  const timer = { job, at: now + delay };
  timers.push(timer);
  return timer;
};
globalThis.clearTimeout = (timer) => {
  timers = timers.filter((other) => other !== timer);
};
globalThis.fetch = (path, { signal }) =>
  new Promise((resolve, reject) => {
    const answer = (status, document) => resolve({ status, ok: status === 200, headers: new Headers(), json: async () => document });
    requests.push({ path, at: now, signal, answer });
    signal.addEventListener("abort", () => reject(new Error("aborted")));
  });

/** Returns when all that is not waiting for a timer or for an answer has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Moves the clock forward, in milliseconds, and runs the timers on the way. */
async function advance(by) {
  const end = now + by;
  for (;;) {
    const next = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
    if (!next) break;
    clearTimeout(next);
    now = Math.max(now, next.at);
    next.job();
    await settled();
  }
  now = end;
}

async function answer(index, document = {}, status = 200) {
  requests[index].answer(status, document);
  await settled();
}

/** A loader of a series, live or not, with all that it has reported. */
function loading({ isLive = false, step = 2_000, isActive = true } = {}) {
  const seen = { documents: [], problems: [], loads: 0 };
  const series = { isLive, step, replace: (document) => seen.documents.push(document) };
  const loader = new HistoryLoader(series, {
    onLoad: () => {
      seen.loads += 1;
    },
    onProblem: (problem) => seen.problems.push(problem),
  });
  loader.isActive = isActive;
  return { loader, seen };
}

const times = () => requests.map(({ at }) => at);

test("a span that readings extend is requested once", async () => {
  const { loader, seen } = loading({ isLive: true });
  loader.load("10m", 300);
  await answer(0, { points: [] });
  await advance(3_600_000);
  assert.deepEqual(requests.map(({ path }) => path), ["api/history?span=10m&points=300"]);
  assert.deepEqual(seen, { documents: [{ points: [] }], problems: [""], loads: 1 });
});

for (const [step, pause] of [[2_000, 10_000], [60_000, 60_000], [30 * 86_400_000, 86_400_000]]) {
  test(`a longer span of intervals of ${step} ms is requested again after ${pause} ms`, async () => {
    const { loader } = loading({ step });
    loader.load("1h", 300);
    await answer(0);
    await advance(pause - 1);
    assert.equal(requests.length, 1);
    await advance(1);
    assert.equal(requests.length, 2);
  });
}

test("a late response does not replace that of a newer request", async () => {
  const { loader, seen } = loading({ isLive: true });
  loader.load("1h", 300);
  loader.load("24h", 300);
  assert.ok(requests[0].signal.aborted);
  await answer(1, { step: 2 });
  await answer(0, { step: 1 });
  assert.deepEqual(seen.documents, [{ step: 2 }]);
});

test("a request that fails is repeated, less and less often, until one succeeds", async () => {
  const { loader, seen } = loading({ isLive: true });
  loader.load("10m", 300);
  const pauses = [2, 4, 8, 16, 32, 60, 60].map((seconds) => 1_000 * seconds);
  for (const [index, pause] of pauses.entries()) {
    await answer(index, { error: { message: "Busy" } }, 503);
    await advance(pause - 1);
    assert.equal(requests.length, index + 1);
    await advance(1);
    assert.equal(requests.length, index + 2);
  }
  await answer(pauses.length);
  assert.deepEqual(seen.problems, [...pauses.map(() => "Busy"), ""]);
  await advance(3_600_000);
  assert.equal(requests.length, pauses.length + 1);
});

test("a request without an answer has failed after 20 s", async () => {
  const { loader, seen } = loading();
  loader.load("10m", 300);
  await advance(20_000);
  assert.deepEqual(seen.problems, ["Swatchcam cannot be reached"]);
});

test("nothing is requested while nobody can see the history, and what is due then is requested at once", async () => {
  const { loader } = loading({ isActive: false });
  loader.load("10m", 300);
  await advance(60_000);
  assert.deepEqual(requests, []);
  loader.isActive = true;
  assert.deepEqual(times(), [60_000]);
});

test("marks make it load again, but not more than once a second", async () => {
  const { loader } = loading({ isLive: true });
  loader.load("10m", 300);
  // While a request is under way, its answer may lack the mark.
  loader.reloadSoon();
  await answer(0);
  await advance(1_000);
  await answer(1);
  loader.reloadSoon();
  loader.reloadSoon();
  await advance(1_000);
  await answer(2);
  await advance(60_000);
  assert.deepEqual(times(), [0, 1_000, 2_000]);
});
