/** The figures of the tab of statistics. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { channelTexts, colorFigure, figures } from "./Resources/dashboard/statistics/figures.js";

const channels = (r, g, b) => ({ r, g, b });
const reading = {
  mean: channels(117.898, 104.62, 92),
  linear: channels(0.049712, 0.38666, 1),
  luminance: 0.335643,
  noise: { ...channels(0.2113, 0.1874, 12), deltaE: 0.0912 },
  settled: true,
  drift: { deltaEPerMinute: 0.0213, standardError: 0.0158 },
  totalDrift: { deltaEPerMinute: 1.5, standardError: 0.25 },
  quality: { grade: "fair", flags: [{ code: "uneven" }] },
  statistics: {
    pixels: 6_279,
    regionPixels: 307_200,
    min: channels(0, 1, 2),
    max: channels(253, 254, 255),
    median: channels(118, 109.5, 98),
    sd: channels(55.4149, 46.87, 44),
    clipped: { low: channels(0, 0.00002, 0.0213), high: channels(1, 0, 0) },
    outOfGamut: 0.0123,
    dominant: { hex: "#3FA7D6", share: 0.998454 },
  },
  color: { xyz: { x: 0.28027, y: 0.33613, z: 0.68611 }, xy: { x: 0.2152, y: 0.2581 }, cct: 5_003.4, duv: -0.00312, tint: "pink" },
};

const ofChannels = {
  mean: ["117.90", "104.62", "92.00"],
  median: ["118", "109.5", "98"],
  min: ["0", "1", "2"],
  max: ["253", "254", "255"],
  sd: ["55.41", "46.87", "44.00"],
  low: ["0.00 %", "< 0.01 %", "2.13 %"],
  high: ["100.00 %", "0.00 %", "0.00 %"],
  noise: ["0.21", "0.19", "12.00"],
  linear: ["0.0497", "0.3867", "1.0000"],
};
const ofColor = {
  noise: "ΔE 0.09",
  settled: "Yes",
  drift: "0.02 ± 0.02 ΔE/min",
  totalDrift: "1.50 ± 0.25 ΔE/min",
  dominant: "#3FA7D6, 99.85 %",
  outOfGamut: "1.23 %",
  uneven: "Yes",
  pixels: "6,279 of 307,200",
  luminance: "0.3356",
  xyz: "0.2803 0.3361 0.6861",
  xy: "0.2152 0.2581",
};
const declared = [
  [{ colorFigure: "cct", decimals: "0", unit: "K" }, "5,003 K"],
  [{ colorFigure: "duv", decimals: "4", unit: "" }, "-0.0031"],
  [{ colorFigure: "tint", decimals: "", unit: "" }, "pink"],
];

for (const [name, texts] of Object.entries(ofChannels)) {
  test(`"${name}" of the channels is ${texts.join(", ")}, and dashes if it is not defined`, () => {
    assert.deepEqual(channelTexts(name, reading), texts);
    assert.deepEqual(channelTexts(name, {}), ["–", "–", "–"]);
  });
}

for (const [name, text] of Object.entries(ofColor)) {
  test(`"${name}" of the colour is ${text}, and a dash if it is not defined`, () => {
    assert.equal(figures[name](reading), text);
    assert.equal(figures[name]({}), "–");
  });
}

for (const [figure, text] of declared) {
  test(`"${figure.colorFigure}" as it is declared is ${text}, and a dash if it is not defined`, () => {
    assert.equal(colorFigure(figure)(reading), text);
    assert.equal(colorFigure(figure)({}), "–");
  });
}

test("a colour that is not settled and an area that is even are called so", () => {
  assert.equal(figures.settled({ settled: false }), "No");
  assert.equal(figures.uneven({ quality: { grade: "good", flags: [] } }), "No");
});
