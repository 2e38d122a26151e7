/** The history as a page keeps it: what readings and documents of the server make of it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Series } from "./Resources/history/series.js";

const start = Date.UTC(2026, 0, 31, 12);

/** A moment, in seconds after the start. */
const moment = (seconds) => new Date(start + seconds * 1_000).toISOString();

function reading(seconds, r = 10, more = {}) {
  return {
    time: moment(seconds),
    rgb: { r, g: 20, b: 30 },
    color: { lab: { l: r, a: 1.9, b: 3.8 } },
    quality: { grade: "good" },
    rate: { wanted: 4, reading: 4 },
    ...more,
  };
}

/** A point of a document. */
function point(seconds, r, n = 4) {
  const around = (by) => ({ r: r + by, g: 20, b: 30 });
  return {
    time: moment(seconds),
    n,
    mean: around(0),
    min: around(-1),
    max: around(1),
    lightness: { mean: r, min: r - 1, max: r + 1 },
    quality: "good",
  };
}

/** A document whose intervals are 2 s long. */
const made = (points, more = {}) => ({ from: "", to: moment(0), step: 2, points, marks: [], ...more });

/** A series of this span and interval, in seconds, to which these readings were added. */
function seriesOf(readings, { span = 600, step = 2 } = {}) {
  const series = new Series();
  series.begin(span * 1_000, step * 1_000);
  for (const one of readings) series.add(one);
  return series;
}

/** The beginning of each interval, in seconds after the start, and the mean of red in it. */
const reds = ({ points }) => points.map(({ time, r }) => [(time - start) / 1_000, r.mean]);

test("readings of one interval are averaged", () => {
  const series = seriesOf([reading(0, 10), reading(0.5, 20), reading(1, 60), reading(2, 7)]);
  assert.deepEqual(reds(series), [[0, 30], [2, 7]]);
  assert.deepEqual(series.points.map(({ n }) => n), [3, 1]);
  assert.deepEqual(series.points.map(({ r: { min, max } }) => [min, max]), [[10, 60], [7, 7]]);
});

test("the lightness of readings is that of CIELAB", () => {
  const [{ l }] = seriesOf([reading(0, 10, { color: { lab: { l: 48.4, a: 1.9, b: 3.8 } } })]).points;
  assert.deepEqual(l, { mean: 48.4, min: 48.4, max: 48.4 });
});

test("the exact mean of the picture is taken, unless the colour is another one", () => {
  assert.equal(seriesOf([reading(0, 10, { mean: { r: 10.4, g: 20, b: 30 } })]).points[0].r.mean, 10.4);
  assert.equal(seriesOf([reading(0, 10, { mean: { r: 12.4, g: 20, b: 30 } })]).points[0].r.mean, 10);
});

test("a repeated reading counts once", () => {
  assert.equal(seriesOf([reading(0), reading(0)]).points[0].n, 1);
});

test("an interval has the worst quality of its readings", () => {
  const grades = ["good", "poor", "fair"];
  const series = seriesOf(grades.map((grade, index) => reading(index / 10, 10, { quality: { grade } })));
  assert.equal(series.points[0].quality, "poor");
});

test("readings after a document extend it", () => {
  const series = seriesOf([]);
  series.replace(made([point(-4, 50), point(-2, 60)]));
  series.add(reading(0.5, 70));
  assert.deepEqual(reds(series), [[-4, 50], [-2, 60], [0, 70]]);
});

test("readings that came before a document are counted once: the server has counted those of its last interval", () => {
  const series = seriesOf([0, 0.5, 1, 1.5, 2, 2.5].map((seconds) => reading(seconds, 10)));
  series.replace(made([point(-2, 50), point(0, 50, 4)]));
  assert.deepEqual(reds(series), [[-2, 50], [0, 50], [2, 10]]);
  assert.deepEqual(series.points.map(({ n }) => n), [4, 4, 2]);
});

test("readings replace an interval that a document has only in part", () => {
  const series = seriesOf([0, 0.5, 1].map((seconds) => reading(seconds, 10)));
  series.replace(made([point(-2, 50), point(0, 50, 2)]));
  assert.deepEqual(reds(series), [[-2, 50], [0, 10]]);
  assert.equal(series.points[1].n, 3);
});

test("another span begins with the readings that the page has", () => {
  const series = seriesOf([reading(0, 10), reading(1, 20), reading(2, 30)]);
  series.begin(60_000, 1_000);
  assert.deepEqual(reds(series), [[0, 10], [1, 20], [2, 30]]);
});

test("what the page has from before a restart stays, however often the history is loaded", () => {
  const series = seriesOf([]);
  const mark = (id, seconds, text) => ({ id, time: moment(seconds), kind: "user", text });
  series.replace(made([point(-8, 10), point(-6, 20)], { begins: moment(-9), marks: [mark(7, -7, "Acid")] }));
  // The first interval of the new history has begun before the restart.
  const restarted = made([point(-2, 30), point(0, 40)], { begins: moment(-1), marks: [mark(7, 0, "Base")] });
  for (let count = 0; count < 3; count++) series.replace(restarted);
  assert.deepEqual(reds(series), [[-8, 10], [-6, 20], [-2, 30], [0, 40]]);
  // The server has given the number to another mark.
  assert.deepEqual(series.marks.map(({ id, text }) => [id, text]), [[null, "Acid"], [7, "Base"]]);
});

test("a history that survives restarts replaces what the page has", () => {
  const series = seriesOf([]);
  series.replace(made([point(-8, 10)], { begins: null }));
  series.replace(made([point(-2, 30)], { begins: null }));
  assert.deepEqual(reds(series), [[-2, 30]]);
});

test("points older than the span are dropped", () => {
  const readings = Array.from({ length: 101 }, (_, seconds) => reading(seconds));
  const { points } = seriesOf(readings, { span: 60, step: 1 });
  assert.equal(points.length, 61);
  assert.equal(points[0].time - start, 40_000);
});

test("a reading without a colour moves the span forward", () => {
  const series = seriesOf([reading(0), reading(59, 0, { rgb: null })], { span: 60, step: 1 });
  assert.equal(series.points.length, 1);
  series.add(reading(70, 0, { rgb: null }));
  assert.equal(series.points.length, 0);
  assert.equal(series.end - start, 70_000);
});

test("a clock that was set back begins a new series, and a reading that is a little late does not", () => {
  const series = seriesOf([reading(100, 10)]);
  assert.deepEqual([reading(99.5, 20), reading(0, 30), reading(1, 40)].map((one) => series.add(one)), [true, false, true]);
  assert.deepEqual(reds(series), [[0, 35]]);
});

test("readings do not extend a span of more than ten minutes", () => {
  assert.equal(seriesOf([reading(0)], { span: 3_600, step: 10 }).points.length, 0);
});

test("points, marks and their texts are bounded, whatever the server sends", () => {
  const series = seriesOf([]);
  const points = Array.from({ length: 2_500 }, (_, index) => point(index / 1_000 - 10, 5));
  const marks = Array.from({ length: 1_500 }, () => ({ time: moment(0), text: "x".repeat(300) }));
  series.replace(made(points, { step: 0.001, marks }));
  assert.equal(series.points.length, 2_000);
  assert.equal(series.marks.length, 1_000);
  assert.equal(series.marks[0].text.length, 200);
});

test("points and marks that are not such are left out", () => {
  const series = seriesOf([]);
  const wrong = [null, {}, { time: "x" }, { ...point(-6, 1), mean: { r: "1", g: null, b: 2 } }];
  series.replace(made([...wrong, point(-4, 50)], { marks: [null, {}, { time: 5 }, { time: moment(-3), text: null }] }));
  assert.deepEqual(reds(series), [[-4, 50]]);
  assert.deepEqual(series.marks.map(({ id, text }) => [id, text]).at(-1), [null, "null"]);
});

for (const document of [null, {}, { step: -1, points: [] }, { step: 1, points: 5 }]) {
  test(`${JSON.stringify(document)} is refused, because it is not a history`, () => {
    assert.throws(() => new Series().replace(document), { message: "Swatchcam sent an unexpected history" });
  });
}

test("readings that are slow do not make a gap", () => {
  const slow = { rate: { wanted: 0.1, reading: 0.1 } };
  const series = seriesOf([0, 10, 20, 60].map((seconds) => reading(seconds, 10, slow)));
  const { points } = series;
  assert.deepEqual(points.slice(1).map((one, index) => series.isGap(points[index], one)), [false, false, true]);
});

test("the point at a time is the nearest one", () => {
  const series = seriesOf([]);
  assert.equal(series.indexNear(start), -1);
  series.replace(made([point(0, 5), point(4, 5), point(6, 5)]));
  // The middles of the intervals are at 1, 5 and 7 s.
  const found = [-99, 0, 2.9, 3.1, 5.5, 99].map((seconds) => series.indexNear(start + seconds * 1_000));
  assert.deepEqual(found, [0, 0, 0, 1, 1, 2]);
});

test("a mark that was set is there before the next document has it, and one that was deleted is not", () => {
  const series = seriesOf([]);
  series.addMark({ id: 3, time: moment(0), kind: "user", text: "Acid" });
  assert.deepEqual(series.marks.map(({ text }) => text), ["Acid"]);
  series.removeMark(series.marks[0]);
  assert.deepEqual(series.marks, []);
});

test("a time in a gap is empty, unless a point is within reach of it", () => {
  const series = seriesOf([reading(0), reading(2), reading(100), reading(102)]);
  const isEmpty = (seconds, reach = 0) => series.isEmptyAt(start + seconds * 1_000, reach * 1_000);
  assert.deepEqual([1, 3, 50, 99, 101].map((seconds) => isEmpty(seconds)), [false, false, true, false, false]);
  assert.deepEqual([isEmpty(10, 20), isEmpty(50, 20)], [false, true]);
});
