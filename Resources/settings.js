import { ask } from "./api.js";
import { Pacer } from "./pacer.js";

/** The settings that every page shares, and changes of them: the newest wins. */
export class Settings {
  #changes = null;
  #pacer = new Pacer();
  #onProblem;

  /** @param {{ onProblem: (message: string) => void }} handlers */
  constructor({ onProblem }) {
    this.#onProblem = onProblem;
  }

  /** Whether a change is on its way: readings still tell of the old value. */
  get isChanging() {
    return this.#pacer.isBusy;
  }

  /** Changes some of them, soon. */
  change(values) {
    this.#changes = { ...this.#changes, ...values };
    this.#pacer.push(async () => {
      const body = this.#changes;
      this.#changes = null;
      try {
        await ask("/api/settings", { method: "PUT", body });
      } catch (problem) {
        this.#onProblem(problem.message);
      }
    });
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
