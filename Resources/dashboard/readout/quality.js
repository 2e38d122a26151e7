/** The quality of the reading: its grade, the figures behind it, and the reasons for doubt. */

import { element, make, replaceText, textSetter, textSetterOf } from "../../lib/elements.js";
import { advice, gradeLabels, none, shownGrade } from "../../lib/formatting.js";
import { computed, effect, isSameJSON } from "../../lib/signals.js";
import { announce } from "../messages.js";
import { isHeld, shown } from "../state.js";

/** How long a grade has to last before screen readers announce it, in milliseconds: a figure near its limit flickers. */
const announcementDelay = 3_000;

const setGrade = textSetter("grade");
const setLineGrade = textSetter("line-grade");
const setNoise = textSetter("noise");

const flags = computed(() => shown.value?.quality?.flags ?? []);
const grade = computed(() => shownGrade(shown.value));

const text = computed(() => {
  const reading = shown.value;
  const isMeasuring = !grade.value && Boolean(reading?.quality);
  return reading ? advice({ flags: flags.value, settled: isMeasuring ? "unknown" : String(reading.settled) }, isHeld.value) : "";
});
effect(() => replaceText("advice", text.value));

/** Whether there are more reasons for doubt than the advice names. */
const hasMore = computed(() => {
  const [first, ...others] = flags.value;
  return Boolean(first) && (others.length > 0 || !text.value.endsWith(first.message.slice(1)));
});
const flagList = /** @type {any} */ (element("flags"));
effect(() => {
  element("reasons").hidden = !hasMore.value;
  if (!hasMore.value) flagList.hidePopover();
});

// Only the text of the sentences changes while the reasons stay the same, so that they can be read and selected.
const codes = computed(() => flags.value.map(({ code }) => code), isSameJSON);
let sentences = [];
effect(() => {
  const lines = codes.value.map(() => make("li"));
  element("flag-list").replaceChildren(...lines);
  sentences = lines.map(textSetterOf);
});

effect(() => {
  element("readout").dataset.grade = element("quality").dataset.grade = grade.value;
  const label = gradeLabels[grade.value] ?? none;
  setGrade(label);
  setLineGrade(label);
});
effect(() => {
  setNoise(shown.value?.noise ? shown.value.noise.deltaE.toFixed(2) : none);
  for (const [index, { message }] of flags.value.entries()) sentences[index](message);
});

let announced;
let timer = 0;
effect(() => {
  const now = grade.value;
  clearTimeout(timer);
  // The grade that the page began with is not a change.
  announced ??= now;
  if (!now || now === announced) return;
  timer = setTimeout(() => {
    announced = now;
    announce(`Quality: ${gradeLabels[now] ?? now}`);
  }, announcementDelay);
});
