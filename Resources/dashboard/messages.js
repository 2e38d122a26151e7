/** Messages: the toast, which may have a button, such as Undo, and what screen readers announce. */

import { copy } from "../lib/clipboard.js";
import { element, textSetter } from "../lib/elements.js";
import { fetchJSON } from "../lib/requests.js";
import { setAnnouncement } from "./readout/readout.js";

/**
 * How long a message stays at least, the time to read one of its letters, and how long one with a button stays, in
 * milliseconds.
 */
const messageTime = 4_000;
const letterTime = 60;
const offerTime = 24_000;
/** How long nothing takes the place of a button that is gone: somebody may be about to press it. */
const restTime = 1_500;

const setToast = textSetter("toast");
let timer = 0;
/**
 * What the button of the toast does.
 * @typedef {object} Offer
 * @property {() => void} job
 * @property {string} [label] on the button. The key Ctrl+Z presses only Undo.
 * @property {() => void} [onKeep] called once a deletion can no longer be taken back.
 */

/** @type {Offer | null} */
let offer = null;
const setLabel = textSetter("undo");

/**
 * Shows a message for a short time. Screen readers announce it once.
 * @param {string} text
 * @param {Offer | null} offered
 */
export function toast(text, offered = null) {
  clearToast();
  setToast(text);
  offer = offered && { label: "Undo", ...offered };
  if (offer) setLabel(offer.label);
  element("undo").hidden = !offer;
  const readingTime = Math.max(messageTime, letterTime * text.length);
  clearAfter(offer ? Math.max(readingTime, offerTime) : readingTime);
}

/** Shows a message that is less important than a button: while there is one, it is only announced. */
export function remark(text) {
  if (offer) announce(text);
  else toast(text);
}

function clearAfter(delay) {
  timer = setTimeout(() => {
    // The button does not vanish under the pointer or the focus.
    if (offer && element("toast-box").matches(":hover, :focus-within")) {
      clearAfter(delay);
      return;
    }
    if (offer) {
      element("slot").toggleAttribute("data-rests", true);
      setTimeout(() => element("slot").toggleAttribute("data-rests", false), restTime);
    }
    clearToast();
  }, delay);
}

function clearToast() {
  clearTimeout(timer);
  setToast("");
  element("undo").hidden = true;
  const ended = offer;
  offer = null;
  ended?.onKeep?.();
}

function accept() {
  const job = offer?.job;
  offer = null;
  clearToast();
  job?.();
}

/**
 * Takes back the change that the toast reports.
 * @returns {boolean} whether there was one.
 */
export function undo() {
  if (offer?.label !== "Undo") return false;
  accept();
  return true;
}

element("undo").addEventListener("click", accept);

/**
 * Sends a request. If it fails, a message says why.
 * @returns {Promise<any>} the answer; null if it failed.
 */
export async function tryFetch(path, options) {
  try {
    return await fetchJSON(path, options);
  } catch (problem) {
    toast(problem.message);
    return null;
  }
}

// A field that takes no more characters says so.
document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.maxLength < 0) return;
  if (target.value.length >= target.maxLength) remark(`At most ${target.maxLength} characters`);
});

/** Lets screen readers say a text once, even if it is the same as before. */
export function announce(text) {
  setAnnouncement("");
  setTimeout(() => setAnnouncement(text), 50);
}

/** How long a button that has copied shows a tick, in milliseconds. */
const tickTime = 2_000;

/**
 * Copies text, and says whether it worked. The button that was pressed shows it, too: the message may be far from it.
 * @param {string} text
 * @param {string} name what the message calls it.
 */
export async function copyText(text, name = text) {
  const button = document.activeElement?.closest(".copy");
  const isCopied = await copy(text);
  toast(isCopied ? `Copied ${name}` : "This browser does not allow copying");
  if (!isCopied || !button) return;
  button.toggleAttribute("data-copied", true);
  setTimeout(() => button.toggleAttribute("data-copied", false), tickTime);
}
