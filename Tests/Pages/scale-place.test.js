/** Places and numbers on a scale. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { linesOfSamples, linesOfTable, numberIn, place, pointsIn, valuesIn } from "./Resources/dashboard/scales/place.js";

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

test("colours are typed one a line, with a standard error if it is known", () => {
  assert.deepEqual(pointsIn("6 #E8C34A\n\n 6,5: rgb(127 166 80) ± 0.2\n−7\tlab(50 1 -2)"), [
    { value: 6, color: "#E8C34A" },
    { value: 6.5, color: "rgb(127 166 80)", error: 0.2 },
    { value: -7, color: "lab(50 1 -2)" },
  ]);
  for (const line of ["#E8C34A", "six #E8C34A", "6 red ± some"]) assert.equal(pointsIn(`6 #E8C34A\n${line}`), line);
});

test("samples and colours of a table whose names are numbers become lines", () => {
  const lab = { l: 60.5, a: -1, b: 2 };
  const samples = [{ name: "Leaf", lab }, { name: "6", lab, standardError: { deltaE: 0.1 } }, { name: "6,5", lab, standardError: null }];
  assert.equal(linesOfSamples(samples), "6 lab(60.5 -1 2) ± 0.1\n6,5 lab(60.5 -1 2)");
  assert.deepEqual(pointsIn(linesOfSamples(samples)).map(({ value }) => value), [6, 6.5]);
  const table = 'BEGIN_DATA\n1 "Moss" 50 -10 20\n2 "7.5" 60.1 -1.25 2\nEND_DATA\n';
  assert.equal(linesOfTable(table), "7.5 lab(60.1 -1.25 2)");
});
