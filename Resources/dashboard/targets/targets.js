/** Targets: the list with its verdicts, setting and deleting them, and the counters of parts. */

import { labText } from "../../lib/colors.js";
import { element, make, textSetter } from "../../lib/elements.js";
import { clockTime, dateAndTime, isToday } from "../../lib/formatting.js";
import { Preference } from "../../lib/preference.js";
import { fetchJSON } from "../../lib/requests.js";
import { Revisioned } from "../../lib/revisioned.js";
import { computed, effect, isSameJSON } from "../../lib/signals.js";
import { matchInWords } from "../../lib/verdict.js";
import { copyText, toast, tryFetch } from "../messages.js";
import { choose, followReadings, mayChange, state } from "../state.js";
import { playVerdict } from "./sound.js";
import { TargetItem } from "./target-item.js";

const addressOf = (name) => `api/targets/${encodeURIComponent(name)}`;

/** The most characters of a target's name. */
const maxLength = 60;

/** A name that is no longer than that of a target may be. */
export function shortened(name) {
  return [...name].slice(0, maxLength).join("");
}

/** A target without its name, which is a part of its address. */
function withoutName({ name: _, ...target }) {
  return target;
}

/**
 * Sets a target, and shows it beside the colour. If it replaces another one, that can be undone.
 * @param {string} name
 * @param {object} content as the API expects it.
 * @returns {Promise<boolean>} whether it succeeded.
 */
export async function setTarget(name, content) {
  try {
    const isKnown = state.reading.value?.targets.some((target) => target.name === name);
    const replaced = isKnown && withoutName(await fetchJSON(addressOf(name)));
    const target = await fetchJSON(addressOf(name), { method: "PUT", body: content });
    choose("target", target.name);
    choose("tab", "targets");
    if (replaced) toast(`Target “${target.name}” replaced`, { job: () => restore(name, replaced) });
    else toast(`Target “${target.name}” set`);
    return true;
  } catch (problem) {
    toast(problem.message);
    return false;
  }
}

/** A name that no target has yet. */
export function freeName(wanted) {
  const taken = new Set([...items.keys()]);
  for (let number = 1; ; number += 1) {
    const name = `${wanted} ${number}`;
    if (!taken.has(name)) return name;
  }
}

/** The form of a new target, which pages have that may set one. */
const form = mayChange ? element("target-form") : null;
const nameField = mayChange ? element("target-name", HTMLInputElement) : null;
let isNameChanged = false;

/** Names the new target after the sample whose colour it has, or else with a number, unless somebody has typed a name. */
function suggestName() {
  if (!nameField || isNameChanged) return;
  const sample = element("target-source", HTMLSelectElement).selectedOptions[0]?.dataset.name;
  nameField.value = sample ? shortened(sample) : freeName("Target");
}

// The list

const list = element("target-list");
/** The rows, by the name of their target. */
const items = new Map();
const setMatch = textSetter("target-match");
const setSince = textSetter("counted-since");

const isOnTab = computed(() => state.tab.value === "targets");
const known = computed(() => (isOnTab.value && state.reading.value?.targets?.map(({ name }) => name)) || null, isSameJSON);
effect(() => {
  const names = known.value;
  if (!names) return;
  for (const [name, item] of items) {
    if (names.includes(name)) continue;
    item.element.remove();
    items.delete(name);
  }
  for (const [index, name] of names.entries()) {
    if (!items.has(name)) {
      items.set(name, new TargetItem(name, {
        onPick: (isPicked) => choose("target", isPicked ? name : ""),
        onMore: (button) => openMenu(name, button),
      }));
    }
    const row = items.get(name).element;
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
  }
  element("no-targets").hidden = names.length > 0;
  element("targets-known").hidden = names.length === 0;
  element("target-match").hidden = names.length < 2;
  suggestName();
});

effect(() => {
  if (!known.value) return;
  const reading = state.reading.value;
  const hex = state.silence.value ? null : reading.hex;
  for (const target of reading.targets) items.get(target.name).show(target, hex, target.name === state.target.value);
  setMatch(matchInWords(reading));
  const { parts } = reading;
  if (!parts) return;
  const others = reading.targets.length > 1 ? ` Beyond every tolerance: ${parts.none}.` : "";
  const since = new Date(parts.since);
  setSince(`Parts counted since ${isToday(since) ? clockTime(since) : dateAndTime(since)}, the last reset or the start of Swatchcam.${others}`);
});

// The counters

if (mayChange) {
  element("reset-counts").addEventListener("click", async () => {
    if (await tryFetch("api/counts", { method: "DELETE" })) toast("The counters are at 0");
  });
}

const sound = element("verdict-sound", HTMLInputElement);
const preference = new Preference("verdict-sound");
sound.checked = preference.read("false") === "true";
sound.addEventListener("change", () => {
  preference.write(String(sound.checked));
  if (sound.checked) playVerdict("pass");
});

/** The parts that passed and failed so far, to notice the next one; null before the first reading. */
let heard = null;

/** Plays a tone for each part that is counted. */
function listen({ targets, parts }) {
  if (!sound.checked || !parts) {
    heard = null;
    return;
  }
  const passed = targets.reduce((sum, { counts }) => sum + counts.pass, 0);
  if (heard?.since === parts.since) {
    if (passed > heard.passed) playVerdict("pass");
    else if (parts.none > heard.none) playVerdict("fail");
  }
  heard = { since: parts.since, passed, none: parts.none };
}

// The menu of a target

const menu = /** @type {any} */ (element("target-menu"));
const presets = ["1", "2", "3", "5"];
/** The name of the target whose menu is open. */
let menuTarget = "";

function openMenu(name, button) {
  menuTarget = name;
  if (mayChange) fillMenu(name);
  menu.showPopover({ source: button });
}

function fillMenu(name) {
  element("target-new-name", HTMLInputElement).value = name;
  const tolerance = String(state.reading.value?.targets.find((target) => target.name === name)?.tolerance ?? "");
  const field = element("target-tolerance", HTMLSelectElement);
  const values = presets.includes(tolerance) ? presets : [...presets, tolerance];
  field.replaceChildren(...values.sort((one, other) => Number(one) - Number(other)).map((text) => make("option", { text })));
  field.value = tolerance;
}

element("copy-target").addEventListener("click", () => {
  menu.hidePopover();
  const hex = state.reading.value?.targets.find(({ name }) => name === menuTarget)?.hex;
  if (hex) copyText(hex);
});

/** Gives the target another name. Its counters go on. */
async function rename(name, wanted) {
  if (wanted === name) return;
  if (items.has(wanted)) {
    toast(`There is a target “${wanted}” already`);
    return;
  }
  if (!(await tryFetch(addressOf(name), { method: "PATCH", body: { name: wanted } }))) return;
  if (state.target.value === name) choose("target", wanted);
  toast(`Renamed to ${wanted}`, { job: () => rename(wanted, name) });
}

/** Sends the target as it is, but with some changes. */
async function change(name, changes, done) {
  try {
    const target = withoutName(await fetchJSON(addressOf(name)));
    await fetchJSON(addressOf(name), { method: "PUT", body: { ...target, ...changes } });
    toast(done);
  } catch (problem) {
    toast(problem.message);
  }
}

async function remove(name) {
  const row = items.get(name)?.element;
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  const target = await tryFetch(addressOf(name), { method: "DELETE" });
  if (!target) return;
  /** @type {HTMLElement} */ (neighbour?.querySelector(".square") ?? element("targets-tab")).focus();
  toast(`“${name}” deleted`, { job: () => restore(name, withoutName(target)) });
}

function restore(name, target) {
  return tryFetch(addressOf(name), { method: "PUT", body: target });
}

if (mayChange) {
  element("target-tolerance", HTMLSelectElement).addEventListener("change", ({ target }) => {
    const { value } = /** @type {HTMLSelectElement} */ (target);
    menu.hidePopover();
    change(menuTarget, { tolerance: Number(value) }, `The tolerance of “${menuTarget}” is ${value}`);
  });
  element("target-from-present").addEventListener("click", () => {
    menu.hidePopover();
    change(menuTarget, { color: undefined, ...presentColor() }, `“${menuTarget}” is now the current reading`);
  });
  element("rename-target").addEventListener("submit", (event) => {
    event.preventDefault();
    menu.hidePopover();
    rename(menuTarget, element("target-new-name", HTMLInputElement).value.trim());
  });
  element("delete-target").addEventListener("click", () => {
    menu.hidePopover();
    remove(menuTarget);
  });
}

// The form of a new target

/** The colour of the moment as the API expects it: the held one, or nothing, which stands for that of the newest reading. */
function presentColor() {
  const lab = state.held.value?.reading.color?.lab;
  return lab ? { color: labText(lab) } : {};
}

if (form && nameField) {
  const source = element("target-source", HTMLSelectElement);
  const colorField = element("target-color", HTMLInputElement);
  suggestName();
  nameField.addEventListener("input", () => {
    isNameChanged = nameField.value !== "";
  });
  source.addEventListener("change", () => {
    element("typed-field").hidden = source.value !== "typed";
    colorField.required = source.value === "typed";
    suggestName();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const color = source.value === "present" ? presentColor() : source.value === "typed" ? { color: colorField.value } : { sample: Number(source.value) };
    const tolerance = Number(element("new-tolerance", HTMLSelectElement).value);
    if (!(await setTarget(nameField.value || freeName("Target"), { ...color, tolerance }))) return;
    isNameChanged = false;
    colorField.value = "";
    suggestName();
  });

  /** The most samples that the form offers. */
  const maxSamples = 30;
  const samples = element("target-samples");
  const taken = new Revisioned("api/samples", ({ samples: all }) => {
    const chosen = source.value;
    samples.replaceChildren(...all.slice(-maxSamples).reverse().map(({ id, name, hex }) => {
      const option = make("option", { text: `${name} ${hex}` });
      option.value = String(id);
      option.dataset.name = name;
      return option;
    }));
    samples.hidden = all.length === 0;
    source.value = chosen;
    if (source.selectedIndex < 0) source.value = "present";
  });
  effect(() => {
    if (isOnTab.value) taken.follow(state.reading.value?.revisions.samples);
  });
}

followReadings(listen);
