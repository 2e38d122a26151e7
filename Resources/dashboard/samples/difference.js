/** The comparison of two colours in the table of samples. */

import { labText, textColorOn } from "../../lib/colors.js";
import { attributeSetter, element, textSetter } from "../../lib/elements.js";
import { abridged, none } from "../../lib/formatting.js";
import { fetchJSON } from "../../lib/requests.js";
import { computed, effect, signal } from "../../lib/signals.js";
import { signed } from "../../lib/verdict.js";
import { remark } from "../messages.js";
import { isHeld, state } from "../state.js";

/** The least time between two requests while a live colour is compared, in milliseconds. */
const period = 1_000;

/** The most characters of a name in a sentence, and beside another one. The list has all of them. */
const maxInSentence = 16;
const maxInPair = 20;

const set = Object.fromEntries(
  [
    "first-name", "second-name", "compared-delta", "compared-words", "compared-lightness", "lightness-words", "compared-chroma",
    "chroma-words", "compared-hue", "hue-words", "compared-change",
  ].map((id) => [id, textSetter(id)]),
);
const setFirst = attributeSetter(element("first-color"), "fill");
const setSecond = attributeSetter(element("second-color"), "fill");

/** The rows whose boxes are checked, in the order in which they were checked. */
const picked = signal([]);
/** Whether a tick asked for the comparison whose answer is still to come. The answer may need more lines. */
let isSought = false;

/** Takes note that the box of a row was changed. A third row takes the place of the first. */
export function pick(item) {
  const rows = picked.value.filter((one) => one !== item);
  if (item.box.checked) rows.push(item);
  if (rows.length > 2) {
    const left = rows.shift();
    left.box.checked = false;
    remark(`Two at a time: ${left.sample.name} is no longer compared`);
  }
  picked.value = rows;
  isSought = rows.length === 2;
  if (isSought) bringIntoSight();
}

/** On a small screen the comparison is below what was ticked. */
function bringIntoSight() {
  element("dock").scrollIntoView({ block: "nearest" });
}

/** Forgets rows that are no longer on the page. */
export function keepComparing(items) {
  const left = picked.value.filter((item) => !items.has(item));
  for (const item of left) item.box.checked = false;
  if (left.length > 0) picked.value = picked.value.filter((item) => items.has(item));
}

element("clear-comparison").addEventListener("click", () => {
  for (const item of picked.value) item.box.checked = false;
  picked.value = [];
  element("samples-tab").focus();
});

/**
 * The differences of lightness and chroma in words; empty if both are too small.
 * @param {{ parts: Record<string, number>, words: Record<string, string> }} difference What the server answered.
 */
export function differenceInWords({ parts, words }) {
  return ["lightness", "chroma"]
    .filter((kind) => !isSmall(parts[kind]))
    .map((kind) => `${words[kind]} by ${Math.abs(parts[kind]).toFixed(1)}`)
    .join(" and ");
}

/** Whether a part of a difference would be shown as 0.0. */
function isSmall(part) {
  return Math.abs(part) < 0.05;
}

/** How easily a difference by CIEDE2000 is seen. */
function visibility(deltaE) {
  if (isSmall(deltaE)) return "no difference";
  if (deltaE < 1) return "hardly visible";
  if (deltaE < 2) return "just visible";
  if (deltaE < 5) return "visible";
  return deltaE <= 10 ? "plainly visible" : "a different colour";
}

const setHint = textSetter("compare-hint");
/** The two colours that are compared; null if none are. */
const pair = computed(() => (picked.value.length === 2 && state.tab.value === "samples" ? picked.value.map(({ sample }) => sample) : null));
const isShown = computed(() => pair.value !== null);
effect(() => {
  element("dock").hidden = !isShown.value;
});
effect(() => {
  setHint(isHeld.value ? "Tick Held and another one to compare them. Only samples are kept." : "Select two to compare them.");
  element("compare-hint").hidden = picked.value.length === 2;
});

const keyOf = (colors) => colors.map(({ hex, name }) => `${hex} ${name}`).join(" ");
/** What was compared last; empty if nothing is. */
let compared = "";
let sentAt = -period;
let timer = 0;

effect(() => {
  if (!pair.value) {
    compared = "";
    return;
  }
  const [first, second] = pair.value;
  setFirst(first.hex);
  setSecond(second.hex);
  element("first-name").style.color = textColorOn(first.hex);
  element("second-name").style.color = textColorOn(second.hex);
  for (const [id, { name }] of [["first-name", first], ["second-name", second]]) {
    set[id](abridged(name, maxInPair));
    element(id).title = name;
  }
  if (keyOf(pair.value) === compared || timer) return;
  timer = setTimeout(() => {
    timer = 0;
    load();
  }, Math.max(0, sentAt + period - performance.now()));
});

async function load() {
  if (picked.value.length !== 2) return;
  const colors = picked.value.map(({ sample }) => sample);
  const [first, second] = colors;
  compared = keyOf(colors);
  sentAt = performance.now();
  try {
    show(await difference(first, second), first, second);
  } catch (problem) {
    set["compared-delta"](none);
    set["compared-words"](problem.message);
  }
  if (isSought) bringIntoSight();
  isSought = false;
}

/** Asks the server for the difference of two colours. */
export function difference(from, to) {
  return fetchJSON(`api/difference?${new URLSearchParams({ from: cssOf(from), to: cssOf(to) })}`);
}

/** The colour of a sample as exactly as it is known. */
function cssOf({ lab, hex }) {
  return lab ? labText(lab) : hex;
}

/** The name of a colour in a sentence, or its place if the name is too long. */
function subjectOf(sample, place) {
  return sample && sample.name.length <= maxInSentence ? sample.name : place;
}

function show({ deltaE00, parts, words }, first, second) {
  const errors = [first, second].map(({ standardError }) => standardError?.deltaE);
  const uncertainty = errors.every(Number.isFinite) ? ` ± ${Math.hypot(...errors).toFixed(1)}` : "";
  set["compared-delta"](`${deltaE00.toFixed(1)}${uncertainty}`);
  set["compared-words"](visibility(deltaE00));
  for (const kind of ["lightness", "chroma", "hue"]) {
    set[`compared-${kind}`](signed(parts[kind]));
    set[`${kind}-words`](isSmall(parts[kind]) ? "the same" : `${subjectOf(second, "the right one")} is ${words[kind]}`);
  }
  const changing = [first, second].filter(({ quality }) => quality?.flags.some(({ code }) => code === "unsettled"));
  const subject = changing.length === 2 ? "Both were" : `${subjectOf(changing[0], changing[0] === first ? "The left one" : "The right one")} was`;
  set["compared-change"](changing.length > 0 ? `${subject} taken while the colour was changing.` : "");
}
