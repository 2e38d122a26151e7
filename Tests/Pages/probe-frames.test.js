/** Where the names of probes stand on the picture. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { placeLabels } from "./Resources/lib/probe-frames.js";

const picture = { width: 100, height: 100 };
const frame = (left, top) => ({ left, top, width: 10, height: 10 });
const placesOf = (frames, width = 30) =>
  placeLabels(frames, frames.map(() => ({ width, height: 10 })), picture).map((place) => place && [place.left, place.top]);

test("a name stands above its frame", () => assert.deepEqual(placesOf([frame(20, 50)]), [[20, 40]]));
test("at the upper edge of the picture, a name stands below its frame", () => assert.deepEqual(placesOf([frame(20, 5)]), [[20, 15]]));
test("at the right edge, a name ends with the picture", () => assert.deepEqual(placesOf([frame(85, 50)]), [[70, 40]]));
test("a name that would cover another one stands below", () => {
  assert.deepEqual(placesOf([frame(20, 50), frame(35, 50)]), [[20, 40], [35, 60]]);
});
test("a name that would cover others on both sides is left out", () => {
  assert.deepEqual(placesOf([frame(20, 50), frame(35, 50), frame(45, 50), frame(60, 50)]), [[20, 40], [35, 60], null, [60, 40]]);
});
test("a name that is wider than the picture is left out", () => assert.deepEqual(placesOf([frame(20, 50)], 101), [null]));
