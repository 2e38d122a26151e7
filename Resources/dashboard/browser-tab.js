/** The browser's tab and frame, which show the colour: title, icon and theme. */

import { channelsOf } from "../lib/colors.js";
import { element, siteName } from "../lib/elements.js";
import { computed, effect, isSameJSON } from "../lib/signals.js";
import { condition, displayed, isHeld } from "./state.js";

const noColor = "#808080";
/** The time between two changes, in milliseconds. A new icon costs the browser more than a reading on the page. */
const period = 4_000;

const theme = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=theme-color]"));
const site = siteName();
const look = computed(() => {
  if (!condition.value) return null;
  const hex = displayed.value?.hex ?? null;
  const name = hex ?? condition.value.label;
  return { state: condition.value.state, isHeld: isHeld.value, hex, title: `${isHeld.value ? `Held ${name}` : name} · ${site}` };
}, isSameJSON);
let timer = 0;
let shownAt = -period;
let shownState = "";

// Immediately if the state changes, otherwise once per period.
effect(() => {
  if (!look.value) return;
  const key = `${look.value.state} ${look.value.isHeld}`;
  const remaining = key === shownState ? shownAt + period - performance.now() : 0;
  shownState = key;
  if (remaining <= 0) show();
  else timer ||= setTimeout(show, remaining);
});

function show() {
  clearTimeout(timer);
  timer = 0;
  shownAt = performance.now();
  const { hex, title } = look.value;
  document.title = title;
  theme.content = hex ?? noColor;
  element("icon", HTMLLinkElement).href = icon(hex);
}

/**
 * The icon of a browser's tab in a colour; a grey ring without one.
 *
 * The colour is a GIF of one pixel: browsers make a separate document for every SVG, which takes them 4 ms.
 */
function icon(hex) {
  if (!hex) {
    const ring = '<circle cx="8" cy="8" r="6" fill="none" stroke="#808080" stroke-width="2"/>';
    return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${ring}</svg>`)}`;
  }
  const screen = [1, 0, 1, 0, 0x80, 0, 0];
  const palette = [...channelsOf(hex), 0, 0, 0];
  const pixel = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
  return `data:image/gif;base64,${btoa(`GIF89a${String.fromCharCode(...screen, ...palette, ...pixel)};`)}`;
}
