/** Places and numbers on a scale. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { numberIn, place } from "./Resources/dashboard/scales/place.js";

test("a value is placed between the middles of the colours around it", () => {
  const values = [4, 5, 7, 8];
  assert.equal(place(4, values), 12.5);
  assert.equal(place(6, values), 50);
  assert.equal(place(8, values), 87.5);
  assert.equal(place(3, values), 12.5);
  assert.equal(place(9, values), 87.5);
});

test("a number has one decimal more than its interval", () => {
  assert.equal(numberIn({ value: 6.5234, low: 6.41, high: 6.63 }), "6.52");
  assert.equal(numberIn({ value: 120.2, low: 80, high: 160 }), "120");
  assert.equal(numberIn({ value: -1.5, low: -1.6, high: -1.4 }), "−1.50");
  assert.equal(numberIn({ value: 6.5, low: 6.5, high: 6.5 }), "6.50");
});
