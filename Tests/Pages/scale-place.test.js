/** Places and numbers on a scale. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { numberIn, place, valuesIn } from "./Resources/dashboard/scales/place.js";

test("a value is placed between the middles of the colours around it", () => {
  const values = [4, 5, 7, 8];
  assert.equal(place(4, values), 12.5);
  assert.equal(place(6, values), 50);
  assert.equal(place(8, values), 87.5);
  assert.equal(place(3, values), 12.5);
  assert.equal(place(9, values), 87.5);
});

test("a number has one decimal more than its interval, and two more than the steps of the scale at most", () => {
  const found = (value, half) => ({ value, low: value - half, high: value + half });
  assert.equal(numberIn(found(6.5234, 0.11), [6, 6.5, 7]), "6.52");
  assert.equal(numberIn(found(120.2, 40), [0, 100, 200]), "120");
  assert.equal(numberIn(found(-1.5, 0.1), [-2, -1, 0]), "−1.50");
  assert.equal(numberIn(found(6.5, 0), [6, 7, 8]), "6.50");
  assert.equal(numberIn(found(30.0165, 0.001), [0, 10, 20]), "30.0");
  assert.equal(numberIn({ value: 6.52, low: 6.41, high: 6.63 }, [6, 7, 8], 6.41), "6.41");
});

test("values are typed with commas, spaces or semicolons", () => {
  assert.deepEqual(valuesIn("6, 6.5,7"), [6, 6.5, 7]);
  assert.deepEqual(valuesIn("6 6.5 -7"), [6, 6.5, -7]);
  assert.deepEqual(valuesIn("6; 6,5; 7"), [6, 6.5, 7]);
  for (const text of ["", "6, seven", "6;;7", "6, ∞"]) assert.equal(valuesIn(text), null);
});
