/** The lock for measuring. */

import { element, make, textSetter } from "../../lib/elements.js";
import { copyText } from "../messages.js";

/** The button in the header that locks the camera. */
export class LockButton {
  #button = element("lock-now", HTMLButtonElement);
  #setLabel = textSetter("lock-now");
  #isLocked = false;

  /** @param {(isLocked: boolean) => void} onToggle */
  constructor(onToggle) {
    this.#button.addEventListener("click", () => onToggle(this.#isLocked));
  }

  set isAvailable(isAvailable) {
    this.#button.hidden = !isAvailable;
  }

  /** Shows the state of the lock, as the server describes it; null if nothing is locked. */
  show(lock) {
    this.#isLocked = lock?.phase === "locked";
    this.#button.setAttribute("aria-pressed", String(this.#isLocked));
    this.#button.disabled = lock?.phase === "settling";
    this.#setLabel(lock?.phase === "settling" ? "Locking" : "Lock");
  }
}

/** The lock for measuring: a button in the header, and another one with the outcome among the controls. */
export class Lock {
  #header;
  #button = element("lock", HTMLButtonElement);
  #result = element("lock-result");
  #lines = element("lock-lines");
  #setStatus = textSetter("lock-status");
  #setLabel = textSetter("lock");
  #isLocked = false;

  /** @param {(isLocked: boolean, isFromHeader: boolean) => void} onToggle */
  constructor(onToggle) {
    this.#header = new LockButton((isLocked) => onToggle(isLocked, true));
    this.#button.addEventListener("click", () => onToggle(this.#isLocked, false));
    element("copy-lines").addEventListener("click", () => copyText(this.#lines.textContent, "the lines"));
  }

  set isAvailable(isAvailable) {
    this.#header.isAvailable = isAvailable;
  }

  /**
   * Shows the state of the lock.
   * @param {any} lock as the server describes it; null if nothing is locked.
   * @param {string[]} automatics the labels of the automatic controls that are on.
   */
  show(lock, automatics) {
    this.#isLocked = lock?.phase === "locked";
    this.#header.show(lock);
    this.#button.disabled = lock?.phase === "settling";
    this.#setLabel(this.#isLocked ? "Unlock" : "Lock for measuring");
    this.#result.hidden = !this.#isLocked;
    this.#setStatus(sentence(lock, automatics));
    if (!this.#isLocked) return;
    const { locked, missing, refused, config } = lock;
    const items = [
      ...locked.map(({ label, value }) => ["locked", `${label}: ${value}`]),
      ...refused.map(({ name, reason }) => ["refused", `${name} ${reason}`]),
      ...(missing.length > 0 ? [["missing", `This camera cannot lock its ${list(missing)}.`]] : []),
    ].map(([kind, text]) => make("li", { className: kind, text }));
    element("lock-list").replaceChildren(...items);
    this.#lines.textContent = config;
  }
}

function sentence(lock, automatics) {
  if (lock?.phase === "settling") return `Waiting for the automatic controls to settle, ${Math.floor(lock.seconds)} s.`;
  if (lock?.phase === "locked") {
    return lock.settled ? "Locked." : "Locked, but the automatic controls had not settled.";
  }
  if (automatics.length === 0) return "No automatic control is on.";
  return `On: ${list(automatics)}. The colour may drift.`;
}

/** Words as in "a, b and c". */
function list(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
