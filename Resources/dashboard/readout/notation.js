/** The choice of the notation, and the buttons that copy a value. */

import { element } from "../../lib/elements.js";
import { notations } from "../../lib/formatting.js";
import { copyText } from "../messages.js";
import { setPreference, shownReading, store } from "../state.js";

/** Copies the colour that is shown. */
export function copyNotation(name) {
  const color = shownReading(store.state);
  if (!color) return;
  const values = notations(color);
  copyText(values[name] ?? values.rgb);
}

const notation = element("notation", HTMLSelectElement);
notation.addEventListener("change", () => setPreference("notation", "notation", notation.value));
element("copy-hex").addEventListener("click", () => copyNotation("hex"));
element("copy-rgb").addEventListener("click", () => copyNotation("rgb"));
element("copy-notation").addEventListener("click", () => copyNotation(store.state.notation));
