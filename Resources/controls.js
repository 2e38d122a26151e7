import { ControlField } from "./control-field.js";
import { element } from "./element.js";
import { fetchJSON } from "./fetch-json.js";
import { showLock } from "./lock.js";
import { toast } from "./view.js";

/** If there are more controls than this, a search field is shown. */
const manyControls = 15;
/** Shown beside the lock, because lamps that flicker with the mains change the colour, too. */
const mains = "power_line_frequency";

const section = element("controls");
const details = element("controls-details", HTMLDetailsElement);
const list = element("control-list");
const besideLock = element("lock-mains");
const filter = element("control-filter", HTMLInputElement);
/** The button beside the notice that the colour may drift. It locks the camera, and opens the section with the result. */
const lockNow = element("lock-now");

let fields = new Map();
let shape = "";
/** The revision of the controls on the page, and the newest one. */
let revision = null;
let newest = null;
/** Requests are numbered, because responses may arrive in another order. */
let lastRequest = 0;
let shownRequest = 0;

/** Updates the section if a reading says that there is another camera, or that its controls have changed. */
export function followControls(reading) {
  section.hidden = reading.state !== "live";
  lockNow.hidden = section.hidden || details.open || !reading.notices.some(({ topic }) => topic === "drift");
  newest = reading.revisions.controls;
  refresh();
}

/** Loads the controls if they have changed and the section is open. */
function refresh() {
  if (!section.hidden && details.open && revision !== newest) load();
}

async function load() {
  revision = newest;
  const request = ++lastRequest;
  try {
    const document = await fetchJSON("/api/controls");
    if (request < shownRequest) return;
    shownRequest = request;
    show(document);
  } catch {
    // The next reading tries again.
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
    besideLock.replaceChildren(...(fields.has(mains) ? [fields.get(mains).element] : []));
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

/** Requests a change, then loads the controls, whether the change succeeded or not. */
async function send(path, method, body = {}) {
  try {
    await fetchJSON(path, { method, body });
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
element("reset-controls").addEventListener("click", () => send("/api/controls/reset", "POST"));
lockNow.addEventListener("click", () => {
  details.open = true;
  lockNow.hidden = true;
  section.scrollIntoView({ block: "start" });
  send("/api/controls/lock", "POST");
});
element("lock").addEventListener("click", () => {
  send("/api/controls/lock", element("lock").dataset.locked === "true" ? "DELETE" : "POST");
});
