/** Rows of a spreadsheet that say what is in the places that are measured. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRows, recalled } from "./Resources/absorbance/wells.js";

const names = ["A1", "A2", "A3", "Area"];
const read = (text) => {
  const { marks, problems } = parseRows(text, names);
  return [[...marks].map(([index, { role, amount }]) => [names[index], role, amount].filter(Boolean).join(" ")), problems];
};
const marks = (text) => read(text)[0];

test("a row has a name, in any case, and what is in the place", () => {
  assert.deepEqual(read("a1\tblank\nA3\t2.5\nArea\tunknown"), [["A1 blank", "A3 standard 2.5", "Area unknown"], []]);
});
test("a row may have the number of a place instead", () => assert.deepEqual(marks("2\t1\n1\tBlank"), ["A2 standard 1", "A1 blank"]));
test("a single column is for the places in order", () => assert.deepEqual(marks("blank\n1\nunknown\n"), ["A1 blank", "A2 standard 1", "A3 unknown"]));
test("a heading is left out, and counts as no place", () => {
  assert.deepEqual(read("Well\tmg/L\nA1\t1"), [["A1 standard 1"], []]);
  assert.deepEqual(read("mg/L\n1\n2"), [["A1 standard 1", "A2 standard 2"], []]);
});
test("a concentration of 0 is that of the blank", () => assert.deepEqual(marks("0\n0,0"), ["A1 blank", "A2 blank"]));
test("a concentration may have a decimal comma or a power of ten", () => assert.deepEqual(marks("0,5\n1e-3"), ["A1 standard 0.5", "A2 standard 0.001"]));
test("the word standard has its concentration beside it", () => assert.deepEqual(marks("A1\tstandard\t4"), ["A1 standard 4"]));
test("a standard without a concentration is still one", () => assert.deepEqual(marks("A2\tstandard"), ["A2 standard"]));
test("rows that are not understood change nothing, and are reported", () => {
  assert.deepEqual(read("A1\t1\nZ9\t2\nA2\t-3\nA3\tsomething"), [
    ["A1 standard 1"],
    ["There is no place “Z9”.", "“-3” is neither a word nor a concentration.", "“something” is neither a word nor a concentration."],
  ]);
});
test("a wrong first row of a known place is no heading", () => {
  assert.deepEqual(read("A1\tsomething\nA2\t1"), [["A2 standard 1"], ["“something” is neither a word nor a concentration."]]);
});
test("more rows than places are reported", () => assert.deepEqual(read("1\n2\n3\n4\n5")[1], ["There is no place “5”."]));
test("words that objects have are no roles", () => assert.deepEqual(marks("A1\tconstructor\nA2\t__proto__"), []));

test("what is remembered is recalled, and nothing that another version wrote", () => {
  const mark = { role: "standard", amount: "1" };
  assert.deepEqual([...recalled(JSON.stringify([["A1", mark], ["A2", { role: "acid", amount: "1" }]]))], [["A1", mark]]);
  for (const text of ["", "{", "{}", "null", "[1]", "[[1, 2]]"]) assert.equal(recalled(text).size, 0, text);
});
