/** The choice of the notation, and the buttons that copy a value. */

import { element } from "../../lib/elements.js";
import { notations } from "../../lib/formatting.js";
import { effect } from "../../lib/signals.js";
import { copyText } from "../messages.js";
import { choose, displayed, isCalibrated, shown, state } from "../state.js";

/** Copies the colour that is shown. */
export function copyNotation(name) {
  if (!displayed.value) return;
  const values = notations(displayed.value);
  copyText(values[name] ?? values.rgb);
}

const notation = element("notation", HTMLSelectElement);
// The headings of the list say what the figures are.
effect(() => {
  notation.title = [...notation.options].find(({ value }) => value === state.notation.value)?.closest("optgroup")?.label ?? "";
});
notation.addEventListener("change", () => choose("notation", notation.value));
element("copy-hex").addEventListener("click", () => copyNotation("hex"));
element("copy-rgb").addEventListener("click", () => copyNotation("rgb"));
element("copy-calibrated").addEventListener("click", () => {
  const reading = shown.value;
  const hex = isCalibrated.value ? reading?.hex : reading?.calibrated?.hex;
  if (hex) copyText(hex);
});
const showsCalibrated = element("show-calibrated");
showsCalibrated.addEventListener("click", () => choose("showsCalibrated", !state.showsCalibrated.value));
effect(() => {
  showsCalibrated.title = `Show the ${isCalibrated.value ? "colour as it was read" : "calibrated colour"} in the swatch`;
  showsCalibrated.setAttribute("aria-label", showsCalibrated.title);
  const copyCalibrated = element("copy-calibrated");
  copyCalibrated.title = isCalibrated.value ? "Copy hex as read" : "Copy calibrated hex";
  copyCalibrated.setAttribute("aria-label", copyCalibrated.title);
});
element("copy-notation").addEventListener("click", () => copyNotation(state.notation.value));
