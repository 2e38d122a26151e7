/** The page of test colours: shows each on the screen, and compares it with what the camera reads. */

import { hexOf } from "../lib/colors.js";
import { element, makeChip } from "../lib/elements.js";
import { ReadingFeed } from "../lib/feed.js";
import { fetchJSON } from "../lib/requests.js";
import { effect, signal } from "../lib/signals.js";
import { signed } from "../lib/verdict.js";

const colors = [
  "#FF0000", "#00FF00", "#0000FF", "#00FFFF", "#FF00FF", "#FFFF00", "#FFFFFF", "#C0C0C0", "#808080", "#404040",
  "#000000", "#E63946", "#F4A261", "#2A9D8F", "#264653", "#8338EC",
];
/** The time for a camera to adapt to a colour, and the time over which readings are then averaged, in milliseconds. */
const settlingTime = 2_500;
const readingTime = 1_500;
/** What a mean difference up to each limit means. The page names the sources of the limits. */
const verdicts = [
  { limit: 1, text: "Excellent: hardly any difference can be seen." },
  { limit: 3.5, text: "Good: the differences are small." },
  { limit: 5, text: "Fair: the differences are plain to see." },
  { limit: Infinity, text: "Poor: the colours that are read are not those that are shown." },
];
/** What a positive and a negative difference of each kind says of the colours that are read. */
const kinds = {
  lightness: ["lighter", "darker"],
  chroma: ["more colourful", "less colourful"],
  hue: ["of another hue", "of another hue"],
};

/** What the page knows. The document only shows it. */
const page = {
  reading: signal(null),
  message: signal("Waiting for a reading."),
  run: signal(/** @type {Run | null} */ (null)),
};

/**
 * @typedef {object} Run a comparison of all colours, under way.
 * @property {boolean} isForced whether the test pattern is compared, too.
 * @property {{ value: number }} index of the colour that is shown.
 * @property {number[][]} readings of that colour, once the camera has adapted.
 * @property {() => void} onReading
 * @property {AbortController} controller
 */

const feed = new ReadingFeed({
  onReading: (reading) => {
    if (!page.reading.value) page.message.value = "";
    page.reading.value = reading;
    const run = page.run.value;
    const obstacle = run && obstacleTo(run.isForced);
    if (obstacle) stop(obstacle);
    else if (run) {
      run.readings.push([reading.mean.r, reading.mean.g, reading.mean.b]);
      run.onReading();
    }
  },
  onStale: ({ isConnected }) => {
    // While connected, a late reading may still arrive before the colour is compared.
    if (!isConnected && page.run.value) stop("The connection to Swatchcam is lost.");
  },
});
feed.start();
// Without this script, the button would do nothing.
element("start").hidden = false;

element("start").addEventListener("click", () => start(false));
element("anyway").addEventListener("click", () => start(true));
element("stop").addEventListener("click", () => stop("Stopped."));
addEventListener("keydown", ({ key }) => {
  if (key === "Escape" && page.run.value) stop("Stopped.");
});

/** The reason why nothing can be compared now; null if there is none. */
function obstacleTo(isForced) {
  const reading = page.reading.value;
  if (!reading) return "There is no reading yet.";
  if (!reading.mean) return reading.message ?? "There is no colour now.";
  if (reading.state === "test-pattern" && !isForced) return "Not compared: Swatchcam reads its test pattern, not a camera.";
  return null;
}

async function start(isForced) {
  const obstacle = obstacleTo(isForced);
  if (obstacle) {
    page.message.value = obstacle;
    if (!element("warning").hidden) element("anyway").focus();
    return;
  }
  const run = { isForced, index: signal(0), readings: [], onReading: () => {}, controller: new AbortController() };
  page.run.value = run;
  page.message.value = "";
  element("rows").replaceChildren();
  element("stop").focus();
  const results = [];
  try {
    for (const index of colors.keys()) {
      run.index.value = index;
      results.push(await compare(run));
    }
    stop(verdict(results));
  } catch (error) {
    if (page.run.value === run) stop(error.message);
  }
}

/** Compares the colour that is shown with the mean of its readings, and adds a row to the table. */
async function compare(run) {
  const { signal } = run.controller;
  const shown = colors[run.index.value];
  await pause(settlingTime, signal);
  run.readings = [];
  await pause(readingTime, signal);
  // At a low rate, there may have been no reading yet.
  if (run.readings.length === 0) await oneReading(run);
  const read = mean(run.readings);
  const query = new URLSearchParams({ from: shown, to: `rgb(${read.map((value) => value.toFixed(2)).join(" ")})` });
  const difference = await fetchJSON(`api/difference?${query}`);
  signal.throwIfAborted();
  addRow(shown, hexOf(read), difference);
  return { shown, ...difference };
}

function stop(message) {
  page.run.value?.controller.abort();
  page.run.value = null;
  page.message.value = message;
  element("start").focus();
  // On a small screen, the status may be out of sight.
  element("status").scrollIntoView({ block: "nearest" });
}

effect(() => {
  const [reading, run] = [page.reading.value, page.run.value];
  element("warning").hidden = reading?.state !== "test-pattern";
  element("no-color").hidden = !reading || Boolean(reading.mean);
  element("no-color-reason").textContent = reading?.message ?? "";
  element("status").textContent = page.message.value;
  element("show").hidden = !run;
  if (!run) return;
  element("shown", SVGElement).setAttribute("fill", colors[run.index.value]);
  element("progress").textContent = `Colour ${run.index.value + 1} of ${colors.length}`;
});

function verdict(results) {
  const [total] = mean(results.map(({ deltaE00 }) => [deltaE00]));
  const worst = results.reduce((one, other) => (other.deltaE00 > one.deltaE00 ? other : one));
  const numbers = `The mean difference is ${total.toFixed(1)}, the greatest ${worst.deltaE00.toFixed(1)} (${worst.shown}).`;
  if (page.run.value?.isForced && page.reading.value.state === "test-pattern") {
    return `The test pattern was compared, not a camera, so the result is meaningless. ${numbers}`;
  }
  const { text } = verdicts.find(({ limit }) => total <= limit) ?? verdicts[verdicts.length - 1];
  return total <= verdicts[0].limit ? `${text} ${numbers}` : `${text} ${numbers} ${tendency(results)}`;
}

/** The kind of difference that is greatest over all colours, in words. */
function tendency(results) {
  const names = Object.keys(kinds);
  const sizes = mean(results.map(({ parts }) => names.map((name) => Math.abs(parts[name]))));
  const name = names[sizes.indexOf(Math.max(...sizes))];
  const [sum] = mean(results.map(({ parts }) => [parts[name]]));
  return `Above all, the colours read are ${kinds[name][sum < 0 ? 1 : 0]}.`;
}

function addRow(shown, read, { deltaE00, parts }) {
  const row = element("rows", HTMLTableSectionElement).insertRow();
  for (const color of [shown, read]) {
    const cell = row.insertCell();
    cell.append(makeChip(color, "comparison-chip"), color);
    cell.className = "code";
  }
  const figures = [deltaE00.toFixed(1), ...[parts.lightness, parts.chroma, parts.hue].map(signed)];
  for (const figure of figures) row.insertCell().textContent = figure;
  element("results").hidden = false;
}

function mean(vectors) {
  return vectors[0].map((_, index) => vectors.reduce((sum, vector) => sum + vector[index], 0) / vectors.length);
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function oneReading(run) {
  return new Promise((resolve, reject) => {
    run.onReading = resolve;
    run.controller.signal.addEventListener("abort", () => reject(run.controller.signal.reason), { once: true });
  });
}
