import { ask } from "./api.js";

/** At most one change in so many milliseconds: a drag makes hundreds. */
const interval = 125;

/**
 * The settings that every page shares, and changes of them: the newest wins, and the last one is always sent.
 */
export class Settings {
  #pending = null;
  #isSending = false;
  #onProblem;

  /** @param {{ onProblem: (message: string) => void }} handlers */
  constructor({ onProblem }) {
    this.#onProblem = onProblem;
  }

  /** Whether a change is on its way: readings still tell of the old value. */
  get isChanging() {
    return this.#isSending || this.#pending !== null;
  }

  /** Changes some of them, soon. */
  change(values) {
    this.#pending = { ...this.#pending, ...values };
    if (!this.#isSending) this.#send();
  }

  async #send() {
    this.#isSending = true;
    while (this.#pending) {
      const body = this.#pending;
      this.#pending = null;
      const wait = new Promise((resolve) => setTimeout(resolve, interval));
      await this.#put(body);
      await wait;
    }
    this.#isSending = false;
  }

  async #put(body) {
    try {
      await ask("/api/settings", { method: "PUT", body });
    } catch (problem) {
      this.#onProblem(problem.message);
    }
  }
}

/** A choice of this browser's, remembered as long as it lets the page remember. */
export class Choice {
  #key;

  constructor(name) {
    this.#key = `swatchcam.${name}`;
  }

  read(fallback) {
    try {
      const text = localStorage.getItem(this.#key);
      return text === null ? fallback : text === "true";
    } catch {
      return fallback;
    }
  }

  write(value) {
    try {
      localStorage.setItem(this.#key, String(value));
    } catch {
      // Then it holds until the page is left.
    }
  }
}
