/** The probes that are set, their frames on the picture, and how they are set and taken back. */

import { element } from "../../lib/elements.js";
import { ProbeFrames } from "../../lib/probe-frames.js";
import { Revisioned } from "../../lib/revisioned.js";
import { effect } from "../../lib/signals.js";
import { remark, toast, tryFetch } from "../messages.js";
import { followReadings, state } from "../state.js";

/** The probes that are set. Rows that stay the same keep their focus and their menu. */
export const { probes } = state;

const frames = new ProbeFrames(element("probes"));
effect(() => frames.show(probes.value));

const list = new Revisioned("api/probes", ({ probes: set }) => {
  probes.value = set ?? [];
});
// The probes came with the page in its document of the settings, and the counter of the settings counts their changes, too.
list.begin("settings");
followReadings(({ revisions }) => list.follow(revisions.settings));

/**
 * Changes the probes on the server, and offers to take that back.
 * @param {string} path
 * @param {{ method: string, body?: unknown }} options
 * @param {string} done what the message says.
 */
export async function change(path, options, done) {
  const before = probes.value;
  if (!(await tryFetch(path, options))) return;
  await list.load();
  toast(done, { job: () => replace(before, "Undone") });
}

/** Replaces all probes. */
export async function replace(wanted, done) {
  if (!(await tryFetch("api/settings", { method: "PUT", body: { probes: wanted } }))) return;
  await list.load();
  // What was changed meanwhile can still be taken back.
  remark(done);
}

/** The address of a probe in the API. */
export const addressOf = (name) => `api/probes/${encodeURIComponent(name)}`;

/** Adds a probe with the first free number as its name. */
export function addProbe(region) {
  let number = probes.value.length + 1;
  while (probes.value.some(({ name }) => name === `P${number}`)) number += 1;
  const name = `P${number}`;
  return change(addressOf(name), { method: "PUT", body: { region } }, `Probe ${name} set`);
}
