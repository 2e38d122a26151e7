/** The wait until a scale is read: many tests have to be read at a certain time after dipping. */

import { make } from "../../lib/elements.js";
import { elapsed } from "../../lib/formatting.js";
import { Preference } from "../../lib/preference.js";
import { announce, toast, tryFetch } from "../messages.js";
import { choose } from "../state.js";

/** The time that was chosen last, in seconds. */
const preference = new Preference("scale-timer");

export class ScaleTimer {
  /** Shows or hides the field for the time; ends the wait if there is one. */
  button = make("button", { className: "quiet small", text: "Timer" });
  /** The form with the time, and what is left of it. */
  element = make("form", { className: "scale-timer" });
  #path;
  #name;
  #due = null;
  #field = make("input");
  #start = make("button", { className: "plain small", text: "Start" });

  constructor(name) {
    this.#name = name;
    this.#path = `api/scales/${encodeURIComponent(name)}/read`;
    this.button.type = "button";
    this.button.setAttribute("aria-label", `Read the scale ${name} after a time`);
    this.button.setAttribute("aria-expanded", "false");
    const label = make("label", { text: "Read after" });
    Object.assign(this.#field, { type: "number", min: "0", max: "86400", step: "any", required: true, value: preference.read("60"), autocomplete: "off" });
    label.append(" ", this.#field, " s");
    this.element.append(label, this.#start);
    this.element.hidden = true;
    this.button.addEventListener("click", () => this.#press());
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#begin();
    });
  }

  #press() {
    if (this.#due) {
      tryFetch(this.#path, { method: "DELETE" });
      return;
    }
    this.#open(this.element.hidden);
    if (!this.element.hidden) this.#field.select();
  }

  #open(isOpen) {
    this.element.hidden = !isOpen;
    this.button.setAttribute("aria-expanded", String(isOpen));
  }

  async #begin() {
    const after = this.#field.valueAsNumber;
    preference.write(String(after));
    if (await tryFetch(this.#path, { method: "POST", body: { after } })) {
      this.#open(false);
      this.button.focus();
    }
  }

  /**
   * Takes note of a reading.
   * @param {string | null} due when the scale is to be read, by the clock of the server.
   * @param {string} now
   * @param {string} value what the scale shows.
   */
  follow(due, now, value) {
    if (due) {
      const seconds = Math.ceil((Date.parse(due) - Date.parse(now)) / 1000);
      this.button.textContent = seconds > 0 ? `Cancel (${elapsed(seconds).replace(/^(00:)?0?/, "")})` : "Reading";
      if (!this.#due) announce(`${this.#name} will be read in ${seconds} seconds`);
    } else if (this.#due) {
      this.button.textContent = "Timer";
      // Somebody may have ended the wait before its time.
      if (Date.parse(this.#due) <= Date.parse(now)) {
        toast(`${this.#name}: ${value}. It is kept among the samples`, { label: "Show", job: () => choose("tab", "samples") });
      }
    }
    this.#due = due;
  }
}
