/** The rows of the lists of samples, targets and probes. */

import { make } from "../lib/elements.js";

/**
 * Makes the button that opens the menu of a row.
 * @param {(button: HTMLButtonElement) => void} onMore opens the menu beside the button.
 * @returns {HTMLButtonElement}
 */
export function makeMoreButton(onMore, label = "") {
  const button = make("button", { className: "quiet square" });
  button.type = "button";
  button.setAttribute("aria-label", label);
  button.title = "More";
  button.append(document.querySelector("#more svg").cloneNode(true));
  button.addEventListener("click", () => onMore(button));
  return button;
}
