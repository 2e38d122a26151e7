/** The kiosk: a full-screen view for unattended displays. */

import { textColorOn } from "../lib/colors.js";
import { attributeSetter, element, siteName, textSetter, textSetterOf } from "../lib/elements.js";
import { ReadingFeed, refusedSocket } from "../lib/feed.js";
import { gradeLabels, none, shownGrade, stateLabels } from "../lib/formatting.js";
import { Picture } from "../lib/picture.js";
import { full, place } from "../lib/region-geometry.js";
import { effect, isSameJSON, signal } from "../lib/signals.js";
import { decisiveTarget, verdictLabel } from "../lib/verdict.js";

/** Against burn-in, the content moves once in this many milliseconds, by up to this many pixels in each direction. */
const shiftPeriod = 60_000;
const shift = 8;
const noColor = "#1A1A1A";
/** The time after which a script that could not be loaded is requested again, in milliseconds. */
const retryPeriod = 5_000;

const kiosk = element("kiosk");
const canvas = /** @type {HTMLCanvasElement | null} */ (document.getElementById("picture"));
/** The size of the picture; null while there is none. */
const size = signal(null);
/** The area of the picture that is read. */
const region = signal(full, isSameJSON);
const picture = canvas && new Picture(canvas, "live", (width, height) => {
  size.value = width > 0 ? { width, height } : null;
});
effect(placeArea);
const set = Object.fromEntries(
  ["hex", "r", "g", "b", "brightness", "doubt", "title", "message"].map((id) => [id, textSetter(id)]),
);
const setFill = attributeSetter(element("color"), "fill");
const setTextColor = attributeSetter(kiosk, "data-text");
const setState = attributeSetter(kiosk, "data-state");
const site = siteName();
const setTitle = textSetterOf(document.querySelector("title"));
const optional = (id) => (document.getElementById(id) ? textSetter(id) : () => {});
const setName = optional("name");
const setGrade = optional("grade");
/** What shows the verdict, if the kiosk does. */
const showVerdict = kiosk.hasAttribute("data-judging") ? verdictView() : () => {};
let wasDown = false;
let wakeLock = null;
/** The history of the last ten minutes, if the kiosk shows it. */
let strip = null;

const feed = new ReadingFeed({
  onReading: (reading) => {
    show(reading);
    strip?.add(reading);
    if (wasDown) reloadIfChanged();
  },
  // An old colour is never shown as a live one.
  onStale: ({ isConnected, isRefused }) => {
    strip?.miss();
    if (isRefused) showNotice("stale", "WebSocket refused", refusedSocket);
    else showNotice("stale", isConnected ? "No reading" : "Connection lost", "This screen reconnects by itself.");
  },
  onDown: () => {
    wasDown = true;
  },
});

function show(reading) {
  const { state, message, hex, rgb, brightness, textColor, quality, color, region: area } = reading;
  if (!rgb) {
    showNotice(state, stateLabels[state] ?? state, message ?? "");
    return;
  }
  showState(state);
  set.hex(hex);
  for (const channel of ["r", "g", "b"]) set[channel](String(rgb[channel]));
  set.brightness(String(Math.round(brightness * 100)));
  set.doubt(doubt(quality));
  setName(color?.name?.plain ?? "");
  const grade = shownGrade(reading);
  setGrade(gradeLabels[grade] ?? none);
  const sign = document.getElementById("quality");
  if (sign) sign.dataset.grade = grade;
  if (area) region.value = area;
  setFill(hex);
  setTextColor(textColor);
  showVerdict(reading);
  kiosk.toggleAttribute("data-color", true);
  setTitle(`${hex} · ${site}`);
  if (picture) picture.isWanted = true;
}

function showState(state) {
  setState(state);
  element("pattern").toggleAttribute("hidden", state !== "test-pattern");
}

/** Returns a function that shows the verdict of a reading beside the target that decides it. */
function verdictView() {
  const [setName, setHex, setWord, setFigures, setWords] = ["wanted-name", "wanted-hex", "verdict-word", "verdict-figures", "verdict-words"].map(textSetter);
  const wanted = signal(null);
  effect(() => {
    element("wanted").hidden = !wanted.value;
    if (!wanted.value) return;
    element("wanted-color", SVGElement).setAttribute("fill", wanted.value);
    element("wanted").style.color = textColorOn(wanted.value);
  });
  const setVerdict = attributeSetter(element("judged"), "data-verdict");
  return (reading) => {
    const target = decisiveTarget(reading);
    wanted.value = target?.hex ?? null;
    if (!target) {
      setVerdict("none");
      setWord("No target");
      setFigures("");
      setWords("Set one on the dashboard, under Targets.");
      return;
    }
    const { name, hex, held, deltaE, tolerance } = target;
    // The verdict on the part is kept through doubts about it.
    const verdict = held ?? target.verdict;
    setName(`Target: ${name}`);
    fit(element("wanted-name"));
    setHex(hex);
    setVerdict(verdict ?? "none");
    setWord(verdictLabel(verdict));
    setFigures(verdict ? `ΔE ${deltaE.toFixed(1)} of ${tolerance} allowed` : "");
    setWords(verdictLine(verdict, target, reading));
  };
}

/** Tells the style how long a text is, so that a long one is smaller. */
function fit(text) {
  text.style.setProperty("--length", String(text.textContent?.length));
}

/** The line below the figures of a verdict. */
function verdictLine(verdict, { words, reason, readingsToDecide }, { targets, unique }) {
  if (verdict === "pass") return unique === false ? "another target is not ruled out" : words ?? "";
  if (verdict === "fail") return targets.length > 1 ? `none of ${targets.length} targets` : words || reason || "";
  return verdict === "close" && readingsToDecide ? `${readingsToDecide} more readings decide` : reason ?? "";
}

/** Draws a frame around the area that is read, unless it is the whole picture, and keeps it in sight where the picture is cut. */
function placeArea() {
  const frame = document.getElementById("area");
  if (!picture || !frame) return;
  const [x, y, w, h] = region.value;
  const drawn = size.value;
  frame.hidden = !drawn || (w === 1 && h === 1);
  if (!drawn) return;
  if (!kiosk.hasAttribute("data-overlay")) {
    place(frame, region.value);
    return;
  }
  const { width, height } = element("screen").getBoundingClientRect();
  const fits = [width / drawn.width, height / drawn.height];
  const covered = Math.max(...fits);
  // An area that is wider or higher than what would be seen needs the whole picture.
  const isCut = w * drawn.width * covered > width || h * drawn.height * covered > height;
  const scale = isCut ? Math.min(...fits) : covered;
  const [drawnWidth, drawnHeight] = [drawn.width * scale, drawn.height * scale];
  const [centerX, centerY] = [x + w / 2, y + h / 2];
  const [left, top] = [(width - drawnWidth) * centerX, (height - drawnHeight) * centerY];
  Object.assign(picture.element.style, { objectFit: isCut ? "contain" : "", objectPosition: `${centerX * 100}% ${centerY * 100}%` });
  Object.assign(frame.style, {
    left: `${left + x * drawnWidth}px`, top: `${top + y * drawnHeight}px`, width: `${w * drawnWidth}px`, height: `${h * drawnHeight}px`,
  });
}

/** Why the colour should not be trusted: only for a poor reading, because distant viewers can do nothing about lesser doubts. */
function doubt(quality) {
  return quality?.grade === "poor" ? `Poor reading. ${quality.flags[0]?.message ?? ""}` : "";
}

function showNotice(state, title, message) {
  showState(state);
  set.title(title);
  set.message(message);
  setFill(noColor);
  kiosk.toggleAttribute("data-color", false);
  setTitle(`${title} · ${site}`);
  if (picture) picture.isWanted = false;
}

/**
 * Loads the page again if the server, which was down, now serves another version of it.
 *
 * The page is fetched first: if it could not be loaded, the screen would keep the browser's error page.
 */
async function reloadIfChanged() {
  wasDown = false;
  try {
    const response = await fetch(location.href, { cache: "no-store" });
    if (response.status === 401 || (response.ok && !(await response.text()).includes(`data-resources="${kiosk.dataset.resources}"`))) {
      location.reload();
    }
  } catch {
    wasDown = true;
  }
}

/** Adds the history, whose scripts other kiosks do not need. */
async function addHistory() {
  try {
    const { HistoryStrip } = await import("../history/strip.js");
    const setProblem = textSetter("history-problem");
    const added = new HistoryStrip(element("history-canvas", HTMLCanvasElement), {
      onProblem: (problem) => setProblem(problem && `History: ${problem}`),
    });
    added.span = "10m";
    strip = added;
  } catch {
    setTimeout(addHistory, retryPeriod);
  }
}

/** Keeps the screen on, if the browser allows it. */
async function stayAwake() {
  if (wakeLock || document.visibilityState !== "visible") return;
  try {
    wakeLock = await /** @type {any} */ (navigator).wakeLock?.request("screen");
    wakeLock?.addEventListener("release", () => {
      wakeLock = null;
    });
  } catch {
    // The system's own settings decide.
  }
}

function shiftContent() {
  const offset = () => `${Math.round((Math.random() * 2 - 1) * shift)}px`;
  element("content").style.translate = `${offset()} ${offset()}`;
  const isInCorner = !kiosk.hasAttribute("data-overlay");
  if (picture && isInCorner) element("screen").style.margin = `${offset()} ${offset()}`;
}

fit(document.querySelector("h1"));
addEventListener("resize", placeArea);
setInterval(shiftContent, shiftPeriod);
addEventListener("online", stayAwake);
addEventListener("pageshow", stayAwake);
document.addEventListener("visibilitychange", stayAwake);
addEventListener("contextmenu", (event) => event.preventDefault());

kiosk.dataset.script = "";
feed.start(element("reading").textContent);
if (kiosk.hasAttribute("data-history")) addHistory();
stayAwake();
