/** The page that measures absorbances and concentrations. What it shows is on the server, so that it outlasts a reload. */

import { controller, count, measure, start } from "../dashboard/tool.js";
import { toast, tryFetch } from "../dashboard/messages.js";
import "../dashboard/probes/adding.js";
import { editor } from "../dashboard/picture/area.js";
import { probes } from "../dashboard/probes/list.js";
import { coveredProbes, followReadings, mayChange, state } from "../dashboard/state.js";
import { doubtAbout, rounded } from "../lib/concentration.js";
import { element, textSetter } from "../lib/elements.js";
import { dateAndTime } from "../lib/formatting.js";
import { Preference } from "../lib/preference.js";
import { fetchJSON } from "../lib/requests.js";
import { spotAround } from "../lib/region-geometry.js";
import { Revisioned } from "../lib/revisioned.js";
import { computed, effect, isSameJSON, signal } from "../lib/signals.js";
import { drawCurve } from "./curve-plot.js";
import { makeStandardRow, PlaceRow } from "./table.js";
import { parseRows, recalled } from "./wells.js";

/** The width of the spot that a click selects: the inside of a cuvette that takes 3 % of the picture. */
const narrow = 0.025;
const address = "api/absorbance";
const channelKeys = { red: "r", green: "g", blue: "b" };
/** How many readings a measurement is the mean of. */
const readings = 16;
/** How many standards are measured at the same time: the server allows eight samples, and a browser six requests. */
const atOnce = 4;

/** The blank, the standards and the curve, as the server describes them. */
const setup = signal(null);
const followed = new Revisioned(address, (known) => {
  setup.value = known;
});

/** What is in each place, by the name of its probe; that of the area is empty. */
const memory = new Preference("wells");
const marks = signal(recalled(memory.read("[]")));

function remember(changed) {
  const next = new Map([...marks.value, ...changed]);
  memory.write(JSON.stringify([...next]));
  marks.value = next;
}

// The places: the probes, and the area

/** The area comes last: without probes it is the only place, and with them it rarely is one. */
const names = computed(() => [...probes.value.map(({ name }) => name), ""], isSameJSON);
const labelOf = (name) => name || "Area";

/** What is in a place: what was chosen, or else the standard that was measured there. Without probes, the blank comes first. */
function markOf(name) {
  const amount = name && setup.value?.standards.find((standard) => standard.name === name)?.concentration;
  const needsBlank = name === "" && names.value.length === 1 && setup.value?.blank === null;
  const role = amount === 0 || needsBlank ? "blank" : amount > 0 ? "standard" : "unknown";
  return marks.value.get(name) ?? { role, amount: amount ? String(amount) : "" };
}

const places = computed(() => names.value.map((name) => ({ name, mark: markOf(name) })), isSameJSON);

/** The standard that was measured in a place whose mark says that it is there; undefined if there is none. */
function standardIn({ name, mark }) {
  return name && mark.role !== "unknown" ? setup.value?.standards.find((standard) => standard.name === name) : undefined;
}

/** The channel whose absorbances are shown. */
const key = computed(() => channelKeys[setup.value?.curve?.channel ?? setup.value?.channel ?? "green"]);

// The table

const rows = computed(() => names.value.map((name) => new PlaceRow(labelOf(name), mayChange ? (changes, isDone) => mark(name, changes, isDone) : null)));
effect(() => element("places").replaceChildren(...rows.value.map(({ line }) => line)));
effect(() => {
  for (const [index, place] of places.value.entries()) {
    const standard = standardIn(place);
    rows.value[index].showMark(place.mark);
    rows.value[index].showStandard(standard?.name ?? null, mayChange ? () => remove(place.name) : null);
  }
});
const others = computed(() => {
  const shown = places.value.map(standardIn);
  return setup.value?.standards.filter((standard) => !shown.includes(standard)) ?? [];
}, isSameJSON);
effect(() => {
  element("standards").replaceChildren(...others.value.map((standard) => makeStandardRow(standard, key.value, mayChange ? () => remove(standard.name) : null)));
});
effect(() => {
  element("wells").toggleAttribute("data-curve", Boolean(setup.value?.curve));
  element("unit-heading").textContent = setup.value?.unit || "Concentration";
});

/** The figures of the probes; empty while nothing is known but their colours. */
const measured = signal([]);
/** The time between requests for them, in milliseconds: they are not in each reading. */
const probesPeriod = 2_000;
let probesDue = 0;
followReadings(async () => {
  if (!setup.value?.blank || probes.value.length === 0 || performance.now() < probesDue) return;
  probesDue = Infinity;
  try {
    measured.value = (await fetchJSON("api/reading?probes=all")).probes;
  } catch {
    // The next reading tries again.
  }
  probesDue = performance.now() + probesPeriod;
});
/** Whether the area of a reading covers several places, so that its concentration is that of none. */
const isMixture = (reading) => coveredProbes(reading.region).length > 1;

effect(() => {
  const found = new Map(setup.value?.blank ? measured.value.map((probe) => [probe.name, probe]) : []);
  const none = { absorbance: null, concentration: null };
  for (const [index, place] of places.value.entries()) {
    const figures = place.name ? found.get(place.name) : state.reading.value;
    const hasNone = !place.name && figures && isMixture(figures);
    rows.value[index].showFigures(place.mark, { ...(figures ?? none), ...(hasNone && none), standard: standardIn(place) }, key.value);
  }
});

// What is in the places

/** Changes what is in a place. A measured standard gets its new concentration once that has been typed. */
function mark(name, changes, isDone) {
  const next = { ...markOf(name), ...changes };
  const standard = standardIn({ name, mark: next });
  remember([[name, next]]);
  const amount = amountOf(next);
  if (!isDone || !standard || amount === null || amount === standard.concentration) return;
  change(`/standards/${encodeURIComponent(name)}`, "PUT", { concentration: amount, absorbance: standard.absorbance });
}

/** The concentration of a mark; null if it has none. */
function amountOf({ role, amount }) {
  if (role === "blank") return 0;
  const value = Number(amount.trim().replace(",", ".") || Number.NaN);
  return role === "standard" && value >= 0 && value <= 1e12 ? value : null;
}

/** Fills in rows of a spreadsheet. */
function fillIn(text) {
  const order = names.value;
  const { marks: found, problems } = parseRows(text, order.map(labelOf));
  const before = marks.value;
  remember([...found].map(([index, value]) => [order[index], value]));
  const undo = { job: () => { memory.write(JSON.stringify([...before])); marks.value = before; } };
  const places = found.size === 1 ? "1 place" : `${found.size} places`;
  const rest = problems.length > 1 ? ` ${problems.length - 1} more rows are not understood.` : "";
  if (problems.length > 0) toast(`Filled in ${places}. ${problems[0]}${rest}`, found.size > 0 ? undo : null);
  else toast(`Filled in ${places}`, undo);
}

// A click on the whole picture selects as much as a probe has, or what fits in a narrow cuvette.
effect(() => {
  editor.spot = probes.value.at(-1)?.region ?? (state.size.value && spotAround([0.5, 0.5], state.size.value, narrow));
});

// The newest reading

const setState = textSetter("task-state");
effect(() => setState(stateText(state.reading.value, setup.value)));

function stateText(reading, known) {
  if (!reading || !known) return "Waiting for a reading.";
  if (state.silence.value) return "";
  if (!reading.hex) return reading.message ?? "There is no colour.";
  if (!known.blank) return mayChange ? "Measure the blank first: water alone." : "There is no blank.";
  if (!reading.blank) return "Waiting for a reading.";
  if (reading.blank.because) return reading.blank.because;
  if (known.standards.length === 0) return "Three standards, of which the blank is one, give a concentration.";
  if (!known.curve || known.reason) return known.reason;
  if (coveredProbes(reading.region).length > 1) return "The area covers several places, and its concentration is that of none: see the table.";
  if (!reading.concentration) return "The noise is not known yet: wait for eight readings.";
  return { "below detection": "The area is below the limit of detection.", "extrapolated": "The area is outside the standards: extrapolated." }[doubtAbout(reading.concentration)] ?? "The area is within the standards.";
}

// The blank, the standards and the curve

/** Marks the sample in the plot of the curve. */
let markSample = (_sample) => {};

effect(() => {
  const known = setup.value;
  if (!known) return;
  for (const [id, name] of [["blank", "Blank"], ["dark", "Dark"]]) {
    element(`${id}-state`).textContent = lightText(name, known[id]);
    if (mayChange) element(`remove-${id}`).hidden = !known[id];
  }
  showCurve(known);
  if (!mayChange) return;
  const unit = element("unit", HTMLInputElement);
  if (document.activeElement !== unit) unit.value = known.unit;
  element("channel", HTMLSelectElement).value = known.channel ?? "best";
});
effect(() => {
  const reading = state.reading.value;
  if (!reading || !setup.value?.curve) return;
  const found = isMixture(reading) ? null : reading.concentration;
  markSample(found ? { x: found.value, low: found.low ?? found.value, high: found.high ?? found.value, y: reading.absorbance[channelKeys[setup.value.curve.channel]] } : null);
});

function lightText(name, light) {
  if (!light) return `${name}: not measured.`;
  const values = ["r", "g", "b"].map((channel) => (100 * light.light[channel]).toFixed(1)).join(", ");
  const own = light.probes > 0 ? `, of the area and ${light.probes} probes` : "";
  return `${name}: ${values} % of full scale in red, green and blue; ${light.readings} readings, ${dateAndTime(light.time)}${light.everywhere ? ", for every area" : own}.`;
}

function showCurve({ curve, unit, standards }) {
  element("plot", SVGElement).toggleAttribute("hidden", !curve);
  element("how").hidden = Boolean(curve);
  for (const id of ["warning", "equation", "limit"]) element(id).textContent = "";
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
  const channel = channelKeys[curve.channel];
  markSample = drawCurve(element("plot", SVGElement), {
    points: standards.filter(({ absorbance }) => absorbance[channel] !== null).map(({ concentration: x, absorbance }) => ({ x, y: absorbance[channel] })),
    line: curve,
    unit,
  });
}

// What is done

/** Sends a change that takes no time, and shows the outcome. */
async function change(path, method, body) {
  const answer = await tryFetch(`${address}${path}`, { method, body });
  if (answer?.standards) setup.value = answer;
  return answer;
}

async function remove(name) {
  const path = `/standards/${encodeURIComponent(name)}`;
  const deleted = await change(path, "DELETE");
  if (!deleted) return;
  const { concentration, absorbance } = deleted;
  await followed.load();
  toast(`“${name}” deleted`, { job: () => change(path, "PUT", { concentration, absorbance }) });
  element("measure").focus();
}

const put = (path, body, signal) => fetchJSON(`${address}${path}`, { method: "PUT", body: { ...body, readings }, signal });

/** Measures the blank, if one is marked, and then each place that is marked as a blank or a standard. */
async function measureMarked(signal) {
  const marked = places.value.filter(({ mark: { role } }) => role !== "unknown");
  const missing = marked.find(({ mark: found }) => amountOf(found) === null);
  if (missing) {
    rows.value[places.value.indexOf(missing)].focusAmount();
    throw new Error(`Type the concentration of ${labelOf(missing.name)}.`);
  }
  const blanks = marked.filter(({ mark: { role } }) => role === "blank");
  // That of the area is one for every place, or each place has its own.
  const blank = blanks.find(({ name }) => name === "") ?? blanks[0];
  if (marked.length === 0) throw new Error("Say first what is in the places: the blank, or a standard.");
  if (blank) {
    count("Measuring the blank", readings);
    setup.value = await put("/blank", blank.name ? { probe: blank.name } : { everywhere: element("everywhere", HTMLInputElement).checked }, signal);
  }
  const hasZero = setup.value?.standards.some(({ concentration }) => concentration === 0);
  const standards = marked.filter(({ name, mark: { role } }) => name || role === "standard" || !hasZero);
  const total = Math.ceil(standards.length / atOnce) * readings;
  if (total > 0) count(blank ? "Measuring the standards" : "Measuring", total);
  for (let index = 0; index < standards.length; index += atOnce) {
    const answers = await Promise.allSettled(standards.slice(index, index + atOnce).map(({ name, mark: found }) => {
      const concentration = amountOf(found);
      return put(`/standards/${encodeURIComponent(name || freeName(concentration))}`, { concentration, ...(name && { probe: name }) }, signal);
    }));
    await followed.load();
    for (const answer of answers) if (answer.status === "rejected") throw answer.reason;
  }
  // In the area, one solution follows another.
  const area = marked.find(({ name }) => name === "");
  if (area) {
    remember([["", { role: "standard", amount: "" }]]);
    rows.value.at(-1)?.focusAmount();
  }
  return "Measured.";
}

/** A name for a standard that no other has: that of its concentration. */
function freeName(concentration) {
  const taken = new Set([...names.value, ...(setup.value?.standards.map(({ name }) => name) ?? [])]);
  const name = `${concentration} ${setup.value?.unit ?? ""}`.trim();
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} (${number})`;
  return free;
}

// What arrives

followReadings(({ revisions }) => {
  if (!controller.value) followed.follow(revisions.absorbance);
});
/** What the document says depends on the camera, and on whether the blank holds. */
const basis = computed(() => [state.reading.value?.camera, state.reading.value?.blank, Boolean(state.silence.value)], isSameJSON);
effect(() => {
  if (basis.value[0] !== undefined && !controller.value) followed.load();
});

if (mayChange) {
  const hasColor = computed(() => Boolean(state.reading.value?.hex) && !state.silence.value);
  effect(() => {
    for (const id of ["measure", "set-dark"]) element(id, HTMLButtonElement).disabled = controller.value !== null || !hasColor.value;
  });
  effect(() => {
    element("everywhere-line").hidden = places.value.at(-1)?.mark.role !== "blank";
  });
  const isEverywhere = () => element("everywhere", HTMLInputElement).checked;
  element("measure").addEventListener("click", () => measure(measureMarked));
  element("set-dark").addEventListener("click", () => measure(async (signal) => {
    count("Measuring the dark", readings);
    setup.value = await put("/dark", { everywhere: setup.value?.blank?.everywhere ?? isEverywhere() }, signal);
    return "Measured.";
  }));
  for (const light of ["blank", "dark"]) {
    element(`remove-${light}`).addEventListener("click", async () => {
      await change(`/${light}`, "DELETE");
      element("measure").focus();
    });
  }
  for (const id of ["unit", "channel"]) {
    element(id).addEventListener("change", ({ target }) => change("", "PUT", { [id]: /** @type {HTMLInputElement} */ (target).value }));
  }
  element("places").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement) measure(measureMarked);
  });
  element("paste-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const field = element("rows", HTMLTextAreaElement);
    /** @type {any} */ (element("paste-menu")).hidePopover();
    fillIn(field.value);
    field.value = "";
  });
  document.addEventListener("paste", (event) => {
    if (event.target instanceof Element && event.target.closest("input, textarea")) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.trim()) fillIn(text.slice(0, 20_000));
  });
}

start();
