/** Samples: taking one, and the list of those that were taken. */

import { element, textSetter } from "../../lib/elements.js";
import { Revisioned } from "../../lib/revisioned.js";
import { computed, effect, untracked } from "../../lib/signals.js";
import { copyText, toast, tryFetch } from "../messages.js";
import { choose, isHeld, isLive, live, mayChange, state } from "../state.js";
import { setTarget, shortened } from "../targets/targets.js";
import { keepComparing, pick } from "./difference.js";
import { SampleItem } from "./sample-item.js";
import { Sampling } from "./sampling.js";

const button = element("sample");
const setLabel = textSetter("sample");
const setProblem = textSetter("samples-problem");

/** The menu of what a sample is to be, which pages have that may take any. */
const samplesMenu = () => /** @type {any} */ (element("samples-menu"));

const sampling = new Sampling();

/** Takes a sample, or cancels the one under way. */
export async function takeSample() {
  if (!mayChange || sampling.cancel()) return;
  if (!isLive.value) {
    toast("There is no colour to take a sample of");
    return;
  }
  const nameField = element("sample-name", HTMLInputElement);
  const countField = element("sample-readings", HTMLInputElement);
  if (!countField.checkValidity()) {
    // The browser shows what is wrong only at a field that can be seen.
    samplesMenu().showPopover({ source: element("samples-more") });
    countField.reportValidity();
    return;
  }
  const name = nameField.value;
  const sample = await sampling.take(name, countField.valueAsNumber);
  if (!sample) return;
  // The next name may have been entered meanwhile.
  if (nameField.value === name) nameField.value = "";
  newest = sample.id;
  toast(`${sample.name}: ${sample.hex}`, { label: "Rename", job: renameNewest });
}

effect(() => {
  const progress = sampling.progress.value;
  setLabel(progress || (isHeld.value ? "Save live sample" : "Save sample"));
  button.title = progress ? "Cancel the sample" : "";
  button.setAttribute("aria-disabled", String(!isLive.value && !progress));
});

/** The number of the sample that was taken last on this page; null before the first. */
let newest = null;
/** Whether a sample is to be renamed as soon as the list has it. */
let isRenameAwaited = false;

/** Lets the user rename the sample that was taken last on this page, or else the newest one. */
export function renameNewest() {
  if (!mayChange) return;
  const isListed = newest === null ? taken.revision !== null : items.has(newest);
  if (state.isOverlay.value) choose("isOverlay", false);
  choose("tab", "samples");
  isRenameAwaited = true;
  if (isListed) renameAwaited();
  else taken.load(state.reading.value?.revisions.samples ?? null);
}

/** Renames the sample that is to be renamed, unless the list has yet to be loaded with it. */
function renameAwaited() {
  const item = items.get(newest ?? last.samples.at(-1)?.id);
  if (!isRenameAwaited || (!item && newest !== null)) return;
  isRenameAwaited = false;
  if (item) rename(item);
  else toast("There is no sample to rename");
}

/** How many samples the list shows at first, and how many more each click shows: a thousand take half a second. */
const pageSize = 60;

const list = element("sample-list");
const moreButton = element("more-samples");
const setMoreLabel = textSetter("more-samples");
/** The rows of the list, by the number of their sample. */
const items = new Map();
let limit = pageSize;
let last = { samples: [], problem: "" };
const taken = new Revisioned("api/samples", show);

/** Shows the newest samples, the newest first. Rows that are on the page stay, with their focus. */
function show(document) {
  last = document;
  const { problem } = document;
  const samples = document.samples.filter(({ id }) => !deletions.has(id));
  const listed = samples.slice(-limit);
  setProblem(problem ?? "");
  const numbers = new Set(listed.map(({ id }) => id));
  for (const [id, item] of items) {
    if (numbers.has(id)) continue;
    item.element.remove();
    items.delete(id);
  }
  let next = null;
  for (const sample of listed) {
    let item = items.get(sample.id);
    if (item) {
      item.show(sample);
    } else {
      item = new SampleItem(sample, {
        onPick: () => pick(item),
        onMore: (button) => openMenu(item, button),
        onRename: mayChange ? () => rename(item) : undefined,
      });
      items.set(sample.id, item);
      list.insertBefore(item.element, next);
    }
    next = item.element;
  }
  moreButton.hidden = samples.length <= limit;
  setMoreLabel(`Show ${Math.min(pageSize, samples.length - limit)} more of ${samples.length}`);
  element("no-samples").hidden = samples.length > 0;
  keepComparing(new Set([...items.values(), ...currentItems]));
  renameAwaited();
}

// The menu of a sample

const menu = /** @type {any} */ (element("sample-menu"));
/** The sample whose menu is open. */
let chosen = null;

function openMenu(item, button) {
  chosen = item;
  const picture = element("sample-picture", HTMLAnchorElement);
  picture.hidden = !item.sample.picture;
  picture.href = item.sample.picture ?? "";
  menu.showPopover({ source: button });
}

function inSampleMenu(id, job) {
  element(id).addEventListener("click", () => {
    menu.hidePopover();
    job(chosen);
  });
}

inSampleMenu("copy-sample", ({ sample }) => copyText(sample.hex));
if (mayChange) {
  inSampleMenu("rename-sample", rename);
  inSampleMenu("sample-as-target", async ({ sample }) => {
    if (await setTarget(shortened(sample.name), { sample: sample.id })) element("targets-tab").focus();
  });
  inSampleMenu("delete-sample", deleteSample);
}

function rename(item) {
  item.edit((name) => change(item.sample.id, "PATCH", { name }));
}

/** Changes a sample on the server. The next reading says that the list has changed. */
function change(id, method, body) {
  return tryFetch(`api/samples/${id}`, { method, body });
}

/** The numbers of samples that are no longer listed, and are deleted on the server once that can no longer be undone. */
const deletions = new Set();

function deleteSample(item) {
  const { id, name } = item.sample;
  const row = item.element;
  // The focus moves to the next row, or to the one before it.
  const neighbour = row.nextElementSibling ?? row.previousElementSibling;
  deletions.add(id);
  show(last);
  /** @type {HTMLElement} */ (neighbour?.querySelector(".square") ?? element("samples-tab")).focus();
  toast(`“${name}” deleted`, {
    job: () => {
      deletions.delete(id);
      show(last);
      items.get(id)?.more.focus();
    },
    onKeep: async () => {
      if (await change(id, "DELETE")) last.samples = last.samples.filter((sample) => sample.id !== id);
      deletions.delete(id);
      show(last);
    },
  });
}

addEventListener("pagehide", () => {
  for (const id of deletions) fetch(`api/samples/${id}`, { method: "DELETE", keepalive: true });
});

// The live and the held colour, which can be compared with samples

const current = element("current-list");
const liveItem = new SampleItem({ name: "Live", hex: "#000000" }, { onPick: () => pick(liveItem) });
const heldItem = new SampleItem({ name: "Held", hex: "#000000" }, { onPick: () => pick(heldItem) });
const currentItems = [liveItem, heldItem];
current.append(liveItem.element, heldItem.element);

const asSample = (name, reading) => ({
  name,
  hex: reading.hex,
  lab: reading.color?.lab,
  quality: reading.quality,
  // The scatter of single readings, which is what is known of one.
  standardError: reading.noise && { deltaE: reading.noise.deltaE },
});

const isOnTab = computed(() => state.tab.value === "samples");
/** What the row of the live colour shows of it. */
const liveFigures = computed(() => live.value && `${live.value.hex} ${live.value.noise?.deltaE.toFixed(2)}`);
effect(() => {
  if (isOnTab.value && liveFigures.value) untracked(() => liveItem.show(asSample("Live", live.value)));
});
effect(() => {
  const held = state.held.value;
  if (isOnTab.value && held) untracked(() => heldItem.show(asSample("Held", held.reading)));
});
effect(() => {
  liveItem.element.hidden = !isLive.value;
  heldItem.element.hidden = !isHeld.value;
  if (isOnTab.value) untracked(() => keepComparing(new Set([...items.values(), ...currentItems.filter((item) => !item.element.hidden)])));
});

moreButton.addEventListener("click", () => {
  const oldest = list.lastElementChild;
  limit += pageSize;
  show(last);
  // The button moves below the samples that it has shown, or is hidden.
  /** @type {HTMLElement | null} */ (oldest?.nextElementSibling?.querySelector(".square") ?? null)?.focus();
});
button.addEventListener("click", takeSample);
if (mayChange) {
  element("sample-form").addEventListener("submit", (event) => {
    event.preventDefault();
    samplesMenu().hidePopover();
    takeSample();
  });
}
effect(() => {
  if (isOnTab.value) taken.follow(state.reading.value?.revisions.samples);
});
