/** Concentrations in figures and words. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { doubtAbout, withUnit, written } from "./Resources/lib/concentration.js";

const found = { value: 9.3861, low: 9.1, high: 9.7, unit: "mg/L", belowDetection: false, extrapolated: false };

for (const [changes, value, interval] of [
  [{}, "9.39", "9.10 to 9.70"],
  [{ value: -0.169, low: -0.262, high: -0.076 }, "−0.169", "−0.262 to −0.076"],
  [{ value: -0.0041, low: -0.3, high: 0.3 }, "0.00", "−0.30 to 0.30"],
  [{ low: null, high: null }, "9.39", ""],
  [{ value: -1234.5, low: null, high: null }, "−1235", ""],
  [{ value: 1.234e9, low: 1.2e9, high: 1.3e9 }, "1.23e+9", "1.20e+9 to 1.30e+9"],
]) {
  test(`a concentration is written ${value}, with as many decimals as its interval allows`, () => {
    assert.deepEqual(written({ ...found, ...changes }), { value, interval });
  });
}

test("a concentration has its unit, if there is one", () => {
  assert.deepEqual([withUnit(found), withUnit({ ...found, unit: "" }), withUnit(null)], ["9.39 mg/L", "9.39", "–"]);
});

test("what limits a concentration is said in words", () => {
  const doubts = [found, { ...found, extrapolated: true }, { ...found, belowDetection: true, extrapolated: true }, undefined];
  assert.deepEqual(doubts.map(doubtAbout), ["", "extrapolated", "below detection", ""]);
});
