/** The history below the instrument: spans, lines, pause, marks, and a cursor that shows the values of a moment. */

import { element, ifChanged, textSetter } from "./elements.js";
import { clockTime } from "./formatting.js";
import { momentText } from "./history-scale.js";
import { HistoryStrip, spans } from "./history-strip.js";
import { toast } from "./messages.js";
import { Preference } from "./preference.js";
import { fetchJSON } from "./requests.js";
import { followReadings, mayChange, store } from "./state.js";

const slider = element("history-plot");
const line = element("history-cursor");
const setProblem = textSetter("history-problem");
const strip = new HistoryStrip(element("history-canvas", HTMLCanvasElement), {
  onProblem: ifChanged((problem) => setProblem(problem && `The history cannot be loaded: ${problem}. Trying again.`)),
  onDraw: placeCursor,
});
const { series } = strip;

// The cursor. It stays at its moment while the strip moves on.

/** The start of the interval at the cursor, in milliseconds since 1970; null without a cursor. */
let moment = null;

const setTime = textSetter("history-time");
const setValues = textSetter("history-values");
const setRanges = textSetter("history-ranges");
const setFill = ifChanged((fill) => element("history-color").setAttribute("fill", fill));

function clearCursor() {
  moment = null;
  showCursorValues(null);
  placeCursor();
}

/** @param {number} index of a point; one beyond an end counts as that end. */
function moveCursor(index) {
  const point = series.points[Math.max(0, Math.min(series.points.length - 1, index))];
  if (!point || point.time === moment) return;
  moment = point.time;
  showCursorValues(point);
  placeCursor();
}

function placeCursor() {
  // The moment has left the span.
  if (moment !== null && moment + series.step < series.end - series.span) {
    clearCursor();
    return;
  }
  line.hidden = moment === null;
  if (moment !== null) line.style.translate = `${strip.plot.placeOf(moment + series.step / 2)}px`;
}

/** Says what was measured. Screen readers announce the text, so it changes only with the cursor. */
function showCursorValues(point) {
  slider.toggleAttribute("data-cursor", Boolean(point));
  const share = point ? (point.time - series.end + series.span) / series.span : 1;
  slider.setAttribute("aria-valuenow", Math.max(0, Math.min(1, share)).toFixed(4));
  slider.setAttribute("aria-valuetext", point ? momentText(point.time, series.span) : "no moment chosen");
  setTime(point ? momentText(point.time, series.span) : "");
  setFill(point ? hexOf(point) : "none");
  if (!point) {
    setValues("");
    setRanges("");
    return;
  }
  const { r, g, b, l, n, quality } = point;
  const marks = series.marks.filter(({ time }) => time >= point.time && time < point.time + series.step);
  setValues([
    hexOf(point),
    ...[["R", r], ["G", g], ["B", b]].map(([name, { mean }]) => `${name}\u00a0${Math.round(mean)}`),
    ...(l ? [`L*\u00a0${l.mean.toFixed(1)}`] : []),
    `n\u00a0${n}`,
  ].join(" \u00a0"));
  setRanges([
    ...[["R", r], ["G", g], ["B", b]].map(([name, range]) => `${name}\u00a0${Math.round(range.min)}…${Math.round(range.max)}`),
    ...(l ? [`L*\u00a0${l.min.toFixed(1)}…${l.max.toFixed(1)}`] : []),
    ...(quality && quality !== "good" ? [`quality ${quality}`] : []),
    ...marks.map(({ text }) => `Mark: ${text}`),
  ].join(" \u00a0"));
}

function hexOf({ r, g, b }) {
  return `#${[r, g, b].map(({ mean }) => Math.round(mean).toString(16).padStart(2, "0")).join("")}`.toUpperCase();
}

slider.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const last = series.points.length - 1;
  const index = moment === null ? last + 1 : series.indexNear(moment + series.step / 2);
  const moves = {
    ArrowLeft: index - 1, ArrowDown: index - 1, ArrowRight: index + 1, ArrowUp: index + 1,
    PageDown: index - 10, PageUp: index + 10, Home: 0, End: last,
  };
  if (event.key === "Escape") clearCursor();
  else if (moves[event.key] !== undefined) moveCursor(moves[event.key]);
  else return;
  event.preventDefault();
});

function moveCursorToPointer(event) {
  moveCursor(series.indexNear(strip.plot.timeAt(event.clientX - slider.getBoundingClientRect().left)));
}

slider.addEventListener("pointermove", moveCursorToPointer);
slider.addEventListener("pointerdown", moveCursorToPointer);
slider.addEventListener("pointerleave", ({ pointerType }) => {
  // When a finger is lifted, the cursor stays.
  if (pointerType === "mouse") clearCursor();
});

// The choices, which this browser remembers

function bindRememberedChoice(name, choices, apply) {
  const preference = new Preference(name);
  const radios = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll(`input[name="${name}"]`)]);
  const remembered = preference.read("");
  for (const radio of radios) {
    if (choices.includes(remembered)) radio.checked = radio.value === remembered;
    radio.addEventListener("change", () => {
      preference.write(radio.value);
      apply(radio.value);
    });
  }
  apply(radios.find(({ checked }) => checked)?.value ?? choices[0]);
}

const pause = element("history-pause");
const setNote = textSetter("history-note");

function showPause() {
  pause.setAttribute("aria-pressed", String(strip.isPaused));
  setNote(strip.isPaused ? `Paused at ${clockTime(new Date(series.end))}` : "");
}

bindRememberedChoice("history-lines", ["rgb", "lightness"], (kind) => {
  strip.kind = kind;
});
bindRememberedChoice("history-span", Object.keys(spans), (span) => {
  strip.span = span;
  element("history-csv", HTMLAnchorElement).href = `/history.csv?span=${span}`;
  showPause();
  clearCursor();
});

pause.addEventListener("click", () => {
  strip.isPaused = !strip.isPaused;
  showPause();
});

// Marks

if (mayChange) {
  const text = element("mark-text", HTMLInputElement);
  const button = element("set-mark", HTMLButtonElement);
  element("mark-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    const entered = text.value;
    try {
      strip.addMark(await fetchJSON("/api/marks", { method: "POST", body: { text: entered.trim() || "Mark" } }));
      if (text.value === entered) text.value = "";
      toast("Mark set");
    } catch (problem) {
      toast(problem.message);
    }
    button.removeAttribute("aria-disabled");
  });
}

// Readings

let wasSilent = false;
store.follow(({ silence }) => {
  if (silence && !wasSilent) strip.miss();
  wasSilent = Boolean(silence);
});
followReadings((reading) => {
  if (typeof reading.revisions?.history === "number") strip.add(reading);
});
