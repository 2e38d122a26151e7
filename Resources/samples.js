/** Samples: taking one, and the list of those that were taken. */

import { element, ifChanged, textSetter } from "./elements.js";
import { toast } from "./messages.js";
import { fetchJSON } from "./requests.js";
import { SampleItem } from "./sample-item.js";
import { followReadings, mayChange, store } from "./state.js";

const button = element("sample");
const nameField = element("sample-name", HTMLInputElement);
const countField = element("sample-readings", HTMLInputElement);
const setLabel = textSetter("sample");
const setProblem = textSetter("samples-problem");

/** The sample under way: how many readings it needs, how many have come, and what cancels it; null if there is none. */
let sampling = null;

/** Takes a sample, or cancels the one under way. */
export async function takeSample() {
  if (!mayChange) return;
  if (sampling) {
    sampling.controller.abort();
    return;
  }
  if (!countField.reportValidity()) return;
  const controller = new AbortController();
  const name = nameField.value;
  sampling = { controller, count: 0, wanted: countField.valueAsNumber };
  showProgress();
  try {
    const sample = await fetchJSON("/api/samples", {
      method: "POST",
      body: { name, readings: sampling.wanted },
      signal: controller.signal,
    });
    // The next name may have been entered meanwhile.
    if (nameField.value === name) nameField.value = "";
    toast(`Sample ${sample.name}: ${sample.hex}`);
  } catch (problem) {
    toast(controller.signal.aborted ? "The sample was cancelled" : problem.message);
  } finally {
    sampling = null;
    showProgress();
  }
}

function showProgress() {
  button.toggleAttribute("data-on", Boolean(sampling));
  setLabel(sampling ? `${Math.min(sampling.count, sampling.wanted)} of ${sampling.wanted}` : "Sample");
  button.title = sampling ? "Cancel the sample" : "";
}

/** How many samples the list shows at first, and how many more each click shows: a thousand take half a second. */
const pageSize = 60;

const list = element("sample-list");
const moreButton = element("more-samples");
const setMoreLabel = textSetter("more-samples");
/** The items of the list, by the number of their sample. */
const items = new Map();
let limit = pageSize;
let last = { samples: [], problem: "" };
let revision = null;

/** Shows the newest samples, the newest first. Items that are on the page stay, with their focus. */
function show(document) {
  last = document;
  const { samples, problem } = document;
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
      item = new SampleItem(sample);
      items.set(sample.id, item);
      list.insertBefore(item.element, next);
    }
    next = item.element;
  }
  moreButton.hidden = samples.length <= limit;
  setMoreLabel(`Show ${Math.min(pageSize, samples.length - limit)} more of ${samples.length}`);
  element("no-samples").hidden = samples.length > 0;
  element("sample-links").hidden = samples.length === 0;
}

async function load(wanted) {
  revision = wanted;
  try {
    const document = await fetchJSON("/api/samples");
    if (revision === wanted) show(document);
  } catch {
    // The next reading tries again.
    revision = null;
  }
}

moreButton.addEventListener("click", () => {
  const oldest = list.lastElementChild;
  limit += pageSize;
  show(last);
  // The button moves below the samples that it has shown, or is hidden.
  /** @type {HTMLElement | null} */ (oldest?.nextElementSibling?.querySelector("button") ?? null)?.focus();
});
button.addEventListener("click", takeSample);
element("sample-form").addEventListener("submit", (event) => {
  event.preventDefault();
  takeSample();
});
followReadings(({ revisions, frame }) => {
  if (sampling && frame) {
    sampling.count += 1;
    showProgress();
  }
  if (store.state.tab === "samples" && revisions.samples !== revision) load(revisions.samples);
});
const follow = ifChanged((tab) => {
  const wanted = store.state.reading?.revisions.samples;
  if (tab === "samples" && wanted !== undefined && wanted !== revision) load(wanted);
});
store.follow(({ tab }) => follow(tab));
