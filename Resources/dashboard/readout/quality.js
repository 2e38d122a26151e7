/** The quality of the reading: its grade, the figures behind it, and the reasons for doubt. */

import { element, ifChanged, make, replaceText, textSetter } from "../../lib/elements.js";
import { advice, gradeLabels, none, shownGrade } from "../../lib/formatting.js";
import { announce } from "../messages.js";
import { shownReading, store } from "../state.js";

/** How long a grade has to last before screen readers announce it, in milliseconds: a figure near its limit flickers. */
const announcementDelay = 3_000;

const setGrade = textSetter("grade");
const setLineGrade = textSetter("line-grade");
const setNoise = textSetter("noise");
const setAdvice = ifChanged((text) => replaceText("advice", text));
const setMark = ifChanged((grade) => {
  element("readout").dataset.grade = element("quality").dataset.grade = grade;
});
const flagList = /** @type {any} */ (element("flags"));
const setAnyReason = ifChanged((hasReason) => {
  element("reasons").hidden = !hasReason;
  if (!hasReason) flagList.hidePopover();
});

// Only the text of the sentences changes while the reasons stay the same, so that they can be read and selected.
let sentences = [];
const setCodes = ifChanged((codes) => {
  const lines = codes.split(" ").filter(Boolean).map(() => make("li"));
  element("flag-list").replaceChildren(...lines);
  sentences = lines.map((line) => ifChanged((text) => {
    line.textContent = text;
  }));
});

const announceLater = (() => {
  let announced;
  let timer = 0;
  return ifChanged((grade) => {
    clearTimeout(timer);
    // The grade that the page began with is not a change.
    announced ??= grade;
    if (!grade || grade === announced) return;
    timer = setTimeout(() => {
      announced = grade;
      announce(`Quality: ${gradeLabels[grade] ?? grade}`);
    }, announcementDelay);
  });
})();

store.follow((state) => {
  const reading = shownReading(state);
  const { flags = [] } = reading?.quality ?? {};
  const grade = shownGrade(reading);
  const isMeasuring = !grade && Boolean(reading?.quality);
  setMark(grade);
  setGrade(gradeLabels[grade] ?? none);
  setLineGrade(gradeLabels[grade] ?? none);
  setNoise(reading?.noise ? reading.noise.deltaE.toFixed(2) : none);
  const text = reading ? advice({ flags, settled: isMeasuring ? "unknown" : String(reading.settled) }, Boolean(state.held)) : "";
  setAdvice(text);
  const isComplete = flags.length === 0 || (flags.length === 1 && text.endsWith(flags[0].message.slice(1)));
  setAnyReason(!isComplete);
  setCodes(flags.map(({ code }) => code).join(" "));
  for (const [index, { message }] of flags.entries()) sentences[index](message);
  announceLater(grade);
});
