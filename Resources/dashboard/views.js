/** The menu, its views (overlay and full screen), and the keyboard shortcuts. */

import { adoptAppearance, appearance } from "../lib/appearance.js";
import { element } from "../lib/elements.js";
import { effect } from "../lib/signals.js";
import { switchToNextCamera } from "./controls/cameras.js";
import { toast, undo } from "./messages.js";
import { toggleHold } from "./readout/held-color.js";
import { copyNotation } from "./readout/notation.js";
import { speakColor } from "./readout/speech.js";
import { renameNewest, takeSample } from "./samples/samples.js";
import { choose, state } from "./state.js";

const dialog = element("shortcuts", HTMLDialogElement);

function toggleOverlay() {
  choose("isOverlay", !state.isOverlay.value);
}

function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(refused);
}

const refused = () => toast("This browser does not allow full screen");

/** Shows the colour alone on the screen. */
function showColorOnly() {
  const swatch = element("swatch");
  if (swatch.requestFullscreen) swatch.requestFullscreen().catch(refused);
  else refused();
}

element("leave-color").addEventListener("click", () => document.exitFullscreen());

const appearanceChoice = element("appearance", HTMLSelectElement);
appearanceChoice.value = appearance.read("");
appearanceChoice.addEventListener("change", () => {
  appearance.write(appearanceChoice.value);
  adoptAppearance();
});

effect(() => element("overlay").setAttribute("aria-pressed", String(state.isOverlay.value)));
document.addEventListener("fullscreenchange", () => {
  element("full-screen").setAttribute("aria-pressed", String(document.fullscreenElement === document.documentElement));
});

function inMenu(id, job) {
  element(id).addEventListener("click", () => {
    /** @type {any} */ (element("menu")).hidePopover?.();
    job();
  });
}

inMenu("next-camera", switchToNextCamera);
inMenu("overlay", toggleOverlay);
inMenu("full-screen", toggleFullScreen);
inMenu("color-only", showColorOnly);
inMenu("speak-color", speakColor);
inMenu("help", () => dialog.showModal());
element("close-shortcuts").addEventListener("click", () => dialog.close());

// The arrow keys move through the entries of an open menu, from its button, too. Fields in a menu use them themselves.
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  const menu = document.querySelector(".menu:popover-open");
  if (!menu || !(target instanceof Element) || event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select")) return;
  if (!menu.contains(target) && !target.matches(".square, [popovertarget]")) return;
  const entries = /** @type {any[]} */ ([...menu.querySelectorAll("a, button")]).filter((entry) => entry.checkVisibility());
  const index = entries.indexOf(target);
  const next = { ArrowDown: index + 1, ArrowUp: index < 0 ? -1 : index - 1, Home: 0, End: -1 }[key];
  if (next === undefined || entries.length === 0) return;
  event.preventDefault();
  entries.at(next % entries.length).focus();
});

const box = element("use-shortcuts", HTMLInputElement);
box.checked = state.usesShortcuts.value;
box.addEventListener("change", () => choose("usesShortcuts", box.checked));

const shortcuts = {
  "s": takeSample,
  "n": renameNewest,
  "c": () => copyNotation("hex"),
  "r": speakColor,
  "o": toggleOverlay,
  "f": toggleFullScreen,
  "t": switchToNextCamera,
  "?": () => dialog.showModal(),
};

/** The time within which different letters are a text that somebody types outside of any field, in milliseconds. */
const typingTime = 500;
/** The last letter, and when it was pressed. */
let typed = { key: "", at: -typingTime };

/** Returns whether a key belongs to such a text: all of its letters but the first do. */
function isTyping(key, at) {
  if (!/^[\p{L}\p{N} ]$/u.test(key)) return false;
  const previous = typed;
  typed = { key, at };
  return key !== previous.key && at - previous.at < typingTime;
}

addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (!state.usesShortcuts.value || event.repeat || event.altKey || event.defaultPrevented || !(target instanceof Element)) return;
  // A field, a list or a dialog uses the keys itself.
  if (target.matches("input:not([type=checkbox], [type=radio]), select, textarea") || target.closest("dialog")) return;
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "z" && undo()) {
    event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey) return;
  if (key === "Escape" && state.isOverlay.value && !document.querySelector(":popover-open")) {
    toggleOverlay();
    return;
  }
  // Buttons, and panels that scroll, use the space bar themselves.
  if (key === " " && target !== document.body && target.id !== "region") return;
  const isText = isTyping(key, event.timeStamp);
  const job = key === " " ? toggleHold : shortcuts[key.toLowerCase()];
  if (!job || isText) return;
  event.preventDefault();
  job();
});
