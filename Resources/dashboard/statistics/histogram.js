/** The histogram of the pixels: how many of them have each code value, in a strip for each channel. */

import { attributeSetter, element, textSetter } from "../../lib/elements.js";
import { clockTime } from "../../lib/formatting.js";
import { Preference } from "../../lib/preference.js";
import { fetchJSON } from "../../lib/requests.js";

/** The height of a strip, in the units of its drawing. */
const height = 100;

export class Histogram {
  #paths = [...element("histogram").querySelectorAll("path")].map((path) => attributeSetter(path, "d"));
  #setNote = textSetter("histogram-note");
  #box = element("histogram-logarithmic", HTMLInputElement);
  #preference = new Preference("logarithmic");
  #isLoading = false;
  /** The counts of each channel, and their time; null while there is no colour. */
  #counts = null;
  #time = "";

  constructor() {
    this.#box.checked = this.#preference.read("false") === "true";
    this.#box.addEventListener("change", () => {
      this.#preference.write(this.#box.checked);
      this.#draw();
    });
  }

  /** Loads the newest histogram, unless a request is under way. */
  async load() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      const { histogram, time } = await fetchJSON("api/statistics");
      this.#counts = histogram && [histogram.r, histogram.g, histogram.b];
      this.#time = time;
      this.#setNote("");
      this.#draw();
    } catch (problem) {
      this.#setNote(problem.message);
    } finally {
      this.#isLoading = false;
    }
  }

  /** Says when the histogram was taken, because it no longer follows the readings. */
  hold() {
    this.#setNote(this.#counts ? `at ${clockTime(new Date(this.#time))}` : "not available while a colour is held");
  }

  clear() {
    this.#counts = null;
    this.#setNote("");
    this.#draw();
  }

  #draw() {
    const scale = this.#box.checked ? (count) => Math.log1p(count) : (count) => count;
    const most = scale(Math.max(1, ...(this.#counts ?? []).flat()));
    for (const [index, set] of this.#paths.entries()) {
      set(this.#counts ? outline(this.#counts[index].map((count) => scale(count) / most)) : "");
    }
  }
}

/** The outline of bars, whose heights are 0...1. Equal neighbours share a line. */
function outline(heights) {
  let path = `M0 ${height}`;
  let last = "";
  for (const [value, share] of heights.entries()) {
    // The lowest bar that is not empty can still be seen.
    const top = share > 0 ? Math.min(height - 2, height * (1 - share)).toFixed(1) : String(height);
    if (top !== last) path += `H${value}V${top}`;
    last = top;
  }
  return `${path}H${heights.length}V${height}Z`;
}
