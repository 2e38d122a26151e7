import { ask } from "./api.js";
import { ControlField } from "./control-field.js";
import { showLock } from "./lock.js";
import { toast } from "./view.js";

/** More than so many controls are looked for by name. */
const manyControls = 15;
/** It belongs beside the lock: lamps that flicker with the mains change the colour, too. */
const mains = "power_line_frequency";

const section = document.getElementById("controls");
const details = document.getElementById("controls-details");
const list = document.getElementById("control-list");
const beside = document.getElementById("lock-mains");
const filter = document.getElementById("control-filter");
/** Beside the notice that the colour may drift: one tap, and the section opens to tell what came of it. */
const lockNow = document.getElementById("lock-now");

let fields = new Map();
let shape = "";
/** Of the document that is shown. */
let revision = null;
let wanted = null;
/** Questions for the document count up: their answers may come in another order. */
let asked = 0;
let shown = 0;

/** Follows a reading: whether there is a camera, and whether its controls have changed. */
export function followControls(reading) {
  section.hidden = reading.state !== "live";
  lockNow.hidden = section.hidden || details.open || !reading.notices.some(({ topic }) => topic === "drift");
  wanted = reading.revisions.controls;
  refresh();
}

/** A closed section costs nothing. */
function refresh() {
  if (!section.hidden && details.open && revision !== wanted) load();
}

async function load() {
  revision = wanted;
  const question = ++asked;
  try {
    const answer = await ask("/api/controls");
    if (question < shown) return;
    shown = question;
    show(answer);
  } catch {
    // The next reading asks again.
    revision = null;
  }
}

function show({ controls, automatics, lock }) {
  const labels = new Map(controls.map(({ name, label }) => [name, label]));
  const now = JSON.stringify(controls.map(({ name, type, minimum, maximum, choices }) => [name, type, minimum, maximum, choices]));
  if (now !== shape) {
    shape = now;
    fields = new Map(controls.map((control) => [control.name, new ControlField(control, set)]));
    const rows = controls.filter(({ name }) => name !== mains);
    const isButton = ({ type }) => type === "button";
    const ordered = [...rows.filter((control) => !isButton(control)), ...rows.filter(isButton)];
    list.replaceChildren(...ordered.map(({ name }) => fields.get(name).element));
    beside.replaceChildren(...(fields.has(mains) ? [fields.get(mains).element] : []));
    filter.parentElement.hidden = rows.length <= manyControls;
  }
  for (const control of controls) fields.get(control.name).show(control, labels.get(control.controlledBy));
  applyFilter();
  showLock(lock, automatics.map((name) => labels.get(name)));
}

function applyFilter() {
  const text = filter.parentElement.hidden ? "" : filter.value.trim().toLowerCase();
  for (const field of fields.values()) field.filter(text);
  if (fields.has(mains)) fields.get(mains).filter("");
}

function set(name, value) {
  return send(`/api/controls/${encodeURIComponent(name)}`, "PUT", { value });
}

/** Asks for a change; whatever comes of it, and however late, the list is true afterwards. */
async function send(path, method, body = {}) {
  try {
    await ask(path, { method, body });
  } catch (problem) {
    toast(problem.message);
  }
  await load();
}

details.addEventListener("toggle", () => {
  revision = null;
  refresh();
});
filter.addEventListener("input", applyFilter);
document.getElementById("reset-controls").addEventListener("click", () => send("/api/controls/reset", "POST"));
lockNow.addEventListener("click", () => {
  details.open = true;
  lockNow.hidden = true;
  section.scrollIntoView({ block: "start" });
  send("/api/controls/lock", "POST");
});
document.getElementById("lock").addEventListener("click", ({ currentTarget }) => {
  send("/api/controls/lock", currentTarget.dataset.locked === "true" ? "DELETE" : "POST");
});
