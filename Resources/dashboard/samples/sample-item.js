/** A row of the table of samples. */

import { make, makeChip } from "../../lib/elements.js";
import { doubtAbout, withUnit } from "../../lib/concentration.js";
import { clockTime, isToday } from "../../lib/formatting.js";
import { signal } from "../../lib/signals.js";
import { makeMoreButton } from "../rows.js";
import { withInterval } from "../scales/place.js";

/** A colour with its name and figures: a sample, or the live or the held colour. A box chooses it for a comparison. */
export class SampleItem {
  /** The row. */
  element = make("tr", { className: "sample" });
  #sample = signal(null);
  box = make("input");
  /** Opens the menu of a sample; null for the live and the held colour. */
  more = null;

  #chip = makeChip();
  #name = make("td", { className: "sample-name name-cell" });
  /** What shows the name in its cell: a button if the name can be changed. */
  #label;
  /** What makes the sample doubtful. */
  #remark = make("span", { className: "remark-cell" });
  #hex = make("td", { className: "hex-cell" });
  #error = make("td", { className: "error" });
  #taken = make("td", { className: "taken" });

  /**
   * @param {any} sample
   * @param {object} handlers
   * @param {() => void} handlers.onPick called when the box has been changed.
   * @param {(button: HTMLElement) => void} [handlers.onMore] opens the menu beside a button.
   * @param {() => void} [handlers.onRename] called when the name is clicked.
   */
  constructor(sample, { onPick, onMore, onRename }) {
    const [pick, swatch, last] = [make("td", { className: "pick" }), make("td", { className: "swatch-cell" }), make("td")];
    const label = make("label");
    this.box.type = "checkbox";
    this.box.autocomplete = "off";
    this.box.addEventListener("change", onPick);
    label.append(this.box);
    pick.append(label);
    swatch.append(this.#chip);
    if (onMore) {
      this.more = makeMoreButton(onMore);
      last.append(this.more);
    }
    this.#label = make(onRename ? "button" : "span");
    if (onRename) {
      Object.assign(this.#label, { className: "quiet", type: "button", title: "Rename" });
      // The keyboard has the menu and the key N, so that a long list has no more stops.
      this.#label.tabIndex = -1;
      this.#label.addEventListener("click", onRename);
    }
    this.#name.append(this.#label, this.#remark);
    this.element.append(pick, swatch, this.#name, this.#hex, this.#error, this.#taken, last);
    this.show(sample);
  }

  /** The colour as the server or a reading describes it. */
  get sample() {
    return this.#sample.value;
  }

  show(sample) {
    this.#sample.value = sample;
    const { name, hex, calibrated, standardError, time, quality, concentration, scales } = sample;
    const isUnsteady = time && quality?.flags.some(({ code }) => code === "unsettled");
    this.#remark.textContent = [
      calibrated && `calibrated ${calibrated.hex}`, concentration && withUnit(concentration), doubtAbout(concentration), isUnsteady && "not steady",
      ...(scales ?? []).filter(({ value }) => value !== null).map(withInterval),
    ].filter(Boolean).join(", ");
    this.#chip.firstElementChild?.setAttribute("fill", hex);
    this.#label.textContent = name;
    this.#hex.textContent = hex;
    this.#error.textContent = standardError ? standardError.deltaE.toFixed(2) : "";
    const taken = time && new Date(time);
    this.#taken.textContent = taken ? moment(taken) : "";
    this.#taken.title = taken ? `${taken.toLocaleDateString()} ${clockTime(taken)}` : "";
    this.box.setAttribute("aria-label", `Compare ${name}`);
    this.more?.setAttribute("aria-label", `More about ${name}`);
  }

  /**
   * Lets the user edit the name.
   * @param {(name: string) => void} onChange gets a new name.
   */
  edit(onChange) {
    const field = make("input");
    field.type = "text";
    field.value = this.sample.name;
    field.setAttribute("aria-label", "Name of the sample");
    this.#label.replaceWith(field);
    field.focus();
    field.select();
    let isDone = false;
    const finish = (isSaved) => {
      if (isDone) return;
      isDone = true;
      const name = field.value;
      const hadFocus = document.activeElement === field;
      field.replaceWith(this.#label);
      if (hadFocus) this.more?.focus();
      if (isSaved && name !== this.sample.name) onChange(name);
    };
    field.addEventListener("blur", () => finish(true));
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      // The focus moves to a button, which the same key would press.
      event.preventDefault();
      finish(event.key === "Enter");
    });
  }
}

/** When a sample was taken: the time of day, or the date unless that is today. */
function moment(date) {
  return isToday(date) ? clockTime(date) : date.toLocaleDateString();
}
