/** The gains that make a card grey. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { whiteGains } from "./Resources/dashboard/controls/white-gains.js";

const channels = ([r, g, b]) => ({ r, g, b });

for (const [light, present, gains] of [
  [[0.2, 0.4, 0.1], [1, 1, 1], [2, 1, 4]],
  // These readings have gains already.
  [[0.4, 0.4, 0.4], [2, 1, 4], [2, 1, 4]],
  [[0.4, 0.6, 0.4], [2, 1, 1], [3, 1, 1.5]],
]) {
  test(`light of ${light} with the gains ${present} needs ${gains}`, () => {
    assert.deepEqual(whiteGains({ linear: channels(light) }, present), gains);
  });
}

for (const [light, clipped, reason] of [
  [[0.4, 0.4, 0.4], 0.01, /clipped/],
  [[0.01, 0.02, 0.01], 0, /too dark/],
  [[0.9, 0.4, 0.01], 0, /too colourful/],
  [[0.9, 0.4, 0], 0, /too colourful/],
]) {
  test(`light of ${light}, of which ${clipped} is clipped, is refused: ${reason.source}`, () => {
    const statistics = { clipped: { high: channels([0, 0, clipped]) } };
    assert.throws(() => whiteGains({ linear: channels(light), statistics }, [1, 1, 1]), { message: reason });
  });
}
