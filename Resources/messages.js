/** Messages: the toast, which may offer to undo a change, and what screen readers announce. */

import { copy } from "./clipboard.js";
import { element, textSetter } from "./elements.js";
import { setAnnouncement } from "./readout.js";

/** How long a message stays, and one with a button, in milliseconds. */
const messageTime = 2_500;
export const undoTime = 8_000;

const setToast = textSetter("toast");
let timer = 0;
let pendingUndo = null;

/**
 * Shows a message for a short time. Screen readers announce it once.
 * @param {string} text
 * @param {(() => void) | null} undo takes back the change that the message reports.
 */
export function toast(text, undo = null) {
  clearTimeout(timer);
  setToast(text);
  pendingUndo = undo;
  element("undo").hidden = !undo;
  timer = setTimeout(() => {
    // The button does not vanish under the pointer or the focus.
    if (pendingUndo && element("toast-box").matches(":hover, :focus-within")) toast(text, pendingUndo);
    else clearToast();
  }, undo ? undoTime : messageTime);
}

function clearToast() {
  clearTimeout(timer);
  setToast("");
  pendingUndo = null;
  element("undo").hidden = true;
}

/**
 * Takes back the change that the toast reports.
 * @returns {boolean} whether there was one.
 */
export function undo() {
  const job = pendingUndo;
  if (!job) return false;
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
