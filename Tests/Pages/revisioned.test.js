/** Documents that are loaded again when readings state another revision of them. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Revisioned } from "./Resources/lib/revisioned.js";

/** The requests under way: each is answered by a document, or fails without one. */
let answers = [];
let shown = [];

beforeEach(() => {
  [answers, shown] = [[], []];
  globalThis.fetch = () =>
    new Promise((resolve, reject) => {
      answers.push((document) => {
        if (document) resolve(/** @type {any} */ ({ ok: true, status: 200, json: async () => document }));
        else reject(new Error("the server is not running"));
        return new Promise(setImmediate);
      });
    });
});

const begun = () => new Revisioned("/api/samples", (document) => shown.push(document.id));

test("a document is loaded once for each revision", async () => {
  const samples = begun();
  for (const revision of [1, 1, undefined, 2]) samples.follow(revision);
  assert.equal(answers.length, 2);
  await answers[0]({ id: "a" });
  await answers[1]({ id: "b" });
  assert.deepEqual(shown, ["a", "b"]);
});

test("an answer that is overtaken is not shown", async () => {
  const samples = begun();
  samples.follow(1);
  samples.follow(2);
  await answers[1]({ id: "b" });
  await answers[0]({ id: "a" });
  assert.deepEqual(shown, ["b"]);
});

test("after a failure, the next reading tries again", async () => {
  const samples = begun();
  samples.follow(1);
  await answers[0]();
  samples.follow(1);
  await answers[1]({ id: "a" });
  assert.deepEqual(shown, ["a"]);
});

test("the present revision can be loaded again, because this page has changed the document", async () => {
  const samples = begun();
  samples.follow(1);
  samples.load();
  assert.deepEqual([answers.length, samples.revision], [2, 1]);
});
