/** The page that measures absorbances and concentrations. What it shows is on the server, so that it outlasts a reload. */

import { AreaPicture } from "../lib/area-picture.js";
import { element, make, textSetter } from "../lib/elements.js";
import { ReadingFeed } from "../lib/feed.js";
import { dateAndTime, none } from "../lib/formatting.js";
import { fetchJSON } from "../lib/requests.js";
import { drawCurve } from "./curve-plot.js";

const address = "/api/absorbance";
const mayChange = element("absorbance").dataset.access === "control";
const channelKeys = { red: "r", green: "g", blue: "b" };

/**
 * What the page knows. The document only shows it.
 * @type {{ reading: any, setup: any, deleted: any, controller: AbortController | null }}
 */
const page = { reading: null, setup: null, deleted: null, controller: null };

const texts = Object.fromEntries(
  ["concentration", "interval", "state", "absorbance-r", "absorbance-g", "absorbance-b", "error-r", "error-g", "error-b"].map((id) => [id, textSetter(id)]),
);

function say(message) {
  if (mayChange) element("status").textContent = message;
}

const areaPicture = new AreaPicture(mayChange, say);

// What is shown

/** Returns a number with as many decimals as its uncertainty allows. */
function rounded(value, uncertainty) {
  const decimals = uncertainty > 0 ? 1 - Math.floor(Math.log10(uncertainty)) : 4;
  return decimals > 6 || decimals < -3 ? value.toPrecision(3) : value.toFixed(Math.max(0, decimals));
}

/** Returns a concentration with as many decimals as its interval allows. Beyond the standards, it may have no interval. */
function written(concentration) {
  if (!concentration) return { value: none, interval: "" };
  const { value, low, high } = concentration;
  const half = low === null ? value / 20 : (high - low) / 2;
  return { value: rounded(value, half), interval: low === null ? "" : `${rounded(low, half)} to ${rounded(high, half)}` };
}

/** Returns what limits how far a concentration can be trusted. */
function doubt({ belowDetection, extrapolated }) {
  if (belowDetection) return "Below the limit of detection.";
  return extrapolated ? "Beyond the standards, where the line may not go on." : "";
}

/** Shows the newest reading. */
function showLive() {
  const { reading, setup } = page;
  if (!reading || !setup) return;
  const { absorbance, concentration } = reading;
  areaPicture.show(reading.region);
  element("live-color", SVGElement).setAttribute("fill", reading.hex ?? "none");
  for (const key of ["r", "g", "b"]) {
    texts[`absorbance-${key}`](absorbance?.[key]?.toFixed(4) ?? none);
    texts[`error-${key}`](absorbance?.standardError?.[key]?.toFixed(4) ?? none);
  }
  const unit = concentration?.unit ? ` ${concentration.unit}` : "";
  const { value, interval } = written(concentration);
  texts.concentration(concentration ? `${value}${unit}` : none);
  texts.interval(interval ? `95 %: ${interval}${unit}` : "\u00A0");
  texts.state(stateText());
  showSample();
}

function stateText() {
  const { reading, setup } = page;
  if (!reading.hex) return reading.message ?? "There is no colour.";
  if (!setup.blank) return mayChange ? "Measure the blank first." : "There is no blank.";
  if (!reading.blank) return "Waiting for a reading.";
  if (reading.blank.because) return reading.blank.because;
  if (setup.standards.length === 0) return "Three standards, the blank among them, give a concentration.";
  if (!setup.curve || setup.reason) return setup.reason;
  if (!reading.concentration) return "The noise is not known yet: wait for eight readings.";
  return doubt(reading.concentration) || "Within the standards.";
}

/** The time between requests for the concentrations of the probes, in milliseconds. */
const probesPeriod = 2_000;
let probesDue = 0;

/** Requests and shows the concentrations of the probes, if there are any. */
async function loadProbes() {
  const isWanted = page.setup?.curve && page.reading.probes.length > 0;
  if (!isWanted) element("probes").hidden = true;
  if (!isWanted || performance.now() < probesDue) return;
  probesDue = Infinity;
  try {
    showProbes(await fetchJSON("/api/reading?probes=all"));
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
    line.append(...[name, value, interval || none, concentration ? doubt(concentration) : ""].map((text) => make("td", { text })));
    return line;
  });
  element("probe-rows").replaceChildren(...rows);
}

/** Shows the blank, the standards and the curve. */
function showSetup() {
  const { setup } = page;
  for (const [key, name] of [["blank", "Blank"], ["dark", "Dark"]]) {
    element(`${key}-state`).textContent = lightText(name, setup[key]);
    if (mayChange) element(`remove-${key}`).hidden = !setup[key];
  }
  element("results").hidden = setup.standards.length === 0;
  const key = channelKeys[setup.curve?.channel ?? setup.channel ?? "green"];
  element("rows").replaceChildren(...setup.standards.map((standard) => row(standard, key)));
  element("level-heading").textContent = setup.unit || "Concentration";
  if (mayChange) {
    element("undo").hidden = !page.deleted;
    const unit = element("unit", HTMLInputElement);
    if (document.activeElement !== unit) unit.value = setup.unit;
    element("unit-label").textContent = setup.unit;
    element("channel", HTMLSelectElement).value = setup.channel ?? "best";
  }
  showCurve();
  showLive();
}

function lightText(name, light) {
  if (!light) return `${name}: not measured.`;
  const values = ["r", "g", "b"].map((key) => `${(100 * light.light[key]).toFixed(1)} %`).join(", ");
  const probes = light.probes > 0 ? `, and ${light.probes} probes` : "";
  return `${name}: ${values} of full scale in red, green and blue, ${light.readings} readings on ${dateAndTime(light.time)}${light.everywhere ? ", for every area" : probes}.`;
}

function row({ name, concentration, absorbance, residual }, key) {
  const line = make("tr");
  line.append(make("td", { text: name }), make("td", { text: String(concentration) }));
  line.append(make("td", { text: absorbance[key]?.toFixed(4) ?? none }), make("td", { text: residual?.toFixed(4) ?? none }));
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

function showCurve() {
  const { setup } = page;
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

/** Marks the sample in the plot. */
let markSample = (_sample) => {};

function showSample() {
  const { reading, setup } = page;
  if (!setup?.curve) return;
  const found = reading.concentration;
  markSample(found ? { x: found.value, low: found.low ?? found.value, high: found.high ?? found.value, y: reading.absorbance[channelKeys[setup.curve.channel]] } : null);
}

// What is done

async function load() {
  page.setup = await fetchJSON(address);
  showSetup();
}

/** Sends a change, and shows the outcome. Returns whether it succeeded. */
async function change(path, method, body, signal) {
  try {
    const answer = await fetchJSON(`${address}${path}`, { method, body, signal });
    if (answer.standards) page.setup = answer;
    else page.deleted = answer;
    say("");
    return true;
  } catch (problem) {
    say(signal?.aborted ? "Cancelled." : problem.message);
    return false;
  }
}

/** Measures something, which takes some seconds. */
async function measure(path, body) {
  if (page.controller) return false;
  const focused = document.activeElement;
  const buttons = ["set-blank", "set-dark", "measure"].map((id) => element(id, HTMLButtonElement));
  page.controller = new AbortController();
  for (const button of buttons) button.disabled = true;
  element("cancel").hidden = false;
  say("Measuring: hold everything still.");
  const isDone = await change(path, "PUT", body, page.controller.signal);
  page.controller = null;
  for (const button of buttons) button.disabled = false;
  element("cancel").hidden = true;
  if (isDone) {
    say("Measured.");
    showSetup();
  }
  if (focused instanceof HTMLElement && (document.activeElement === document.body || document.activeElement === element("cancel"))) focused.focus();
  return isDone;
}

async function addStandard(event) {
  event.preventDefault();
  const [level, name, place] = [element("amount", HTMLInputElement), element("name", HTMLInputElement), element("place", HTMLSelectElement)];
  const concentration = level.valueAsNumber;
  if (Number.isNaN(concentration)) return;
  const body = { concentration, ...(place.value && { probe: place.value }) };
  if (await measure(`/standards/${encodeURIComponent(name.value.trim() || freeName(concentration))}`, body)) {
    name.value = "";
    level.select();
  }
}

/** A name for a standard that no other has: that of its concentration. */
function freeName(concentration) {
  const names = new Set(page.setup?.standards.map((standard) => standard.name));
  const name = `${concentration} ${page.setup?.unit ?? ""}`.trim();
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
  const { name, concentration, absorbance } = page.deleted;
  if (!(await change(`/standards/${encodeURIComponent(name)}`, "PUT", { concentration, absorbance }))) return;
  page.deleted = null;
  showSetup();
  element("amount").focus();
}

async function set(body) {
  if (await change("", "PUT", body)) showSetup();
}

// What arrives

/** Whether the connection was lost after the last reading. */
let isLost = false;

function follow(reading) {
  const isOther = ["blank", "camera", "revisions"].some((key) => JSON.stringify(page.reading?.[key]) !== JSON.stringify(reading[key]));
  page.reading = reading;
  if ((isOther && !page.controller) || isLost || !page.setup) load().catch(() => {});
  isLost = false;
  offerPlaces(reading.probes.map(({ name }) => name));
  showLive();
  loadProbes().catch(() => {});
}

let places = "";

/** Offers the probes as places of a standard. */
function offerPlaces(names) {
  if (!mayChange || places === JSON.stringify(names)) return;
  places = JSON.stringify(names);
  const options = ["", ...names].map((name) => Object.assign(make("option", { text: name || "the area" }), { value: name }));
  element("place").replaceChildren(...options);
  element("place-label").hidden = names.length === 0;
}

if (mayChange) {
  const everywhere = element("everywhere", HTMLInputElement);
  for (const light of ["blank", "dark"]) {
    element(`set-${light}`).addEventListener("click", () => measure(`/${light}`, { everywhere: everywhere.checked }));
    element(`remove-${light}`).addEventListener("click", async () => {
      if (await change(`/${light}`, "DELETE")) showSetup();
      element(`set-${light}`).focus();
    });
  }
  element("cancel").addEventListener("click", () => page.controller?.abort());
  element("add").addEventListener("submit", addStandard);
  element("undo").addEventListener("click", undo);
  element("unit").addEventListener("change", ({ target }) => set({ unit: /** @type {HTMLInputElement} */ (target).value }));
  element("channel").addEventListener("change", ({ target }) => set({ channel: /** @type {HTMLSelectElement} */ (target).value }));
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
