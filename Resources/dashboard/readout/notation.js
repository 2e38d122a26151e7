/** The choice of the notation, and the buttons that copy a value. */

import { element } from "../../lib/elements.js";
import { notations } from "../../lib/formatting.js";
import { copyText } from "../messages.js";
import { choose, shown, state } from "../state.js";

/** Copies the colour that is shown. */
export function copyNotation(name) {
  if (!shown.value) return;
  const values = notations(shown.value);
  copyText(values[name] ?? values.rgb);
}

const notation = element("notation", HTMLSelectElement);
notation.addEventListener("change", () => choose("notation", notation.value));
element("copy-hex").addEventListener("click", () => copyNotation("hex"));
element("copy-rgb").addEventListener("click", () => copyNotation("rgb"));
element("copy-notation").addEventListener("click", () => copyNotation(state.notation.value));
