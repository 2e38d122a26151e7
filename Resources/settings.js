import { fetchJSON } from "./fetch-json.js";
import { Throttle } from "./throttle.js";

/** Sends changes of the settings that all pages share. The newest change wins. */
export class Settings {
  #changes = null;
  #throttle = new Throttle();
  #onProblem;

  /** @param {{ onProblem: (message: string) => void }} handlers */
  constructor({ onProblem }) {
    this.#onProblem = onProblem;
  }

  /** Whether a change is pending, so that readings may still have the old value. */
  get isChanging() {
    return this.#throttle.isBusy;
  }

  /** Changes some settings soon. */
  change(values) {
    this.#changes = { ...this.#changes, ...values };
    this.#throttle.push(async () => {
      const body = this.#changes;
      this.#changes = null;
      try {
        await fetchJSON("/api/settings", { method: "PUT", body });
      } catch (problem) {
        this.#onProblem(problem.message);
      }
    });
  }
}
