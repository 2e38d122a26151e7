/** What the pages have in common that measure step by step: the picture and the readout of the dashboard, the lock, and progress. */

import { element, textSetter } from "../lib/elements.js";
import { none } from "../lib/formatting.js";
import { Revisioned } from "../lib/revisioned.js";
import { computed, effect, signal } from "../lib/signals.js";
import { LockButton } from "./controls/lock.js";
import { startFeed } from "./feed.js";
import { tryFetch } from "./messages.js";
import { editor } from "./picture/area.js";
import "./readout/notation.js";
import "./readout/quality.js";
import "./readout/readout.js";
import { followReadings, mayChange, state } from "./state.js";

// The area keeps its size, and nothing is compared with a target.
editor.keepsSize = true;
state.target.value = "";

const setCamera = textSetter("camera-name");
effect(() => setCamera(state.reading.value?.state === "live" ? (state.reading.value.camera?.name ?? none) : ""));

// The lock

/** The time between requests for the state of the lock, in milliseconds: an automatic control changes all the time. */
const lockPeriod = 2_000;
let lockDue = 0;
/** Whether the camera has controls. */
const hasControls = signal(false);
const described = new Revisioned("api/controls", ({ controls, lock }) => {
  hasControls.value = controls.length > 0;
  lockButton.show(lock);
});
const lockButton = new LockButton(async (isLocked) => {
  await tryFetch("api/controls/lock", { method: isLocked ? "DELETE" : "POST", body: {} });
  described.load();
});
const isLockable = computed(() => mayChange && hasControls.value && state.reading.value?.state === "live");
effect(() => {
  lockButton.isAvailable = isLockable.value;
  element("how-to-lock").hidden = !isLockable.value;
});
followReadings(({ state: name, revisions }) => {
  if (name !== "live" || performance.now() < lockDue) return;
  lockDue = performance.now() + lockPeriod;
  described.follow(revisions.controls);
});

// Progress: it stands beside the button that was pressed

/** What cancels the measurement under way; null while nothing is measured. */
export const controller = signal(null);
/** What is being measured, of how many readings or frames, and how many have come; null while nothing is counted. */
let counted = null;

export function say(message) {
  if (mayChange) element("status").textContent = message;
}

/** Counts readings from now on, or frames. */
export function count(name, total, ofFrames = false) {
  counted = { name, total, done: 0, firstFrame: ofFrames ? (state.reading.value?.frame?.sequence ?? 0) : null };
  sayCount();
}

function sayCount() {
  const { name, total, done } = counted;
  say(`${name}: ${Math.max(0, Math.min(done, total))} of ${total}. Hold still.`);
}

followReadings((reading) => {
  if (!counted || !reading.hex) return;
  const { done, firstFrame } = counted;
  counted.done = firstFrame === null ? done + 1 : reading.frame.sequence - firstFrame;
  sayCount();
});

/**
 * Measures something, which takes some seconds, unless something is being measured.
 * @param {(signal: AbortSignal) => Promise<string>} job returns what is said when it is done.
 */
export async function measure(job) {
  if (controller.value) return;
  const focused = document.activeElement;
  const own = new AbortController();
  controller.value = own;
  let message = "";
  try {
    message = await job(own.signal);
  } catch (problem) {
    message = own.signal.aborted ? own.signal.reason.message : problem.message;
  }
  controller.value = null;
  counted = null;
  say(message);
  // Disabled buttons lose the focus.
  if (focused instanceof HTMLElement && [document.body, element("cancel")].includes(/** @type {any} */ (document.activeElement))) focused.focus();
}

if (mayChange) {
  effect(() => {
    element("cancel").hidden = controller.value === null;
  });
  element("cancel").addEventListener("click", () => controller.value?.abort(new Error("Cancelled.")));
  effect(() => {
    if (state.silence.value && !state.silence.value.isConnected) controller.value?.abort(new Error("The connection to Swatchcam is lost."));
  });
}

/** Shows the readings. Called last, when everything follows them. */
export function start() {
  startFeed();
}
