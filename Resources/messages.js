/** Messages: the toast, which may offer to undo a change, and what screen readers announce. */

import { copy } from "./clipboard.js";
import { element, textSetter } from "./elements.js";
import { setAnnouncement } from "./readout.js";

/** How long a message stays at least, the time to read one of its letters, and how long one with a button stays, in milliseconds. */
const messageTime = 2_500;
const letterTime = 60;
const undoTime = 8_000;

const setToast = textSetter("toast");
let timer = 0;
/** What takes back the change that the toast reports, and what is done once that is no longer offered; null without an offer. */
let offer = null;

/**
 * Shows a message for a short time. Screen readers announce it once.
 * @param {string} text
 * @param {(() => void) | null} undo takes back the change that the message reports.
 * @param {() => void} onKeep called once the change can no longer be taken back.
 */
export function toast(text, undo = null, onKeep = () => {}) {
  clearToast();
  setToast(text);
  offer = undo && { undo, onKeep };
  element("undo").hidden = !undo;
  clearAfter(undo ? undoTime : Math.max(messageTime, letterTime * text.length));
}

function clearAfter(delay) {
  timer = setTimeout(() => {
    // The button does not vanish under the pointer or the focus.
    if (offer && element("toast-box").matches(":hover, :focus-within")) clearAfter(delay);
    else clearToast();
  }, delay);
}

function clearToast() {
  clearTimeout(timer);
  setToast("");
  element("undo").hidden = true;
  const ended = offer;
  offer = null;
  ended?.onKeep();
}

/**
 * Takes back the change that the toast reports.
 * @returns {boolean} whether there was one.
 */
export function undo() {
  if (!offer) return false;
  const job = offer.undo;
  offer = null;
  clearToast();
  job();
  return true;
}

element("undo").addEventListener("click", undo);

/** Lets screen readers say a text once, even if it is the same as before. */
export function announce(text) {
  setAnnouncement("");
  setTimeout(() => setAnnouncement(text), 50);
}

/**
 * Copies text, and says whether it worked.
 * @param {string} text
 * @param {string} name what the message calls it.
 */
export async function copyText(text, name = text) {
  toast((await copy(text)) ? `Copied ${name}` : "This browser does not allow copying");
}
