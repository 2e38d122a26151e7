/** The table of the places, with what is in each, and of the standards that were measured elsewhere or before. */

import { doubtAbout, written } from "../lib/concentration.js";
import { make, textSetterOf } from "../lib/elements.js";
import { none, withMinus } from "../lib/formatting.js";

const roles = { unknown: "unknown", blank: "blank", standard: "standard" };

/** An absorbance; a dash without one. */
export function fourDecimals(value) {
  return typeof value === "number" ? withMinus(value.toFixed(4)) : none;
}

/** A row of the table: the cells of its name, of what is in it, of its figures, and of a button. */
class Row {
  line = make("tr");
  /** @type {HTMLElement[]} */
  cells = ["place", "role", "amount", "absorbance", "residual", "last"].map((className) => make("td", { className }));

  constructor(label, mayChange) {
    this.cells[0].append(make("span", { text: label }));
    this.line.append(...(mayChange ? this.cells : this.cells.slice(0, -1)));
  }
}

/** The row of a place: the area, or a probe. What is in it is chosen there. */
export class PlaceRow extends Row {
  #select = make("select");
  #input = make("input");
  #found = make("span", { className: "found" });
  #interval = make("span", { className: "hint" });
  #setters;

  /**
   * @param {string} label
   * @param {(changes: object, isDone: boolean) => void} onChange gets what was changed of its mark, and whether it has been typed
   *   completely; nothing is changed if it is null.
   */
  constructor(label, onChange) {
    super(label, onChange !== null);
    const [, role, amount, absorbance, residual] = this.cells;
    this.#select.append(...Object.entries(roles).map(([value, text]) => new Option(text, value)));
    Object.assign(this.#input, { type: "text", inputMode: "decimal", autocomplete: "off", maxLength: 20 });
    this.#select.setAttribute("aria-label", `What ${label} contains`);
    this.#input.setAttribute("aria-label", `Concentration of ${label}`);
    this.#select.disabled = this.#input.disabled = onChange === null;
    this.#select.addEventListener("change", () => onChange({ role: this.#select.value }, true));
    for (const kind of ["input", "change"]) this.#input.addEventListener(kind, () => onChange({ amount: this.#input.value }, kind === "change"));
    role.append(this.#select);
    amount.append(this.#input, this.#found, " ", this.#interval);
    this.#setters = [this.#found, this.#interval, absorbance, residual].map(textSetterOf);
  }

  /** Shows what is in the place. */
  showMark({ role, amount }) {
    this.#select.value = role;
    this.#input.hidden = role !== "standard";
    if (document.activeElement !== this.#input) this.#input.value = amount;
  }

  /**
   * Shows what was measured: of a blank or a standard, its own measurement, if it has one, or else the newest reading.
   * @param {{ role: string }} mark
   * @param {{ absorbance: any, concentration: any, standard?: any }} measured
   * @param {"r" | "g" | "b"} key the channel.
   */
  showFigures({ role }, { absorbance, concentration, standard }, key) {
    const [setFound, setInterval, setAbsorbance, setResidual] = this.#setters;
    const { value, interval } = written(concentration);
    const doubt = doubtAbout(concentration);
    setFound(role === "unknown" ? value : role === "blank" ? "0" : "");
    this.#found.toggleAttribute("data-doubt", role === "unknown" && doubt !== "");
    setInterval(role === "unknown" ? [interval, doubt].filter(Boolean).join(", ") : "");
    setAbsorbance(fourDecimals((standard?.absorbance ?? absorbance)?.[key]));
    setResidual(standard ? fourDecimals(standard.residual) : "");
  }

  /** Offers to delete the standard that was measured in the place; null if there is none. */
  showStandard(name, onDelete) {
    this.cells[5].replaceChildren(...(onDelete && name !== null ? [makeDeleteButton(name, onDelete)] : []));
  }

  focusAmount() {
    this.#input.select();
    this.#input.focus();
  }
}

/** Makes the row of a standard that no place contains. */
export function makeStandardRow({ name, concentration, absorbance, residual }, key, onDelete) {
  const { line, cells: [, role, amount, absorbanceCell, residualCell, last] } = new Row(name, onDelete !== null);
  role.textContent = "standard";
  amount.textContent = String(concentration);
  absorbanceCell.textContent = fourDecimals(absorbance[key]);
  residualCell.textContent = fourDecimals(residual);
  if (onDelete) last.append(makeDeleteButton(name, onDelete));
  return line;
}

function makeDeleteButton(name, onDelete) {
  const button = make("button", { className: "link", text: "Delete" });
  button.type = "button";
  button.setAttribute("aria-label", `Delete ${name}`);
  button.addEventListener("click", onDelete);
  return button;
}
