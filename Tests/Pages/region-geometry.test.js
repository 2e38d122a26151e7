/** Rectangles on the picture. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { between, fractionsIn, isFull, moved, rounded, spotAround, stretched } from "./Resources/lib/region-geometry.js";

const region = [0.2, 0.3, 0.4, 0.5];
const near = (actual, expected) => assert.deepEqual(rounded(actual), expected);

test("only the whole picture is full", () => {
  assert.ok(isFull([0, 0, 1, 1]));
  assert.ok(!isFull([0, 0, 1, 0.9999]));
});

for (const [dx, dy, expected] of [
  [0.1, -0.1, [0.3, 0.2, 0.4, 0.5]],
  [9, 9, [0.6, 0.5, 0.4, 0.5]],
  [-9, -9, [0, 0, 0.4, 0.5]],
]) {
  test(`a region moved by ${dx}, ${dy} keeps its size and stays in the picture`, () => near(moved(region, dx, dy), expected));
}

for (const [edges, dx, dy, expected] of [
  ["nw", 0.1, 0.1, [0.3, 0.4, 0.3, 0.4]],
  ["se", 0.1, 0.1, [0.2, 0.3, 0.5, 0.6]],
  ["e", 9, 9, [0.2, 0.3, 0.8, 0.5]],
  ["s", 9, 9, [0.2, 0.3, 0.4, 0.7]],
  ["w", 9, 0, [0.58, 0.3, 0.02, 0.5]],
  ["n", 0, 9, [0.2, 0.78, 0.4, 0.02]],
  ["e", -9, 0, [0.2, 0.3, 0.02, 0.5]],
  ["nw", -9, -9, [0, 0, 0.6, 0.8]],
]) {
  test(`the edges ${edges} moved by ${dx}, ${dy} stay in the picture and 0.02 apart`, () => {
    near(stretched(region, edges, dx, dy), expected);
  });
}

test("a spot is a square around its point, and stays in the picture", () => {
  near(spotAround([0.5, 0.5], { width: 640, height: 480 }), [0.475, 0.4667, 0.05, 0.0667]);
  near(spotAround([1, 0], { width: 640, height: 480 }), [0.95, 0, 0.05, 0.0667]);
  near(spotAround([0.5, 0.5], { width: 3000, height: 100 }), [0.475, 0, 0.05, 1]);
});

test("a region lies between two corners, in whichever order, and has a smallest side", () => {
  near(between([0.5, 0.6], [0.1, 0.2]), [0.1, 0.2, 0.4, 0.4]);
  near(between([1, 1], [1, 1]), [0.98, 0.98, 0.02, 0.02]);
});

test("a point outside of a box is at its nearest edge", () => {
  const box = { left: 10, top: 20, width: 100, height: 50 };
  assert.deepEqual(fractionsIn(box, { x: 60, y: 45 }), [0.5, 0.5]);
  assert.deepEqual(fractionsIn(box, { x: 0, y: 999 }), [0, 1]);
});
