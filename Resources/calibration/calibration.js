/** The page that calibrates the camera: it measures a chart, and shows what the server makes of the measurements. */

import { editor } from "../dashboard/picture/area.js";
import { followReadings, mayChange, state } from "../dashboard/state.js";
import { controller, count, measure, say, start } from "../dashboard/tool.js";
import { saveFile } from "../lib/download.js";
import { draw, element, textSetter } from "../lib/elements.js";
import { dateAndTime } from "../lib/formatting.js";
import { Preference } from "../lib/preference.js";
import { fetchJSON } from "../lib/requests.js";
import { batch, computed, effect, isSameJSON, signal } from "../lib/signals.js";
import { CornerEditor, usualCorners } from "./chart-corners.js";
import { areas, defect, flatSize, maxAreas, problemOf, readings, steps } from "./steps.js";
import { showPatches } from "./table.js";

const memory = new Preference("calibration");

/** What the page knows. The document only shows it. */
const page = {
  /** The calibration and the conditions of the camera, as the server describes them. */
  state: signal(null),
  message: signal(""),
  plan: signal(null),
  /** The corners of the plan's chart, which change while they are dragged; null if its patches are measured one by one. */
  corners: signal(null),
  /** Why the server did not replace the calibration unasked; empty if it did. */
  objection: signal(""),
  /** The calibration that was removed last on this page, which can be restored. */
  removed: signal(null),
};

// The plan: it outlasts a reload and a lost camera.

function begin(plan, message = "") {
  adopt({ ...plan, index: 0, measured: steps(plan).map(() => null), conditions: page.state.value?.conditions ?? null });
  page.message.value = message;
  say(message);
  remember();
  element("measure").focus();
}

function remember() {
  memory.write(page.plan.value ? JSON.stringify({ ...page.plan.value, corners: page.corners.value }) : "");
}

function adopt(plan) {
  batch(() => {
    page.plan.value = plan;
    page.corners.value = plan.corners;
  });
}

/** Changes the plan. */
function revise(values) {
  page.plan.value = { ...page.plan.value, ...values };
}

function recall() {
  try {
    const plan = JSON.parse(memory.read("") || "null");
    // An earlier version had one measurement in each step.
    if (!plan || steps(plan).length !== plan.measured.length || !plan.measured.every((one) => one === null || Array.isArray(one))) return;
    adopt(plan);
  } catch {
    // Another version may have written it.
  }
}

/** What has changed since the plan began, such as "gain 64 → 80"; empty if nothing has. */
function changes() {
  const [before, now] = [page.plan.value?.conditions, page.state.value?.conditions];
  if (!before || !now) return [];
  const flat = ({ controls, ...rest }) => ({ ...rest, ...controls });
  const [old, present] = [flat(before), flat(now)];
  return [...new Set([...Object.keys(old), ...Object.keys(present)])]
    .filter((key) => old[key] !== present[key])
    .map((key) => `${key} ${old[key] ?? "absent"} → ${present[key] ?? "absent"}`);
}

async function measureStep(signal) {
  const plan = page.plan.value;
  const step = steps(plan)[plan.index];
  page.message.value = "";
  const wanted = areas(step, { ...plan, corners: page.corners.value }, state.region.value);
  if (!wanted) throw new Error("The corners are not those of a chart: drag them apart, in their order round the chart.");
  count("Measuring", readings, true);
  const { patches, conditions } = await fetchJSON("api/patches", { method: "POST", body: { areas: wanted, readings }, signal });
  await loadState();
  // The plan may have been discarded.
  if (page.plan.value !== plan) return "";
  revise({ conditions: plan.conditions ?? conditions });
  const problem = problemOf(step, patches);
  if (problem) throw new Error(`This cannot be used: ${problem}.`);
  const unused = step.kind === "chart" ? patches.filter(defect).length : 0;
  revise({ measured: replaced(plan, patches), index: Math.min(plan.index + 1, plan.measured.length) });
  remember();
  return unused ? `${step.name}: measured. ${unused} of ${patches.length} patches cannot be used.` : `${step.name}: measured.`;
}

/** The measurements of a plan, with another one of its present step. */
function replaced({ measured, index }, patches) {
  return measured.map((one, other) => (other === index ? patches : one));
}

/** Asks for another step. */
function goTo(index) {
  if (controller.value) return;
  revise({ index });
  page.message.value = "";
  say("");
  remember();
  element("measure").focus();
}

function skip() {
  revise({ measured: replaced(page.plan.value, null) });
  goTo(page.plan.value.index + 1);
}

async function calibrate(force = false) {
  const plan = page.plan.value;
  const all = steps(plan).map((step, index) => ({ ...step, measured: plan.measured[index] })).filter(({ measured }) => measured);
  const only = (kind) => all.find((step) => step.kind === kind)?.measured;
  const [dark, flat, card] = ["dark", "flat", "card"].map(only);
  const patches = only("chart")?.map((measured, index) => [plan.chart.patches[index], measured])
    ?? all.filter(({ kind }) => kind === "patch").map(({ patch, measured }) => [patch, measured[0]]);
  const measurements = {
    ...(dark && { dark: dark[0] }),
    // The grid says where the cells are.
    ...(flat && { flat: { columns: flatSize.columns, cells: flat.map(({ area, ...cell }) => cell) } }),
    ...(card && { card: { measured: card[0], luminance: plan.luminance } }),
    ...(patches.length > 0 && {
      chart: { name: plan.chart.name, patches: patches.map(([{ name, lab }, measured]) => ({ name, reference: lab, measured })) },
    }),
  };
  try {
    page.state.value = await fetchJSON("api/calibration", { method: "PUT", body: { measurements, force } });
    page.plan.value = null;
    page.message.value = "";
    remember();
  } catch (problem) {
    page.message.value = problem.message;
    page.objection.value = problem.cause === "calibration-worse" ? problem.message : "";
  }
}

// The calibration of the camera

async function loadState() {
  page.state.value = await fetchJSON("api/calibration");
}

/** Sends a change of the calibration, and shows the outcome. */
async function change(method, body) {
  try {
    const answer = await fetchJSON("api/calibration", { method, body });
    page.removed.value = method === "DELETE" ? answer.calibration : null;
    if (page.removed.value) await loadState();
    else page.state.value = answer;
    page.message.value = "";
  } catch (problem) {
    page.message.value = problem.message;
  }
}

function download() {
  const { calibration } = page.state.value;
  const content = new Blob([JSON.stringify({ calibration }, null, 2)], { type: "application/json" });
  saveFile(content, `calibration ${calibration.time.slice(0, 10)}.json`);
}

async function load(file) {
  try {
    const { calibration } = JSON.parse(await file.text());
    await change("PUT", { calibration });
  } catch {
    page.message.value = "This file is not a calibration.";
  }
}

// What is shown

const setStateText = textSetter("task-state");
effect(() => {
  setStateText(stateText());
  element("download").hidden = !page.state.value?.calibration;
});
effect(() => showPatches(page.plan.value, page.state.value?.calibration?.chart, goTo));

function stateText() {
  const [known, reading] = [page.state.value, state.reading.value];
  if (state.silence.value && !state.silence.value.isConnected) return "The connection to Swatchcam is lost.";
  if (!known) return page.message.value || "Waiting for a reading.";
  if (!known.camera) return reading?.message ?? "There is no camera.";
  if (!known.calibration) return "This camera is not calibrated.";
  const { time, chart } = known.calibration;
  const made = dateAndTime(time);
  const quality = chart ? ` ${chart.transform.model === "gains" ? "Greys" : "Other colours"}: expect ΔE ${chart.leaveOneOut.mean.toFixed(1)}.` : "";
  const problem = known.problem ? ` ${known.problem}` : "";
  return known.inForce
    ? `Calibrated on ${made}, and in force.${quality}${problem}`
    : `Calibrated on ${made}, but not in force: ${(known.because ?? []).join(", ")}.${problem}`;
}

function showPlan() {
  const [plan, isMeasuring] = [page.plan.value, controller.value !== null];
  const all = steps(plan);
  const step = all[plan.index];
  const done = plan.measured.filter(Boolean).length;
  element("asked").textContent = step ? `${step.name} (${plan.index + 1} of ${all.length})` : "All are done";
  element("step-advice").textContent = step ? advice(step, plan) : "Press Calibrate, or go back to measure one again.";
  element("wanted-and-seen").hidden = step?.kind !== "patch";
  if (step?.patch) fill("wanted-color", step.patch.hex);
  const button = element("measure", HTMLButtonElement);
  button.hidden = !step;
  button.disabled = isMeasuring;
  element("skip").hidden = !step;
  element("back", HTMLButtonElement).disabled = plan.index === 0 || isMeasuring;
  element("skip", HTMLButtonElement).disabled = isMeasuring;
  element("calibrate", HTMLButtonElement).disabled = done === 0 || isMeasuring;
  // For as long as the objection is shown.
  element("replace").hidden = !page.objection.value || page.message.value !== page.objection.value;
  element("calibrate").classList.toggle("primary", !step);
  if (page.message.value) say(page.message.value);
}

function advice({ kind }, { chart }) {
  if (kind === "dark") return "Cover the lens completely.";
  if (kind === "flat") return "Let a white sheet fill the picture, out of focus if you can, in the light in which you measure.";
  if (kind === "chart") {
    return `Drag the four corners onto those of the chart; 1 is that of its first patch, ${chart.patches[0].name}. Each frame should lie in the middle of its patch, and its left third shows the colour that belongs there.`;
  }
  return "Fill the area with it, without an edge, a shadow or a reflection. A click on the picture moves the area.";
}

/** Frames the areas that a step between corners measures, in place of the area. */
function showCells() {
  const plan = page.plan.value;
  const step = plan && steps(plan)[plan.index];
  const isArea = !step || (step.kind !== "chart" && step.kind !== "flat");
  editor.isFixed = !isArea;
  element("view").toggleAttribute("data-whole", !isArea);
  const cells = step?.kind === "chart" ? (areas(step, { ...plan, corners: page.corners.value }) ?? []) : [];
  overlay.replaceChildren(...cells.flatMap(([x, y, width, height], index) => [
    rect({ x, y, width: width / 3, height, class: "color", fill: plan.chart.patches[index].hex }),
    rect({ x, y, width, height }),
    rect({ x, y, width, height, class: "light" }),
  ]));
}

const overlay = draw("svg", { "class": "cells", "aria-hidden": "true", "viewBox": "0 0 1 1", "preserveAspectRatio": "none" });
element("view").append(overlay);

function rect(attributes) {
  return draw("rect", { ...attributes, "vector-effect": "non-scaling-stroke" });
}

function fill(id, color) {
  element(id, SVGElement).setAttribute("fill", color);
}

/** Reads the chart that was chosen; null for none. */
async function chosenChart() {
  const choice = element("chart", HTMLSelectElement).value;
  if (choice === "none") return null;
  if (choice === "standard") return await fetchJSON("api/chart");
  const file = element("chart-file", HTMLInputElement).files?.[0];
  if (!file) throw new Error("Choose the file of the chart.");
  return { ...(await fetchJSON("api/chart", { method: "POST", body: file })), name: file.name };
}

async function setUp(event) {
  event.preventDefault();
  try {
    await loadState();
    if (!page.state.value.conditions) throw new Error(state.reading.value?.message ?? "The controls of the camera are not known yet. Try again in a second.");
    const plan = {
      withDark: element("with-dark", HTMLInputElement).checked,
      withFlat: element("with-flat", HTMLInputElement).checked,
      corners: element("way", HTMLSelectElement).value === "corners" ? usualCorners : null,
      columns: element("columns", HTMLInputElement).valueAsNumber,
      luminance: element("with-card", HTMLInputElement).checked ? element("reflectance", HTMLInputElement).valueAsNumber / 100 : null,
      chart: await chosenChart(),
    };
    if (steps(plan).length === 0) throw new Error("Choose a chart, a card, a white sheet or the covered lens.");
    if (plan.corners && plan.chart?.patches.length > maxAreas) throw new Error(`At most ${maxAreas} patches can be measured at once. Measure them one after another.`);
    begin(plan, plan.chart?.note ?? "");
  } catch (problem) {
    page.message.value = problem.message;
  }
}

/** What the state depends on. It is loaded again after a lost connection, too. */
const basis = computed(() => [state.reading.value?.camera, state.reading.value?.calibration, Boolean(state.silence.value)], isSameJSON);
effect(() => {
  if (basis.value[0] !== undefined) loadState().catch(() => {});
});
followReadings(() => {
  if (!page.state.value) loadState().catch(() => {});
});

if (mayChange) {
  recall();
  effect(() => {
    const calibration = page.state.value?.calibration;
    element("remove").hidden = !calibration;
    element("restore").hidden = !page.removed.value || Boolean(calibration);
    element("setup").hidden = page.plan.value !== null;
    element("measuring").hidden = page.plan.value === null;
    if (page.plan.value) showPlan();
    else element("setup-problem").textContent = page.message.value;
  });
  const differences = computed(changes, isSameJSON);
  effect(() => {
    const [plan, message] = [page.plan.value, page.message.value];
    if (plan && differences.value.length > 0 && message !== page.objection.value) {
      page.message.value = `The camera was changed since you began: ${differences.value.join(", ")}. Change it back, or discard this and begin again.`;
    }
  });
  const corners = new CornerEditor(element("view"), (places, isDone) => {
    page.corners.value = places;
    if (isDone) remember();
  });
  effect(() => {
    const plan = page.plan.value;
    corners.show(plan && steps(plan)[plan.index]?.kind === "chart" ? page.corners.value : null);
  });
  effect(showCells);
  effect(() => {
    if (page.plan.value) fill("seen-color", state.reading.value?.hex ?? "none");
  });
  const file = element("calibration-file", HTMLInputElement);
  element("setup").addEventListener("submit", setUp);
  const [chart, way] = ["chart", "way"].map((id) => element(id, HTMLSelectElement));
  for (const choice of [chart, way]) {
    choice.addEventListener("change", () => {
      element("chart-file").hidden = chart.value !== "file";
      element("way-row").hidden = chart.value === "none";
      element("columns-part").hidden = chart.value !== "file" || way.value !== "corners";
      if (chart.value === "standard") element("columns", HTMLInputElement).value = "6";
    });
  }
  element("measure").addEventListener("click", () => measure(measureStep));
  element("back").addEventListener("click", () => goTo(page.plan.value.index - 1));
  element("skip").addEventListener("click", skip);
  element("calibrate").addEventListener("click", () => calibrate());
  element("replace").addEventListener("click", () => calibrate(true));
  element("end").addEventListener("click", () => {
    controller.value?.abort(new Error(""));
    page.plan.value = null;
    page.message.value = "";
    remember();
  });
  element("remove").addEventListener("click", async () => {
    await change("DELETE");
    element("restore").focus();
  });
  element("restore").addEventListener("click", async () => {
    await change("PUT", { calibration: page.removed.value });
    element("remove").focus();
  });
  element("load").addEventListener("click", () => file.click());
  file.addEventListener("change", () => {
    if (file.files?.[0]) load(file.files[0]);
    file.value = "";
  });
}
element("download").addEventListener("click", download);

start();
