/** The browser's tab and frame, which show the colour: title, icon and theme. */

import { channelsOf } from "../lib/colors.js";
import { element, ifChanged } from "../lib/elements.js";
import { describeState, shownReading, store } from "./state.js";

const noColor = "#808080";
/** The time between two changes, in milliseconds. A new icon costs the browser more than a reading on the page. */
const period = 4_000;

const theme = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=theme-color]"));
/** The end of the title, as the server wrote it. */
const siteName = document.title.slice(document.title.indexOf(" · ") + 3);
const setTitle = ifChanged((title) => {
  document.title = title;
});
const setTheme = ifChanged((color) => {
  theme.content = color;
});
const setIcon = ifChanged((hex) => {
  element("icon", HTMLLinkElement).href = icon(hex);
});
let timer = 0;
let shownAt = -period;
let shownState = "";

// Immediately if the state changes, otherwise once per period.
store.follow((state) => {
  if (!state.reading && !state.silence) return;
  const key = `${describeState(state).state} ${Boolean(state.held)}`;
  const remaining = key === shownState ? shownAt + period - performance.now() : 0;
  shownState = key;
  if (remaining <= 0) show(state);
  else timer ||= setTimeout(() => show(store.state), remaining);
});

function show(state) {
  clearTimeout(timer);
  timer = 0;
  shownAt = performance.now();
  const hex = shownReading(state)?.hex ?? null;
  const name = hex ?? describeState(state).label;
  setTitle(`${state.held ? `Held ${name}` : name} · ${siteName}`);
  setTheme(hex ?? noColor);
  setIcon(hex);
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
