/** The axes of the history, by a clock that has summer time. */

import assert from "node:assert/strict";
import { test } from "node:test";

process.env.TZ = "Europe/Berlin";
// It makes its formats when it is loaded.
const { momentText, timeTicks, valueScale } = await import("./Resources/history/scale.js");

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const noon = new Date("2026-01-31T12:00:01.234").getTime();

for (const [low, high, ticks] of [
  [0, 255, [0, 50, 100, 150, 200, 250]],
  [100, 100, [90, 95, 100, 105, 110]],
  [0, 40, [0, 10, 20, 30, 40]],
  [1, 3, [0, 2, 4, 6, 8, 10]],
  [253, 255, [246, 248, 250, 252, 254]],
]) {
  test(`the axis of values from ${low} to ${high} has round numbers around them`, () => {
    const scale = valueScale(low, high, { top: 255, leastRange: 16, mostTicks: 6 });
    assert.deepEqual(scale.ticks, ticks);
    assert.ok(0 <= scale.low && scale.low <= low && high <= scale.high && scale.high <= 255);
  });
}

test("a value axis with room for two ticks has its ends", () => {
  assert.deepEqual(valueScale(3, 250, { top: 255, leastRange: 16, mostTicks: 2 }), { low: 0, high: 255, ticks: [0, 255] });
});

for (const [name, span, room, step] of [
  ["a minute", minute, 7_000, 10_000],
  ["ten minutes", 10 * minute, 90_000, 2 * minute],
  ["an hour", hour, 500_000, 10 * minute],
  ["a day", day, 9_000_000, 3 * hour],
  ["a week", 7 * day, 70_000_000, day],
]) {
  test(`the axis of ${name} has full seconds, minutes, hours or days of the local clock`, () => {
    const times = timeTicks(noon, noon + span, room).map(({ time }) => time - new Date(noon).getTimezoneOffset() * minute);
    assert.ok(times.length >= 2);
    for (const [index, time] of times.entries()) {
      assert.equal(time % step, 0);
      if (index > 0) assert.equal(time - times[index - 1], step);
    }
  });
}

test("days begin at midnight, also when the clocks change", () => {
  const from = new Date("2026-03-27T12:00").getTime();
  const ticks = timeTicks(from, from + 4 * day, day);
  assert.deepEqual(ticks.map(({ time }) => new Date(time).getDate()), [28, 29, 30, 31]);
  assert.deepEqual(new Set(ticks.map(({ time }) => new Date(time).getHours())), new Set([0]));
});

test("ticks have as much of the time in their labels as they need", () => {
  const label = (span, room) => timeTicks(noon, noon + span, room)[0].label;
  assert.equal(label(minute, 7_000), "12:00:10");
  assert.equal(label(hour, 500_000), "12:10");
  assert.match(label(7 * day, day), /\b1\b/);
});

test("a moment of a span of less than a day has seconds, and that of a longer one has a date", () => {
  assert.equal(momentText(noon, hour), "12:00:01");
  assert.match(momentText(noon, day), /^.*\b31\b.* 12:00$/);
});
