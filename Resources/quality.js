/** The quality of the reading: its grade, the figures behind it, and the reasons for doubt. */

import { element, ifChanged, make, textSetter } from "./elements.js";
import { announce } from "./messages.js";
import { shownReading, store } from "./state.js";

/** How long a grade has to last before screen readers announce it, in milliseconds: a figure near its limit flickers. */
const announcementDelay = 3_000;

const grades = { good: "Good", fair: "Fair", poor: "Poor" };

/** The reasons in a word or two, by the code of the flag. */
const reasons = {
  "clipped-high": "clipped at the top",
  "clipped-low": "clipped at the bottom",
  "out-of-gamut": "out of gamut",
  "dark": "dark",
  "uneven": "uneven",
  "unsettled": "unsettled",
  "noisy": "noisy",
  "automatic": "automatic on",
  "skipped": "frames lost",
};

const setGrade = textSetter("grade");
const setNoise = linkTextSetter("noise");
const setSettled = linkTextSetter("settled");
const setReasons = textSetter("reasons-text");
const setMark = ifChanged((grade) => {
  element("quality").dataset.grade = grade;
});
const flagList = /** @type {any} */ (element("flags"));
const setAnyReason = ifChanged((hasReason) => {
  element("reasons", HTMLButtonElement).disabled = !hasReason;
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
      announce(`Quality: ${grades[grade] ?? grade}`);
    }, announcementDelay);
  });
})();

/** Returns a function that sets the text of a link. Without text, the link keeps its place, but cannot be reached. */
function linkTextSetter(id) {
  const setText = textSetter(id);
  const link = element(id).parentElement;
  const setBlank = ifChanged((isBlank) => link.toggleAttribute("data-blank", isBlank));
  return (text) => {
    setText(text);
    setBlank(!text);
  };
}

/** Names the first reason, and how many more there are. */
function summary(flags) {
  if (flags.length === 0) return "";
  const first = reasons[flags[0].code] ?? flags[0].code;
  return flags.length === 1 ? first : `${first} + ${flags.length - 1} more`;
}

store.follow((state) => {
  const reading = shownReading(state);
  const { grade = "", flags = [] } = reading?.quality ?? {};
  setMark(grade);
  setGrade(grades[grade] ?? "–");
  setNoise(reading?.noise ? `noise ΔE ${reading.noise.deltaE.toFixed(2)}` : "");
  setSettled({ true: "settled", false: "unsettled" }[String(reading?.settled)] ?? "");
  setReasons(summary(flags));
  setAnyReason(flags.length > 0);
  setCodes(flags.map(({ code }) => code).join(" "));
  for (const [index, { message }] of flags.entries()) sentences[index](message);
  announceLater(grade);
});
