/** What the plot of the history says, and where there is room for it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { placedLabels, splitAtGaps, unwatchedSpans } from "./Resources/history/plot.js";

/** The runs of points at these times, in seconds, of a series whose intervals are 2 s long. */
function runsAt(...seconds) {
  const points = seconds.map((second) => ({ time: 1_000 * second }));
  return splitAtGaps({ points, isGap: (first, second) => second.time - first.time > 3_000 });
}

/** The spans in which nobody watched, in seconds. */
const unwatched = (runs, end) => unwatchedSpans(runs, 1_000 * end).map((ends) => ends.map((time) => time / 1_000));

test("a line is interrupted where there was no colour", () => {
  assert.deepEqual(runsAt(0, 2, 4, 10, 12).map((run) => run.map(({ time }) => time)), [[0, 2_000, 4_000], [10_000, 12_000]]);
  assert.deepEqual(runsAt(), []);
});

test("nobody watched where single readings are a minute apart", () => {
  assert.deepEqual(unwatched(runsAt(0, 60, 121, 180, 182, 184), 186), [[0, 180]]);
});

test("nobody has watched since the last reading, if that was single and a minute ago", () => {
  assert.deepEqual(unwatched(runsAt(0, 2, 60), 120), [[2, 120]]);
});

test("a minute without a camera does not count as not watched: there are many readings before and after it", () => {
  assert.deepEqual(unwatched(runsAt(0, 2, 4, 64, 66), 68), []);
});

test("a gap of less than 45 s or of more than 90 s does not count as not watched", () => {
  assert.deepEqual(unwatched(runsAt(0, 40, 140), 150), []);
});

/** The texts of the labels of these marks in a plot from 0 to 100, with 1 for each letter. */
function labelled(...marks) {
  return placedLabels(marks.map((mark) => ({ kind: "user", time: mark.place, ...mark })), { left: 0, right: 100, gap: 1 }, (text) => text.length);
}

test("a label stands right of its mark, or left of it at the right end", () => {
  assert.deepEqual(labelled({ text: "Acid", place: 10 }), [{ text: "Acid", from: 11, to: 15 }]);
  assert.deepEqual(labelled({ text: "Acid", place: 99 }), [{ text: "Acid", from: 94, to: 98 }]);
});

test("a label is whole or left out", () => {
  assert.deepEqual(labelled({ text: "x".repeat(80), place: 50 }), []);
});

test("the newest of notes at one moment have their labels, on both sides", () => {
  const notes = [0, 1, 2].map((number) => ({ text: `A long note ${number}`, place: 20 + number, time: number }));
  assert.deepEqual(labelled(...notes).map(({ text }) => text), ["A long note 2", "A long note 1"]);
});

test("notes come before recordings, and these before what Swatchcam marks", () => {
  const marks = [["camera", "The camera"], ["recording", "Titration"], ["user", "Drop of acid"], ["region", "The area"]];
  // There is room for one on each side.
  const shown = labelled(...marks.map(([kind, text], time) => ({ kind, text, time, place: 50 })));
  assert.deepEqual(shown.map(({ text }) => text), ["Drop of acid", "Titration"]);
});
