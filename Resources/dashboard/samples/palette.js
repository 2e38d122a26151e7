/** The user's palette, of which readings name the nearest colour: loading a file, exporting it, and removing it. */

import { element } from "../../lib/elements.js";
import { computed, effect } from "../../lib/signals.js";
import { toast, tryFetch } from "../messages.js";
import { mayChange, state } from "../state.js";

const hasPalette = computed(() => Boolean(state.reading.value?.color?.palette));
effect(() => {
  element("palette-links").hidden = !hasPalette.value;
});

if (mayChange) {
  const menu = /** @type {any} */ (element("samples-menu"));
  const field = element("palette-file", HTMLInputElement);
  const removeButton = element("remove-palette");

  /** Sends a request, and says what has come of it. */
  const change = async (method, body, done) => {
    const answer = await tryFetch("api/palette", { method, body });
    if (!answer) return;
    const { count, note, problem } = answer;
    const colors = count === 1 ? "1 colour" : `${count} colours`;
    // What was guessed no longer matters once the palette is removed.
    const guess = method === "PUT" && note ? `. ${note}` : "";
    toast(problem ?? `Palette of ${colors} ${done}${guess}`);
  };

  element("load-palette").addEventListener("click", () => {
    menu.hidePopover();
    field.click();
  });
  field.addEventListener("change", () => {
    const file = field.files[0];
    if (file) change("PUT", file, "loaded");
    // The same file can be chosen again.
    field.value = "";
  });
  removeButton.addEventListener("click", () => {
    menu.hidePopover();
    change("DELETE", undefined, "removed");
  });
  effect(() => {
    removeButton.hidden = !hasPalette.value;
  });
}
