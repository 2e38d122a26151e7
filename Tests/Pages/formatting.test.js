/** States, grades, times and verdicts in words. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { hexOf, textColorOn } from "./Resources/lib/colors.js";
import { abridged, advice, duration, figuresOf, fitted, notations, shownGrade } from "./Resources/lib/formatting.js";
import * as verdict from "./Resources/lib/verdict.js";

for (const [seconds, text] of [
  [59, "59 s"], [60, "1 min 0 s"], [3_599, "59 min 59 s"], [3_600, "1 h 0 min"], [86_399, "23 h 59 min"], [90_000, "1 d 1 h"],
]) {
  test(`${seconds} seconds are "${text}"`, () => assert.equal(duration(seconds), text));
}

for (const [description, reading, grade] of [
  ["nothing is shown without a reading", null, ""],
  ["nothing is called good before its noise is known", { quality: { grade: "good" }, noise: null, rate: { wanted: 4 } }, ""],
  ["what is fair is called fair at once", { quality: { grade: "fair" }, noise: null, rate: { wanted: 4 } }, "fair"],
  ["a known noise lets a reading be good", { quality: { grade: "good" }, noise: {}, rate: { wanted: 4 } }, "good"],
  ["a rate at which noise takes more than a minute waits for none", { quality: { grade: "good" }, rate: { wanted: 0.1 } }, "good"],
]) {
  test(description, () => assert.equal(shownGrade(reading), grade));
}

const clipped = { message: "3.1 % of the pixels are at the top of red." };
const long = { message: `The colour is changing: ${"wait until the lamp is warm, ".repeat(5)}then measure.` };

for (const [flags, settled, isHeld, text] of [
  [[], "true", false, "Steady. Nothing to improve."],
  [[], "false", false, "Not steady yet."],
  [[], "unknown", false, "Measuring…"],
  [[], "null", false, ""],
  [[clipped, long], "false", false, clipped.message],
  [[long], "false", false, "The colour is changing."],
  [[{ message: "The light flickers." }], "true", true, "When held: the light flickers."],
  [[long], "false", true, "When held: the colour is changing."],
  [[], "true", true, "Held. Samples are taken from the live colour."],
]) {
  const state = `${isHeld ? "held" : "live"}, settled: ${settled}, doubts: ${flags.length}`;
  test(`the advice about a reading (${state}) is "${text}"`, () => assert.equal(advice({ flags, settled }, isHeld), text));
}

for (const [css, text] of [
  ["oklch(0.49 0.1 65)", "0.490 0.100 65.0"],
  ["oklab(0 -0.07 0)", "0.000 −0.070 0.000"],
  ["lab(48 2.4 -5)", "48.0 2.4 −5.0"],
  ["hsl(27 100% 44.5%)", "27.0 100% 44.5%"],
  ["hwb(27 0% 10%)", "27.0 0.0% 10.0%"],
  ["lch(48 0 none)", "48.0 0.0 none"],
  ["rgb(1 20 255)", "1 20 255"],
  ["#C8102E", "#C8102E"],
]) {
  // CSS omits trailing zeros; figures that come and go would jump.
  test(`the figures of ${css} are shown as ${text}`, () => assert.equal(figuresOf(css), text));
}

test("a colour has its hexadecimal and RGB notations even if the server knows no others", () => {
  const { hex, rgb, oklch } = notations({ hex: "#01FF00", rgb: { r: 1, g: 255, b: 0 }, color: null });
  assert.deepEqual([hex, rgb, oklch], ["#01FF00", "rgb(1 255 0)", undefined]);
});

for (const [value, text] of [[1.26, "+1.3"], [-1.26, "−1.3"], [0, "0.0"], [-0.04, "0.0"], [0.04, "0.0"], [99.96, "+100"], [-115.7, "−116"]]) {
  test(`the difference ${value} is written ${text}`, () => assert.equal(verdict.signed(value), text));
}

for (const [value, text] of [[1.234, "1.23"], [99.994, "99.99"], [99.996, "100.0"], [104.87, "104.9"]]) {
  test(`${value} with two decimals is written ${text}, which has no more than five characters`, () => assert.equal(fitted(value, 2), text));
}

test("of a text that is too long, its beginning is shown", () => {
  assert.deepEqual(["Leaf", "Leaves", "Leaf 🍂🍂🍂"].map((text) => abridged(text, 6)), ["Leaf", "Leaves", "Leaf…"]);
});

const red = { name: "Red", verdict: "fail", deltaE: 3 };
const blue = { name: "Blue", verdict: "close", deltaE: 5 };

test("one target is not called a match", () => assert.equal(verdict.matchInWords({ targets: [red], match: "Red", unique: true }), ""));

for (const [judged, words, spoken, decisive] of [
  [{ targets: [red, blue], match: "Blue", unique: true }, "This is “Blue”.", "match: Blue", "Blue"],
  [{ targets: [red, blue], match: "Blue", unique: false }, "This is “Blue”, but another target is not ruled out.", "perhaps Blue", "Blue"],
  [{ targets: [red, blue], match: null, unique: false }, "Not decided yet.", "not decided", "Blue"],
  [{ targets: [{ ...red, deltaE: null }, { ...red, name: "Rose" }], match: null, unique: false }, "This is none of these.", "no match", "Rose"],
]) {
  test(`"${words}" is shown, "${spoken}" is spoken, and ${decisive} decides`, () => {
    assert.equal(verdict.matchInWords(judged), words);
    assert.equal(verdict.spokenVerdict(judged), spoken);
    assert.equal(verdict.decisiveTarget(judged).name, decisive);
  });
}

for (const [target, words] of [
  [{ verdict: "fail", reason: "Too far", words: "redder" }, "Redder."],
  [{ verdict: "close", reason: "Too noisy", words: "redder" }, "Too noisy"],
  [{ verdict: "pass", words: "redder" }, "Redder."],
  [{ verdict: "pass" }, ""],
]) {
  test(`the explanation of ${JSON.stringify(target)} is "${words}"`, () => assert.equal(verdict.explanation(target), words));
}

for (const [hex, text] of [["#767676", "#000000"], ["#757575", "#FFFFFF"], ["#FFFFFF", "#000000"], ["#0000FF", "#FFFFFF"]]) {
  test(`text on ${hex} is ${text}`, () => assert.equal(textColorOn(hex), text));
}

test("the text of a colour has two digits for each channel, rounded", () => assert.equal(hexOf([0, 15.6, 255]), "#0010FF"));
