/** The readout: the colour in figures and words, or why there is none, and the notices. */

import { channelsOf, textColorOn } from "../../lib/colors.js";
import { element, ifChanged, make, replaceText, textSetter } from "../../lib/elements.js";
import { clockTime, figuresOf, none, notations } from "../../lib/formatting.js";
import { explanation, partsOf, verdictLabel } from "../../lib/verdict.js";
import { dashboard, describeState, shownReading, shownTarget } from "../state.js";

/** The most characters of each notation's figures, for which there is room, so that nothing moves when they change. */
const digits = { hex: 7, rgb: 11, hsl: 17, hwb: 17, lab: 17, lch: 16, oklab: 19, oklch: 17 };

const set = Object.fromEntries(
  [
    "state", "hex", "r", "g", "b", "line-r", "line-g", "line-b", "notation-value", "name", "brightness", "notice-title",
    "notice-message", "remark", "last-seen-hex", "held-since", "live-hex", "live-rgb", "live-notation", "notice-text", "beside",
    "beside-label", "parts-label", "judged-word", "judged-delta", "judged-tolerance",
  ].map((id) => [id, textSetter(id)]),
);
const attribute = (id, name) => ifChanged((value) => element(id).setAttribute(name, value));
const setFill = attribute("color", "fill");
const setHeldFill = attribute("held-color", "fill");
const setLastSeenFill = attribute("last-seen-color", "fill");
const setTextColor = attribute("shown", "data-text");
const setLiveTextColor = attribute("live-half", "data-text");
const level = element("level");
const setLevel = ifChanged((value) => {
  level.style.scale = `${value} 1`;
});
const notation = element("notation", HTMLSelectElement);
const setNotations = ifChanged((names) => {
  for (const option of notation.options) option.hidden = option.disabled = !names.includes(option.value);
});
const setNotation = ifChanged((name) => {
  notation.value = name;
  element("readout").style.setProperty("--digits", `${digits[name]}ch`);
});

let focused = null;
const showState = ifChanged((key) => {
  const [state, hasColor, isHeld, isSplit] = key.split(" ");
  // Hiding the focused button would lose the focus: it returns with the button.
  const active = document.activeElement;
  if (hasColor !== "true" && active?.closest(".values, .side")) focused = active;
  dashboard.dataset.state = state;
  dashboard.toggleAttribute("data-color", hasColor === "true");
  dashboard.toggleAttribute("data-held", isHeld === "true");
  element("live-half").hidden = isSplit !== "true";
  if (hasColor === "true" && focused) {
    if (document.activeElement === document.body) focused.focus({ preventScroll: true });
    focused = null;
  }
});

/** Sets the text that screen readers announce. */
export const setAnnouncement = textSetter("announcer");

/** Announces a change of state to screen readers, but not the values, which change all the time. */
const announceState = (() => {
  let last = element("state").textContent;
  return (label, message) => {
    if (label === last) return;
    last = label;
    setAnnouncement(message ? `${label}. ${message}` : label);
  };
})();

/** Shows the newest reading or the held one, or says what is wrong. */
export function showReadout(state) {
  const { held, reading, silence } = state;
  if (!reading && !silence) return;
  const color = shownReading(state);
  const { state: name, label, message, announcement } = describeState(state);
  const live = !silence && reading.rgb ? reading : null;
  const target = shownTarget(state);

  showState(`${name} ${Boolean(color)} ${Boolean(held)} ${Boolean(held || target)}`);
  // While a colour is held, that says more than that readings come.
  set.state(held && live && name === "live" ? "Held" : label);
  set["notice-title"](color ? "" : label);
  set["notice-message"](color ? "" : message);
  set.remark(color && (held || name !== "stale") ? message : "");
  setFill((color && target?.hex) ?? live?.hex ?? "none");
  setHeldFill(held || target ? color?.hex ?? "none" : "none");
  set["held-since"](held ? `Held ${clockTime(held.since)}` : "");
  showJudged(Boolean(target));
  if (held) showLive(live, state.notation);
  else if (target) showTarget(target);
  showLastSeen(color ? null : silence && reading);
  announceState(label, announcement);
  showColor(color, state.notation);
  showNotices(reading?.notices ?? []);
}

const showJudged = ifChanged((isShown) => {
  element("judged").hidden = !isShown;
  dashboard.toggleAttribute("data-target", isShown);
});
const setVerdict = ifChanged((verdict) => {
  element("judged").dataset.verdict = verdict;
});
const setExplanation = ifChanged((text) => replaceText("judged-words", text));

/** Shows a target beside the colour, and the verdict below them. */
function showTarget(target) {
  const { name, hex, verdict, deltaE, tolerance } = target;
  set.beside(`Target: ${name}`);
  set["beside-label"]("Target");
  set["parts-label"]("ΔL′C′H′");
  set["live-hex"](hex);
  setLiveTextColor(textColorOn(hex));
  set["live-rgb"](rgbInSlots(channelsOf(hex)));
  set["live-notation"](partsOf(target).map((part) => part.padEnd(5)).join(" ") || none);
  setVerdict(verdict ?? "none");
  set["judged-word"](verdictLabel(verdict));
  set["judged-delta"](deltaE?.toFixed(2) ?? none);
  set["judged-tolerance"](`of ${tolerance}`);
  setExplanation(explanation(target));
}

function rgbInSlots(channels) {
  return ["R", "G", "B"].map((name, index) => `${name} ${String(channels[index]).padEnd(3)}`).join(" ");
}

/** Shows the live colour beside the held one; null if there is none. */
function showLive(reading, notationName) {
  set.beside("Live");
  set["beside-label"]("Live");
  set["parts-label"]("Live");
  set["live-hex"](reading?.hex ?? none);
  setLiveTextColor(reading?.textColor ?? "");
  const values = reading && notations(reading);
  set["live-rgb"](reading ? rgbInSlots(["r", "g", "b"].map((channel) => reading.rgb[channel])) : none);
  set["live-notation"](reading ? figuresOf(values[notationName] ?? values.rgb) : none);
}

/** Shows the values of a reading; null if there is none. */
function showColor(reading, notationName) {
  set.brightness(reading ? String(Math.round(reading.brightness * 100)) : none);
  setLevel(reading ? reading.brightness : 0);
  if (!reading) return;
  set.hex(reading.hex);
  setTextColor(reading.textColor);
  for (const channel of ["r", "g", "b"]) {
    const value = String(reading.rgb[channel]);
    set[channel](value);
    set[`line-${channel}`](value);
  }
  const values = notations(reading);
  setNotations(Object.keys(values).filter((key) => values[key]).join(" "));
  const chosen = values[notationName] ? notationName : "rgb";
  setNotation(chosen);
  set["notation-value"](figuresOf(values[chosen]));
  showName(namesOf(reading.color).join("\n"));
}

/** The name of a colour, and the nearest entry of the user's own palette, or else the nearest named colour of CSS. */
function namesOf(color) {
  if (!color?.name) return ["", ""];
  const { plain, css, deltaE } = color.name;
  const [from, nearest] = color.palette ? ["nearest", color.palette] : ["nearest in CSS", { name: css, deltaE }];
  // The space belongs to the second text, because one between the two elements would move, too.
  return [plain, ` ${from}: ${nearest.name} ΔE ${nearest.deltaE.toFixed(1)}`];
}

/** Shows the name, and the nearest colour after it. */
const showName = ifChanged((names) => {
  const [plain, near] = names.split("\n");
  set.name(plain);
  replaceText("near", near);
});

/** Shows the last colour while there is no current one: small, hatched and labelled. */
const showLastSeen = ifChanged((reading) => {
  element("last-seen").hidden = !reading?.hex;
  set["last-seen-hex"](reading?.hex ?? "");
  setLastSeenFill(reading?.hex ?? "none");
});

// Screen readers announce notices again whenever their elements change.
const writeNotices = ifChanged((json) => {
  const notices = JSON.parse(json);
  element("notices").replaceChildren(...notices.map(({ topic, message }) => {
    const line = make("p", { text: message });
    line.dataset.topic = topic;
    return line;
  }));
  element("notice-line").hidden = notices.length === 0;
  if (notices.length === 0) /** @type {any} */ (element("notices")).hidePopover?.();
  fitNotice();
});
const showNotices = ifChanged((notices) => writeNotices(JSON.stringify(notices)));

/** Shows the first sentence of the only notice where there is room for it, or else how many notices there are. */
function fitNotice() {
  const texts = [...element("notices").children].map(({ textContent }) => textContent);
  if (texts.length === 0) return;
  const count = texts.length === 1 ? "1 notice" : `${texts.length} notices`;
  const sentence = texts[0].split(/(?<=[.:]) /)[0];
  const line = element("notice-line");
  line.dataset.fit = "";
  set["notice-text"](texts.length === 1 ? sentence : count);
  if (line.scrollWidth > element("slot").clientWidth) set["notice-text"](count);
  element("show-notices").hidden = texts.length === 1 && set["notice-text"] && element("notice-text").textContent === texts[0];
  delete line.dataset.fit;
}
new ResizeObserver(fitNotice).observe(element("slot"));
