/** The clipboard. */

import { make } from "./elements.js";

/**
 * Copies text to the clipboard.
 * @param {string} text
 * @returns {Promise<boolean>} whether it succeeded.
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The clipboard is missing on pages from another machine over plain HTTP, and access to it may be denied.
    return copyBySelection(text);
  }
}

function copyBySelection(text) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const field = make("textarea", { className: "visually-hidden" });
  field.value = text;
  field.readOnly = true;
  document.body.append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    focused?.focus({ preventScroll: true });
  }
}
