/** The menu, its views (overlay and full screen), and the keyboard shortcuts. */

import { switchToNextCamera } from "./cameras.js";
import { element, ifChanged } from "./elements.js";
import { speakColor, toggleHold } from "./hold.js";
import { toast } from "./messages.js";
import { copyNotation } from "./notation.js";
import { takeSample } from "./samples.js";
import { setPreference, store } from "./state.js";

const instrument = element("instrument");
const dialog = element("shortcuts", HTMLDialogElement);

function toggleOverlay() {
  setPreference("overlay", "isOverlay", !store.state.isOverlay);
}

function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => toast("This browser does not allow full screen"));
}

const showOverlay = ifChanged((isOverlay) => element("overlay").setAttribute("aria-pressed", String(isOverlay)));
store.follow(({ isOverlay }) => showOverlay(isOverlay));
document.addEventListener("fullscreenchange", () => {
  element("full-screen").setAttribute("aria-pressed", String(Boolean(document.fullscreenElement)));
});

function inMenu(id, job) {
  element(id).addEventListener("click", () => {
    /** @type {any} */ (element("menu")).hidePopover?.();
    job();
  });
}

inMenu("overlay", toggleOverlay);
inMenu("full-screen", toggleFullScreen);
inMenu("help", () => dialog.showModal());
element("close-shortcuts").addEventListener("click", () => dialog.close());

const box = element("use-shortcuts", HTMLInputElement);
box.checked = store.state.usesShortcuts;
box.addEventListener("change", () => setPreference("shortcuts", "usesShortcuts", box.checked));

const shortcuts = {
  "s": takeSample,
  "c": () => copyNotation("hex"),
  "r": speakColor,
  "o": toggleOverlay,
  "f": toggleFullScreen,
  "t": switchToNextCamera,
  "?": () => dialog.showModal(),
};

addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (!store.state.usesShortcuts || event.ctrlKey || event.metaKey || event.altKey || event.repeat || !(target instanceof Element)) return;
  if (key === " ") {
    // Controls, and panels that scroll, use the space bar themselves.
    if (target !== document.body && target !== instrument && target.id !== "region") return;
    event.preventDefault();
    toggleHold();
    return;
  }
  const job = shortcuts[key.toLowerCase()];
  if (!job || !instrument.contains(target) || target.matches("input, select, textarea")) return;
  event.preventDefault();
  job();
});
