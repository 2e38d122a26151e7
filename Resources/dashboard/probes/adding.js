/** The buttons that set probes on the picture, one by one or as a grid in the area. */

import { element } from "../../lib/elements.js";
import { effect } from "../../lib/signals.js";
import { mayChange, state } from "../state.js";
import { change } from "./list.js";

if (mayChange) {
  const addButton = element("add-probes");
  const gridMenu = /** @type {any} */ (element("grid-menu"));
  addButton.addEventListener("click", () => {
    state.isAddingProbes.value = !state.isAddingProbes.value;
  });
  effect(() => addButton.setAttribute("aria-pressed", String(state.isAddingProbes.value)));
  gridMenu.addEventListener("toggle", ({ newState }) => {
    if (newState === "open") element("grid-rows", HTMLInputElement).select();
  });
  element("grid-form").addEventListener("submit", (event) => {
    event.preventDefault();
    gridMenu.hidePopover();
    const [rowCount, columns] = ["grid-rows", "grid-columns"].map((id) => element(id, HTMLInputElement).valueAsNumber);
    const body = { rows: rowCount, columns, region: state.region.value };
    change("api/probes", { method: "PUT", body }, `${rowCount * columns} probes laid out`);
  });
}
