/** The page that measures absorbances and concentrations. What it shows is on the server, so that it outlasts a reload. */

import "../lib/appearance.js";
import { AreaPicture } from "../lib/area-picture.js";
import { doubtAbout, rounded, withUnit, written } from "../lib/concentration.js";
import { element, make, textSetter } from "../lib/elements.js";
import { ReadingFeed } from "../lib/feed.js";
import { dateAndTime, none, withMinus } from "../lib/formatting.js";
import { fetchJSON } from "../lib/requests.js";
import { Revisioned } from "../lib/revisioned.js";
import { computed, effect, isSameJSON, signal } from "../lib/signals.js";
import { drawCurve } from "./curve-plot.js";

const address = "api/absorbance";
const mayChange = element("absorbance").dataset.access === "control";
const channelKeys = { red: "r", green: "g", blue: "b" };

/** What the page knows. The document only shows it. */
const page = {
  reading: signal(null),
  /** The blank, the standards and the curve, as the server describes them. */
  setup: signal(null),
  /** The standard that was deleted last, which can be restored. */
  deleted: signal(null),
  /** What cancels the measurement under way. */
  controller: signal(null),
};

const texts = Object.fromEntries(
  ["concentration", "interval", "state", "absorbance-r", "absorbance-g", "absorbance-b", "error-r", "error-g", "error-b"].map((id) => [id, textSetter(id)]),
);

function say(message) {
  if (mayChange) element("status").textContent = message;
}

const areaPicture = new AreaPicture(mayChange, say);
const probes = new Revisioned("api/probes", (document) => areaPicture.showProbes(document.probes ?? []));

/** Marks the sample in the plot of the curve. */
let markSample = (_sample) => {};

// What is shown

/** An absorbance; a dash without one. */
function fourDecimals(value) {
  return typeof value === "number" ? withMinus(value.toFixed(4)) : none;
}

// The newest reading
effect(() => {
  const [reading, setup] = [page.reading.value, page.setup.value];
  if (!reading || !setup) return;
  const { absorbance, concentration } = reading;
  areaPicture.show(reading.region);
  element("live-color", SVGElement).setAttribute("fill", reading.hex ?? "none");
  for (const key of ["r", "g", "b"]) {
    texts[`absorbance-${key}`](fourDecimals(absorbance?.[key]));
    texts[`error-${key}`](fourDecimals(absorbance?.standardError?.[key]));
  }
  const unit = concentration?.unit ? ` ${concentration.unit}` : "";
  const { interval } = written(concentration);
  texts.concentration(withUnit(concentration));
  element("concentration").toggleAttribute("data-doubt", doubtAbout(concentration) !== "");
  texts.interval(interval ? `95 %: ${interval}${unit}` : "\u00A0");
  texts.state(stateText(reading, setup));
});

function stateText(reading, setup) {
  if (!reading.hex) return reading.message ?? "There is no colour.";
  if (!setup.blank) return mayChange ? "Measure the blank first." : "There is no blank.";
  if (!reading.blank) return "Waiting for a reading.";
  if (reading.blank.because) return reading.blank.because;
  if (setup.standards.length === 0) return "Three standards, of which the blank is one, give a concentration.";
  if (!setup.curve || setup.reason) return setup.reason;
  if (!reading.concentration) return "The noise is not known yet: wait for eight readings.";
  return { "below detection": "Below the limit of detection.", "extrapolated": "Outside the standards: extrapolated." }[doubtAbout(reading.concentration)] ?? "Within the standards.";
}

/** The time between requests for the concentrations of the probes, in milliseconds. */
const probesPeriod = 2_000;
let probesDue = 0;

/** Requests and shows the concentrations of the probes, if there are any. */
async function loadProbes() {
  const isWanted = page.setup.value?.curve && page.reading.value.probes.length > 0;
  if (!isWanted) element("probes").hidden = true;
  if (!isWanted || performance.now() < probesDue) return;
  probesDue = Infinity;
  try {
    showProbes(await fetchJSON("api/reading?probes=all"));
  } finally {
    probesDue = performance.now() + probesPeriod;
  }
}

function showProbes({ probes }) {
  element("probes").hidden = false;
  const unit = probes.find((probe) => probe.concentration)?.concentration.unit;
  element("probes-unit").textContent = unit || "Concentration";
  const rows = probes.map(({ name, concentration }) => {
    const { value, interval } = written(concentration);
    const line = make("tr");
    line.append(...[name, value, interval || none, doubtAbout(concentration)].map((text) => make("td", { text })));
    return line;
  });
  element("probe-rows").replaceChildren(...rows);
}

// The blank, the standards and the curve
effect(() => {
  const setup = page.setup.value;
  if (!setup) return;
  for (const [key, name] of [["blank", "Blank"], ["dark", "Dark"]]) {
    element(`${key}-state`).textContent = lightText(name, setup[key]);
    if (mayChange) element(`remove-${key}`).hidden = !setup[key];
  }
  element("results").hidden = setup.standards.length === 0;
  const key = channelKeys[setup.curve?.channel ?? setup.channel ?? "green"];
  element("rows").replaceChildren(...setup.standards.map((standard) => row(standard, key)));
  element("level-heading").textContent = setup.unit || "Concentration";
  if (mayChange) {
    element("undo").hidden = !page.deleted.value;
    const unit = element("unit", HTMLInputElement);
    if (document.activeElement !== unit) unit.value = setup.unit;
    element("unit-label").textContent = setup.unit;
    element("channel", HTMLSelectElement).value = setup.channel ?? "best";
  }
  showCurve(setup);
});
effect(() => {
  const [reading, setup] = [page.reading.value, page.setup.value];
  if (!reading || !setup?.curve) return;
  const found = reading.concentration;
  markSample(found ? { x: found.value, low: found.low ?? found.value, high: found.high ?? found.value, y: reading.absorbance[channelKeys[setup.curve.channel]] } : null);
});

function lightText(name, light) {
  if (!light) return `${name}: not measured.`;
  const values = ["r", "g", "b"].map((key) => `${(100 * light.light[key]).toFixed(1)} %`).join(", ");
  const probes = light.probes > 0 ? `, and ${light.probes} probes` : "";
  return `${name}: ${values} of full scale in red, green and blue, ${light.readings} readings on ${dateAndTime(light.time)}${light.everywhere ? ", for every area" : probes}.`;
}

function row({ name, concentration, absorbance, residual }, key) {
  const line = make("tr");
  line.append(make("td", { text: name }), make("td", { text: String(concentration) }));
  line.append(make("td", { text: fourDecimals(absorbance[key]) }), make("td", { text: fourDecimals(residual) }));
  if (mayChange) {
    const [cell, button] = [make("td"), make("button", { text: "Delete" })];
    button.type = "button";
    button.setAttribute("aria-label", `Delete ${name}`);
    button.addEventListener("click", () => remove(name));
    cell.append(button);
    line.append(cell);
  }
  return line;
}

function showCurve(setup) {
  const { curve, unit } = setup;
  element("curve").hidden = !curve;
  if (!curve) return;
  const per = unit ? ` per ${unit}` : "";
  const error = (value, uncertainty) => `${rounded(value, uncertainty)} ± ${rounded(uncertainty, uncertainty)}`;
  element("warning").textContent = curve.warning ?? "";
  element("equation").textContent = `Channel ${curve.channel}: slope ${error(curve.slope, curve.slopeError)}${per}, intercept ${error(curve.intercept, curve.interceptError)}, R² ${curve.rSquared.toFixed(5)}.`;
  const limit = curve.detectionLimit;
  const source = limit?.fromBlanks ? "the scatter of the blanks" : "the scatter about the line; six blanks or more are better";
  element("limit").textContent = limit
    ? `Limit of detection: ${limit.concentration.toPrecision(2)}${unit ? ` ${unit}` : ""}, from ${source}.`
    : "The limit of detection is not known, because the standards do not scatter: measure blanks again.";
  const key = channelKeys[curve.channel];
  const points = setup.standards.filter(({ absorbance }) => absorbance[key] !== null);
  markSample = drawCurve(element("plot", SVGElement), {
    points: points.map(({ concentration: x, absorbance }) => ({ x, y: absorbance[key] })),
    line: curve,
    unit,
  });
}

// What is done

async function load() {
  page.setup.value = await fetchJSON(address);
}

/** Sends a change. Returns whether it succeeded. */
async function change(path, method, body, signal) {
  try {
    const answer = await fetchJSON(`${address}${path}`, { method, body, signal });
    if (answer.standards) page.setup.value = answer;
    else page.deleted.value = answer;
    say("");
    return true;
  } catch (problem) {
    say(signal?.aborted ? "Cancelled." : problem.message);
    return false;
  }
}

/** How many readings a measurement is the mean of. */
const readings = 16;
/** How many of them have come; null while nothing is measured. */
let count = null;

/**
 * Measures something, which takes some seconds.
 * @param {HTMLElement} button the button that was pressed. What is said of the measurement stands below it.
 */
async function measure(path, body, button) {
  if (page.controller.value) return false;
  const focused = document.activeElement;
  page.controller.value = new AbortController();
  button.closest("p, form")?.after(element("progress"));
  count = 0;
  sayCount();
  const isDone = await change(path, "PUT", { ...body, readings }, page.controller.value.signal);
  page.controller.value = null;
  count = null;
  if (isDone) say("Measured.");
  if (focused instanceof HTMLElement && (document.activeElement === document.body || document.activeElement === element("cancel"))) focused.focus();
  return isDone;
}

function sayCount() {
  say(`Measuring ${Math.min(count, readings)} of ${readings}: hold everything still.`);
}

/** Measures the blank, and then as a standard of 0, of which a curve needs one. */
async function measureBlank() {
  const button = element("set-blank");
  if (!(await measure("/blank", { everywhere: element("everywhere", HTMLInputElement).checked }, button))) return;
  if (page.setup.value.standards.some(({ concentration }) => concentration === 0)) return;
  await measure(`/standards/${encodeURIComponent(freeName(0))}`, { concentration: 0 }, button);
}

async function addStandard(event) {
  event.preventDefault();
  const [level, name, place] = [element("amount", HTMLInputElement), element("name", HTMLInputElement), element("place", HTMLSelectElement)];
  const concentration = level.valueAsNumber;
  if (Number.isNaN(concentration)) return;
  const body = { concentration, ...(place.value && { probe: place.value }) };
  if (await measure(`/standards/${encodeURIComponent(name.value.trim() || freeName(concentration))}`, body, element("measure"))) {
    name.value = "";
    level.select();
  }
}

/** A name for a standard that no other has: that of its concentration. */
function freeName(concentration) {
  const names = new Set(page.setup.value?.standards.map((standard) => standard.name));
  const name = `${concentration} ${page.setup.value?.unit ?? ""}`.trim();
  let free = name;
  for (let number = 2; names.has(free); number += 1) free = `${name} (${number})`;
  return free;
}

async function remove(name) {
  if (!(await change(`/standards/${encodeURIComponent(name)}`, "DELETE"))) return;
  await load();
  element("undo").focus();
}

async function undo() {
  const { name, concentration, absorbance } = page.deleted.value;
  if (!(await change(`/standards/${encodeURIComponent(name)}`, "PUT", { concentration, absorbance }))) return;
  page.deleted.value = null;
  element("amount").focus();
}

// What arrives

/** Whether the connection was lost after the last reading. */
let isLost = false;

function follow(reading) {
  const isOther = ["blank", "camera", "revisions"].some((key) => !isSameJSON(page.reading.value?.[key], reading[key]));
  page.reading.value = reading;
  if (count !== null && reading.hex) {
    count += 1;
    sayCount();
  }
  if ((isOther && !page.controller.value) || isLost || !page.setup.value) load().catch(() => {});
  isLost = false;
  probes.follow(reading.revisions.settings);
  loadProbes().catch(() => {});
}

/** The places of a standard besides the area. */
const places = computed(() => page.reading.value?.probes.map(({ name }) => name) ?? [], isSameJSON);

if (mayChange) {
  effect(() => {
    const options = ["", ...places.value].map((name) => Object.assign(make("option", { text: name || "the area" }), { value: name }));
    element("place").replaceChildren(...options);
    element("place-label").hidden = places.value.length === 0;
  });
  effect(() => {
    const isMeasuring = page.controller.value !== null;
    const hasColor = Boolean(page.reading.value?.hex);
    for (const id of ["set-blank", "set-dark", "measure"]) element(id, HTMLButtonElement).disabled = isMeasuring || !hasColor;
    element("cancel").hidden = !isMeasuring;
  });
  element("set-blank").addEventListener("click", measureBlank);
  element("set-dark").addEventListener("click", () => measure("/dark", { everywhere: element("everywhere", HTMLInputElement).checked }, element("set-dark")));
  for (const light of ["blank", "dark"]) {
    element(`remove-${light}`).addEventListener("click", async () => {
      await change(`/${light}`, "DELETE");
      element(`set-${light}`).focus();
    });
  }
  element("cancel").addEventListener("click", () => page.controller.value?.abort());
  element("add").addEventListener("submit", addStandard);
  element("undo").addEventListener("click", undo);
  for (const key of ["unit", "channel"]) {
    element(key).addEventListener("change", ({ target }) => change("", "PUT", { [key]: /** @type {HTMLInputElement} */ (target).value }));
  }
}

const feed = new ReadingFeed({
  onReading: follow,
  onStale: ({ isConnected }) => {
    if (isConnected) return;
    isLost = true;
    texts.state("The connection to Swatchcam is lost.");
  },
});
feed.start();
