/** The history: its span and lines, its pause, its marks, and a cursor that shows the values of a moment. */

import { momentText } from "../../history/scale.js";
import { HistoryStrip, spans } from "../../history/strip.js";
import { hexOf } from "../../lib/colors.js";
import { attributeSetter, element, make, textSetter } from "../../lib/elements.js";
import { abridged, clockTime } from "../../lib/formatting.js";
import { Preference } from "../../lib/preference.js";
import { computed, effect, signal } from "../../lib/signals.js";
import { toast, tryFetch } from "../messages.js";
import { choose, followReadings, mayChange, state } from "../state.js";
import { linkTable } from "../tables.js";

const slider = element("history-plot");
const line = element("history-cursor");
const box = element("history-moment");
const setProblem = textSetter("history-problem");
const strip = new HistoryStrip(element("history-canvas", HTMLCanvasElement), {
  onProblem: (problem) => setProblem(problem && `The history cannot be loaded: ${problem}. Trying again.`),
  onDraw: () => {
    placeCursor();
    showBeginning();
  },
});
const { series } = strip;

const spanChoice = element("history-span", HTMLSelectElement);
const rememberedSpan = new Preference("history-span");
/** The entry of the list that says that only a part of a span is shown. */
const part = element("history-part", HTMLOptionElement);
const setNote = textSetter("history-note");

// The cursor. It stays at its moment while the strip moves on.

/** The start of the interval at the cursor, in milliseconds since 1970; null without a cursor. */
let moment = null;
/** Whether a click has pinned the cursor, so that it no longer follows the pointer. */
let isPinned = false;
/** The other end of the part that is being selected, in milliseconds since 1970; null if none is. */
let anchor = null;

/** How far the cursor may be from a mark whose text it shows, in pixels, and how many texts there is room for. */
const markReach = 12;
const maxMarks = 3;

const setTime = textSetter("history-time");
const setValues = textSetter("history-values");
const setRanges = textSetter("history-ranges");
const setFill = attributeSetter(element("history-color"), "fill");

function clearCursor() {
  moment = null;
  isPinned = false;
  anchor = null;
  showCursorValues(null);
  placeCursor();
}

/** The first and the last point that are shown, by their indices. */
function shownEnds() {
  const { from, to } = strip.view;
  const { points, step } = series;
  return [points.filter(({ time }) => time + step <= from).length, points.filter(({ time }) => time < to).length - 1];
}

/** @param {number} index of a point; one beyond an end counts as that end. */
function moveCursor(index) {
  const [first, last] = shownEnds();
  const point = series.points[Math.max(first, Math.min(last, index))];
  if (!point || point.time === moment) return;
  moment = point.time;
  showCursorValues(point);
  placeCursor();
}

function placeCursor() {
  // The moment has left the span.
  if (moment !== null && moment + series.step < strip.view.from) {
    clearCursor();
    return;
  }
  placeSelection();
  line.hidden = moment === null;
  box.hidden = moment === null;
  if (moment === null) return;
  const place = strip.plot.placeOf(moment + series.step / 2);
  line.style.translate = `${place}px`;
  // The values stand beside the cursor, on the side where there is room.
  const isRight = place < slider.clientWidth / 2;
  box.style.translate = isRight ? `${place + 8}px` : `calc(${place - 8}px - 100%)`;
}

const selection = element("history-selection");

function placeSelection() {
  selection.hidden = anchor === null || moment === null;
  if (selection.hidden) return;
  const [from, to] = selectedTimes().map((time) => strip.plot.placeOf(time));
  selection.style.translate = `${from}px`;
  selection.style.width = `${to - from}px`;
}

/** The times at both ends of what is selected: whole intervals. */
function selectedTimes() {
  return [Math.min(anchor, moment), Math.max(anchor, moment) + series.step];
}

/** Shows what is selected alone. */
function showSelection() {
  const [from, to] = selectedTimes();
  strip.showPart(from, to);
  clearCursor();
  part.hidden = false;
  spanChoice.value = part.value;
  setNote(`${momentText(from, series.span)} to ${momentText(to, series.span)}. Esc shows all.`);
}

/** Says what was measured. Screen readers announce the text, so it changes only with the cursor. */
function showCursorValues(point) {
  slider.toggleAttribute("data-cursor", Boolean(point));
  const { from, to } = strip.view;
  const share = point ? (point.time - from) / (to - from) : 1;
  slider.setAttribute("aria-valuenow", Math.max(0, Math.min(1, share)).toFixed(4));
  slider.setAttribute("aria-valuetext", point ? momentText(point.time, series.span) : "no moment chosen");
  setTime(point ? momentText(point.time, series.span) : "");
  setFill(point ? hexAt(point) : "none");
  if (!point) {
    setValues("");
    setRanges("");
    return;
  }
  const { r, g, b, l, n, quality } = point;
  const middle = point.time + series.step / 2;
  const reach = Math.max(series.step / 2, markReach * strip.plot.resolution);
  const marks = series.marks.filter(({ time }) => Math.abs(time - middle) <= reach).slice(-maxMarks);
  setValues([
    hexAt(point),
    ...[["R", r], ["G", g], ["B", b]].map(([name, { mean }]) => `${name}\u00a0${Math.round(mean)}`),
    ...(l ? [`L*\u00a0${l.mean.toFixed(1)}`] : []),
    n === 1 ? "1\u00a0reading" : `${n}\u00a0readings`,
  ].join(" \u00a0"));
  setRanges([
    ...(n > 1 ? rangesOf({ r, g, b, l }) : []),
    ...(quality && quality !== "good" ? [`quality ${quality}`] : []),
    ...marks.map(({ text }) => `Mark: ${text}`),
  ].join(" \u00a0"));
}

/** Says that there was no reading at a time. */
function showNoValues(time) {
  showCursorValues(null);
  const text = momentText(time, series.span);
  setTime(text);
  setValues("No reading");
  slider.setAttribute("aria-valuetext", `${text}: no reading`);
}

/** The lowest and the highest value of each channel whose readings differed. */
function rangesOf({ r, g, b, l }) {
  return [["R", r, 0], ["G", g, 0], ["B", b, 0], ["L*", l, 1]].flatMap(([name, range, decimals]) => {
    if (!range) return [];
    const [low, high] = [range.min.toFixed(decimals), range.max.toFixed(decimals)];
    return low === high ? [] : [`${name}\u00a0${low}…${high}`];
  });
}

function hexAt({ r, g, b }) {
  return hexOf([r, g, b].map(({ mean }) => mean));
}

slider.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const [first, last] = shownEnds();
  const index = moment === null ? last + 1 : series.indexNear(moment + series.step / 2);
  const moves = {
    ArrowLeft: index - 1, ArrowDown: index - 1, ArrowRight: index + 1, ArrowUp: index + 1,
    PageDown: index - 10, PageUp: index + 10, Home: first, End: last,
  };
  if (event.key === "Escape" && strip.isPart) {
    showAll();
  } else if (event.key === "Escape") {
    clearCursor();
  } else if (event.key === "Enter" && anchor !== null && moment !== null) {
    showSelection();
  } else if (moves[event.key] !== undefined) {
    const start = moment ?? series.points[last]?.time ?? null;
    anchor = event.shiftKey ? (anchor ?? start) : null;
    moveCursor(moves[event.key]);
    placeSelection();
  } else {
    return;
  }
  event.preventDefault();
});

function moveCursorToPointer(event) {
  const time = strip.plot.timeAt(event.clientX - slider.getBoundingClientRect().left);
  const { from, to } = strip.view;
  if (time < from || time > to || !series.isEmptyAt(time, markReach * strip.plot.resolution)) {
    moveCursor(series.indexNear(time));
    return;
  }
  moment = time - series.step / 2;
  showNoValues(time);
  placeCursor();
}

/** Movements of the pointer shorter than this, in pixels, are a click. */
const clickTolerance = 6;
/** Where the pointer was pressed; null while it is not. A finger moves the cursor instead of selecting. */
let pressed = null;

slider.addEventListener("pointermove", (event) => {
  if (pressed && Math.abs(event.clientX - pressed.x) >= clickTolerance) {
    isPinned = false;
    anchor = pressed.time;
  }
  if (!isPinned) moveCursorToPointer(event);
});
slider.addEventListener("pointerdown", (event) => {
  // A second click lets go of the cursor.
  isPinned = event.pointerType === "mouse" && !isPinned;
  anchor = null;
  moveCursorToPointer(event);
  if (event.pointerType === "touch" || event.button !== 0 || moment === null) return;
  pressed = { x: event.clientX, time: moment };
  slider.setPointerCapture(event.pointerId);
});
slider.addEventListener("pointerup", () => {
  pressed = null;
  if (anchor !== null && moment !== null) showSelection();
});
slider.addEventListener("pointercancel", () => {
  pressed = null;
  clearCursor();
});
slider.addEventListener("pointerleave", ({ pointerType }) => {
  // When a finger is lifted, the cursor stays.
  if (pointerType === "mouse" && !isPinned) clearCursor();
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

function showPause() {
  pause.setAttribute("aria-pressed", String(strip.isPaused));
  setNote(strip.isPaused ? `Paused at ${clockTime(new Date(series.end))}.` : "");
}

const setBeginning = textSetter("history-beginning");
/** Whether the history is lost when the program ends. */
const isLost = signal(false);
effect(() => {
  element("history-keeping").hidden = !isLost.value;
  if (mayChange) element("recording-keeping").hidden = !isLost.value;
});

/** Says in the empty part of the band why there is nothing before the start of the program, and in the menu how to keep it. */
function showBeginning() {
  const { begins, end, span } = series;
  const isEmpty = begins !== null && begins > end - span / 2 && !strip.isPart;
  const subject = slider.clientWidth < 500 ? "Started" : "Swatchcam started";
  setBeginning(isEmpty ? `${subject} at ${momentText(begins, span)}` : "");
  isLost.value = begins !== null;
}

const hasProbes = computed(() => Boolean(state.reading.value?.probes?.length));
effect(() => {
  element("history-probes").hidden = !hasProbes.value;
});
bindRememberedChoice("history-lines", ["rgb", "lightness", "probes"], (kind) => {
  strip.kind = kind;
});
let span = rememberedSpan.read("10m");
if (!spans[span]) span = "10m";
spanChoice.addEventListener("change", () => {
  span = spanChoice.value;
  rememberedSpan.write(span);
  showAll();
});
showAll();

/** Shows all of the chosen span. */
function showAll() {
  spanChoice.value = span;
  part.hidden = true;
  strip.span = span;
  linkTable("history-csv", `history.csv?span=${span}`);
  linkTable("probes-csv", `probes.csv?span=${span}`);
  showPause();
  clearCursor();
}

pause.addEventListener("click", () => {
  /** @type {any} */ (element("history-menu")).hidePopover?.();
  if (strip.isPart) showAll();
  strip.isPaused = !strip.isPaused;
  showPause();
});

// Marks

if (mayChange) {
  const text = element("mark-text", HTMLInputElement);
  const button = element("set-mark", HTMLButtonElement);
  const setMarkTime = textSetter("mark-time");
  /** The moment that the note is about, by the server's clock: that of the last reading when the form was opened. */
  let noted;
  element("mark-form").addEventListener("beforetoggle", (event) => {
    if (/** @type {any} */ (event).newState !== "open") return;
    noted = state.reading.value?.time;
    setMarkTime(noted ? clockTime(new Date(noted)) : "this moment");
  });
  element("mark-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    const entered = text.value;
    const mark = await tryFetch("api/marks", { method: "POST", body: { text: entered.trim() || "Note", time: noted } });
    if (mark) {
      strip.addMark(mark);
      if (text.value === entered) text.value = "";
      /** @type {any} */ (element("mark-form")).hidePopover?.();
      toast("Note added");
    }
    button.removeAttribute("aria-disabled");
  });
}

// The list of notes and marks of the span, whose labels the plot may have no room for

const marks = /** @type {any} */ (element("marks"));
/** The notes that are no longer listed, and are deleted on the server once that can no longer be undone. */
const deletions = new Set();
const keyOf = ({ time, text }) => `${time} ${text}`;

function listMarks() {
  const listed = [...series.marks].reverse().filter((mark) => !deletions.has(keyOf(mark)));
  const items = listed.map((mark) => {
    const item = make("li");
    const moment = make("time", { text: momentText(mark.time, series.span) });
    moment.dateTime = new Date(mark.time).toISOString();
    item.append(moment, make("span", { text: mark.text }));
    if (mark.picture) item.append(pictureLink(mark));
    if (mayChange && mark.kind === "user" && mark.id !== null) {
      const button = make("button", { className: "plain small", text: "Delete" });
      button.type = "button";
      button.setAttribute("aria-label", `Delete ${mark.text}`);
      button.addEventListener("click", () => deleteMark(mark, item));
      item.append(button);
    }
    return item;
  });
  element("mark-list").replaceChildren(...items);
  element("no-marks").hidden = items.length > 0;
}

/** A small picture of an event, which leads to the whole one. */
function pictureLink({ picture, text }) {
  const link = make("a", { className: "event-picture" });
  link.href = picture;
  link.target = "_blank";
  link.setAttribute("aria-label", `Picture: ${text}`);
  const image = make("img");
  image.alt = "";
  image.loading = "lazy";
  // It may have given way to newer ones.
  image.addEventListener("error", () => link.remove());
  image.src = picture;
  link.append(image);
  return link;
}

function deleteMark(mark, item) {
  const key = keyOf(mark);
  // The focus moves to the next note, or to the one before it.
  const buttons = [...element("mark-list").querySelectorAll("button")];
  const place = buttons.indexOf(item.querySelector("button"));
  deletions.add(key);
  listMarks();
  const left = [...element("mark-list").querySelectorAll("button")];
  (left[Math.min(place, left.length - 1)] ?? element("close-marks")).focus();
  const restore = () => {
    deletions.delete(key);
    if (marks.matches(":popover-open")) listMarks();
  };
  const undo = () => {
    restore();
    element("history-more").focus();
  };
  const name = abridged(mark.text, 40);
  const keep = async () => {
    // After a restart, the mark has another number.
    const current = series.marks.find((one) => keyOf(one) === key);
    const isKnown = current && current.id !== null;
    if (isKnown && (await tryFetch(`api/marks/${current.id}`, { method: "DELETE" }))) strip.removeMark(current);
    restore();
  };
  toast(`“${name}” deleted`, { job: undo, onKeep: keep });
}

element("list-marks").addEventListener("click", () => {
  /** @type {any} */ (element("history-menu")).hidePopover?.();
  listMarks();
  marks.showPopover({ source: element("history-more") });
  element("close-marks").focus();
});
addEventListener("pagehide", () => {
  for (const { id } of series.marks.filter((mark) => deletions.has(keyOf(mark)) && mark.id !== null)) {
    fetch(`api/marks/${id}`, { method: "DELETE", keepalive: true });
  }
});
if (mayChange) {
  element("note-in-menu").addEventListener("click", () => {
    /** @type {any} */ (element("history-menu")).hidePopover?.();
    /** @type {any} */ (element("mark-form")).showPopover({ source: element("history-more") });
  });
}
element("close-marks").addEventListener("click", () => marks.hidePopover());

// The size

const expand = element("expand");
expand.addEventListener("click", () => choose("isExpanded", !state.isExpanded.value));
effect(() => expand.setAttribute("aria-pressed", String(state.isExpanded.value)));

// Readings

const isSilent = computed(() => Boolean(state.silence.value));
effect(() => {
  if (isSilent.value) strip.miss();
});
followReadings((reading) => {
  if (typeof reading.revisions?.history === "number") strip.add(reading);
});
