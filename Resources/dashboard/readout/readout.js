/** The readout: the colour in figures and words, or why there is none, and the notices. */

import { channelsOf, textColorOn } from "../../lib/colors.js";
import { doubtAbout, withUnit } from "../../lib/concentration.js";
import { attributeSetter, element, make, replaceText, textSetter } from "../../lib/elements.js";
import { clockTime, figureFormats, figuresOf, fitted, none, notations } from "../../lib/formatting.js";
import { computed, effect, isSameJSON } from "../../lib/signals.js";
import { componentsOf, explanation, verdictLabel } from "../../lib/verdict.js";
import { condition, coveredProbes, dashboard, displayed, inSwatch, isCalibrated, isHeld, isLive, live, shown, shownTarget, state } from "../state.js";

const set = Object.fromEntries(
  [
    "state", "hex", "r", "g", "b", "line-r", "line-g", "line-b", "notation-value", "name", "brightness", "notice-title",
    "notice-message", "remark", "last-seen-hex", "held-since", "live-hex", "live-rgb", "live-notation", "notice-text", "beside",
    "beside-label", "parts-label", "judged-word", "judged-delta", "judged-tolerance",
    "calibrated-label", "other-hex", "concentration", "concentration-doubt",
  ].map((id) => [id, textSetter(id)]),
);
const attribute = (id, name) => attributeSetter(element(id), name);
const setFill = attribute("color", "fill");
// While two colours are shown, the left half has `held-color`: the held colour, or with a target, the live one. The right half is
// `live-half`: the live colour beside a held one, or else the target, whose figures are then in `live-hex`, `live-rgb` and
// `live-notation`.
const setHeldFill = attribute("held-color", "fill");
const setOtherFill = attribute("other-color", "fill");
const setLastSeenFill = attribute("last-seen-color", "fill");
const setTextColor = attribute("shown", "data-text");
const setLiveTextColor = attribute("live-half", "data-text");
const setVerdict = attribute("judged", "data-verdict");

/** Sets the text that screen readers announce. */
export const setAnnouncement = textSetter("announcer");

// The layout

const hasTarget = computed(() => Boolean(shownTarget.value));
/** The name of the state, whether there is a colour, whether it is held, and whether another one is beside it. */
const layout = computed(() => [condition.value?.state, Boolean(shown.value), isHeld.value, isHeld.value || hasTarget.value], isSameJSON);
let focused = null;
effect(() => {
  const [name, hasColor, hasHeld, isSplit] = layout.value;
  if (!name) return;
  // Hiding the focused button would lose the focus: it returns with the button.
  const active = document.activeElement;
  if (!hasColor && active?.closest(".values, .side")) focused = active;
  dashboard.dataset.state = name;
  dashboard.toggleAttribute("data-color", hasColor);
  dashboard.toggleAttribute("data-held", hasHeld);
  element("live-half").hidden = !isSplit;
  if (hasColor && focused) {
    if (document.activeElement === document.body) focused.focus({ preventScroll: true });
    focused = null;
  }
});
effect(() => {
  element("judged").hidden = !hasTarget.value;
  dashboard.toggleAttribute("data-target", hasTarget.value);
});

// The newest reading or the held one, or what is wrong

effect(() => {
  if (!condition.value) return;
  const { state: name, label, message } = condition.value;
  const [color, target, held] = [displayed.value, shownTarget.value, state.held.value];
  // While a colour is held, that says more than that readings come.
  set.state(held && isLive.value && name === "live" ? "Held" : label);
  set["notice-title"](color ? "" : label);
  set["notice-message"](color ? "" : message);
  set.remark(color && (held || name !== "stale") ? message : "");
  setFill((color && target?.hex) ?? inSwatch(live.value)?.hex ?? "none");
  setHeldFill(held || target ? color?.hex ?? "none" : "none");
  set["held-since"](held ? `Held ${clockTime(held.since)}${isCalibrated.value ? ", calibrated" : ""}` : "");
  if (held) showLive(inSwatch(live.value), state.notation.value);
  else if (target) showTarget(target);
});

/** The label of the state that was announced last. */
let announced = element("state").textContent;
// A change of state is announced to screen readers, but not the values, which change all the time.
effect(() => {
  if (!condition.value || condition.value.label === announced) return;
  const { label, announcement } = condition.value;
  announced = label;
  setAnnouncement(announcement ? `${label}. ${announcement}` : label);
});

/** Shows a target beside the colour, in the elements that have the live colour beside a held one, and the verdict below them. */
function showTarget(target) {
  const { name, hex, verdict, deltaE, tolerance } = target;
  set.beside(`Target: ${name}`);
  set["beside-label"]("Target");
  set["parts-label"]("ΔL′C′H′");
  set["live-hex"](hex);
  setLiveTextColor(textColorOn(hex));
  set["live-rgb"](rgbInSlots(channelsOf(hex)));
  set["live-notation"](componentsOf(target).map((component) => component.padEnd(5)).join(" ") || none);
  setVerdict(verdict ?? "none");
  set["judged-word"](verdictLabel(verdict));
  set["judged-delta"](typeof deltaE === "number" ? fitted(deltaE, 2) : none);
  set["judged-tolerance"](`of ${tolerance}`);
}

const reason = computed(() => shownTarget.value && explanation(shownTarget.value));
effect(() => {
  if (reason.value !== null) replaceText("judged-words", reason.value);
});

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

// The colour that is shown

const brightness = computed(() => shown.value?.brightness ?? null);
effect(() => {
  set.brightness(brightness.value === null ? none : String(Math.round(brightness.value * 100)));
  element("level").style.scale = `${brightness.value ?? 0} 1`;
});

/** The notations of the colour that is shown, and those that it has; null if there is none. */
const values = computed(() => displayed.value && notations(displayed.value));
const available = computed(() => values.value && Object.keys(values.value).filter((name) => values.value[name]), isSameJSON);
const chosen = computed(() => values.value && (values.value[state.notation.value] ? state.notation.value : "rgb"));
const notation = element("notation", HTMLSelectElement);
effect(() => {
  if (!available.value) return;
  for (const option of notation.options) {
    option.hidden = option.disabled = !available.value.includes(option.value);
    const heading = option.closest("optgroup");
    if (heading) heading.hidden = option.hidden;
  }
});
effect(() => {
  if (!chosen.value) return;
  notation.value = chosen.value;
  element("readout").style.setProperty("--digits", `${figureFormats[chosen.value].digits}ch`);
});
effect(() => {
  if (!displayed.value) return;
  const { hex, textColor, rgb } = displayed.value;
  set.hex(hex);
  setTextColor(textColor);
  for (const channel of ["r", "g", "b"]) {
    const value = String(rgb[channel]);
    set[channel](value);
    set[`line-${channel}`](value);
  }
  set["notation-value"](figuresOf(values.value[chosen.value]));
});

/** The name of a colour, and the nearest entry of the user's own palette, or else the nearest named colour of CSS. */
function namesOf(color) {
  if (isCalibrated.value) return ["Calibrated", ""];
  if (!color?.name) return ["", ""];
  const { plain, css, deltaE } = color.name;
  const [from, nearest] = color.palette ? ["nearest", color.palette] : ["nearest in CSS", { name: css, deltaE }];
  // The space belongs to the second text, because one between the two elements would move, too.
  return [plain, ` ${from}: ${nearest.name} ΔE ${nearest.deltaE.toFixed(1)}`];
}

const names = computed(() => shown.value && namesOf(shown.value.color), isSameJSON);
effect(() => {
  if (!names.value) return;
  const [name, near] = names.value;
  set.name(name);
  replaceText("near", near);
});

// What was measured besides: the calibrated colour, or the one that was read if that is not in the swatch, and the concentration

const calibratedRow = element("calibrated-row");
effect(() => {
  const reading = shown.value;
  calibratedRow.hidden = !reading?.calibrated;
  if (!reading?.calibrated) return;
  const { hex } = isCalibrated.value ? reading : reading.calibrated;
  set["calibrated-label"](isCalibrated.value ? "As read" : "Calibrated");
  set["other-hex"](hex);
  setOtherFill(hex);
});
effect(() => {
  const reading = shown.value;
  if (!reading) return;
  // The line has its place as soon as there is a blank, so that nothing moves while the noise is measured.
  element("concentration-row").hidden = !reading.blank && !reading.concentration;
  // An area that spans a grid of wells has a concentration, but it is that of none of them.
  const concentration = coveredProbes(reading.region).length > 1 ? null : reading.concentration;
  const doubt = concentration || !reading.concentration ? doubtAbout(concentration) : "over several wells";
  set.concentration(concentration ? withUnit(concentration) : none);
  set["concentration-doubt"](doubt);
  element("concentration-row").toggleAttribute("data-doubt", doubt !== "");
});

/** The last colour, while there is no current one: it is small, hatched and labelled. */
const lastSeen = computed(() => (!shown.value && state.silence.value && state.reading.value?.hex) || null);
effect(() => {
  element("last-seen").hidden = !lastSeen.value;
  set["last-seen-hex"](lastSeen.value ?? "");
  setLastSeenFill(lastSeen.value ?? "none");
});

// The notices

// Screen readers announce notices again whenever their elements change.
const notices = computed(() => state.reading.value && (state.reading.value.notices ?? []), isSameJSON);
effect(() => {
  if (!notices.value) return;
  element("notices").replaceChildren(...notices.value.map(({ topic, message }) => {
    const line = make("p", { text: message });
    line.dataset.topic = topic;
    return line;
  }));
  element("notice-line").hidden = notices.value.length === 0;
  if (notices.value.length === 0) /** @type {any} */ (element("notices")).hidePopover?.();
  fitNotice();
});

/** Shows the first sentence of the only notice where there is room for it, or else how many notices there are. In a row of its own it may have several lines. */
function fitNotice() {
  const texts = [...element("notices").children].map(({ textContent }) => textContent);
  if (texts.length === 0) return;
  const count = texts.length === 1 ? "1 notice" : `${texts.length} notices`;
  const sentence = texts[0].split(/(?<=[.]) /)[0];
  const [line, slot] = [element("notice-line"), element("slot")];
  const hasRow = slot.clientWidth > 0.8 * document.documentElement.clientWidth;
  line.dataset.fit = "";
  set["notice-text"](texts.length === 1 ? sentence : count);
  if (!hasRow && line.offsetWidth > slot.clientWidth) set["notice-text"](count);
  element("show-notices").hidden = texts.length === 1 && element("notice-text").textContent === texts[0];
  delete line.dataset.fit;
}
new ResizeObserver(fitNotice).observe(element("slot"));
