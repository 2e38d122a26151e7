/** A row of the list of targets. */

import { attributeSetter, draw, make, textSetterOf } from "../../lib/elements.js";
import { fitted, none } from "../../lib/formatting.js";
import { componentsOf, explanation, verdictLabel } from "../../lib/verdict.js";
import { makeMoreButton } from "../rows.js";

/** Returns a new element and a function that sets its text. */
function textOf(tag, className) {
  const made = make(tag, { className });
  return [made, textSetterOf(made)];
}

/** A target with the verdict on it. A box shows it beside the colour. */
export class TargetItem {
  /** The row. */
  element = make("li", { className: "target" });
  #box = make("input");
  #setVerdict = attributeSetter(this.element, "data-verdict");
  #setMeasured;
  #setWanted;
  #set;

  /**
   * @param {string} name
   * @param {object} handlers
   * @param {(isPicked: boolean) => void} handlers.onPick called when the box has been changed.
   * @param {(button: HTMLElement) => void} [handlers.onMore] opens the menu beside a button.
   */
  constructor(name, { onPick, onMore }) {
    const chip = draw("svg", { class: "chip", "aria-hidden": "true", viewBox: "0 0 2 1", preserveAspectRatio: "none" });
    [this.#setMeasured, this.#setWanted] = [0, 1].map((x) => {
      const half = draw("rect", { x, width: 1, height: 1 });
      chip.append(half);
      return attributeSetter(half, "fill");
    });
    const pick = make("label", { className: "pick" });
    this.#box.type = "checkbox";
    this.#box.autocomplete = "off";
    this.#box.setAttribute("aria-label", `Show ${name} beside the colour`);
    this.#box.addEventListener("change", () => onPick(this.#box.checked));
    pick.append(this.#box);
    const verdict = make("p", { className: "target-verdict" });
    const [word, setWord] = textOf("strong", "verdict-word");
    const [delta, setDelta] = textOf("span", "code");
    const [tolerance, setTolerance] = textOf("span", "label");
    verdict.append(document.querySelector("#judged .verdict-sign").cloneNode(true), word);
    const difference = make("p", { className: "target-delta" });
    const [reason, setReason] = textOf("p", "target-reason");
    const [parts, setParts] = textOf("span", "target-parts code");
    difference.append(make("span", { className: "label", text: "ΔE" }), delta, tolerance, parts);
    const [counts, setCounts] = textOf("p", "target-counts");
    this.#set = { setWord, setDelta, setTolerance, setReason, setParts, setCounts };
    this.element.append(pick, chip, make("p", { className: "target-name", text: name }), verdict);
    if (onMore) this.element.append(makeMoreButton(onMore, `More about ${name}`));
    this.element.append(difference, counts, reason);
  }

  /**
   * Shows what a reading says of the target.
   * @param {any} target
   * @param {string | null} hex the measured colour.
   * @param {boolean} isPicked
   */
  show(target, hex, isPicked) {
    const { verdict, deltaE, tolerance, counts } = target;
    this.#box.checked = isPicked;
    this.#setVerdict(verdict ?? "none");
    this.#setMeasured(hex ?? "none");
    this.#setWanted(target.hex);
    this.#set.setWord(verdictLabel(verdict));
    this.#set.setDelta(typeof deltaE === "number" ? fitted(deltaE, 2) : none);
    this.#set.setTolerance(`of ${tolerance}`);
    this.#set.setReason(explanation(target));
    const components = componentsOf(target);
    this.#set.setParts(["ΔL′", "ΔC′", "ΔH′"].map((name, index) => `${name} ${(components[index] ?? none).padEnd(5)}`).join(" "));
    this.#set.setCounts(counts ? `${counts.pass} pass, ${counts.fail} fail, ${counts.close} too close` : "");
  }
}
