/** The recording: starting and stopping it, how long it has lasted, and its table. It runs on the server, for all pages. */

import { element, textSetter } from "../../lib/elements.js";
import { clockTime, elapsed, isToday } from "../../lib/formatting.js";
import { fetchJSON } from "../../lib/requests.js";
import { computed, effect } from "../../lib/signals.js";
import { toast, tryFetch } from "../messages.js";
import { mayChange, state } from "../state.js";
import { download } from "../tables.js";

const setTime = textSetter("recording-time");
const setTotal = textSetter("recording-total");
const setName = textSetter("recording-name");
const setLabel = textSetter("recording-label");
const setWords = textSetter("recording-words");

/** The longest time that can be chosen here for a recording, in milliseconds. */
const longest = 7 * 86_400_000;

/** The recording that runs; null if none does. */
const recording = computed(() => state.reading.value?.recording ?? null);
const isRunning = computed(() => recording.value !== null);
effect(() => {
  element("recording").hidden = element("recording-card").hidden = !isRunning.value;
  if (isRunning.value) element("recording-csv").hidden = false;
  if (!mayChange) return;
  element("record").toggleAttribute("data-on", isRunning.value);
  element("record-label").textContent = isRunning.value ? "Stop" : "Record";
});

/** The milliseconds after which a recording ends by itself; null if they are so many that nobody has chosen them. */
function lengthOf({ since, endsBy }) {
  const total = Date.parse(endsBy) - Date.parse(since);
  return total > longest ? null : total;
}

/** When a recording ends by itself, in words. */
function end(recording) {
  if (lengthOf(recording) === null) return "";
  const time = new Date(recording.endsBy);
  return ` It ends at ${clockTime(time)}${isToday(time) ? "" : `, ${time.toLocaleDateString()}`}.`;
}

effect(() => {
  if (!recording.value) return;
  const { time, rate } = state.reading.value;
  const { name, since } = recording.value;
  setTime(elapsed((Date.parse(time) - Date.parse(since)) / 1000));
  const total = lengthOf(recording.value);
  setTotal(total === null ? "" : `of ${elapsed(total / 1000)}`);
  setName(name);
  setLabel(name);
  const rateText = rate?.wanted >= 1 ? `${Number(rate.wanted.toFixed(1))} a second` : `one every ${Number((1 / rate.wanted).toFixed(1))} s`;
  setWords(`Since ${clockTime(new Date(since))}, ${rateText}. It continues when this page is closed.${end(recording.value)}`);
});

if (mayChange) {
  const form = /** @type {any} */ (element("recording-form"));
  const title = element("recording-title", HTMLInputElement);
  const length = element("recording-length", HTMLSelectElement);
  element("record").addEventListener("click", async (event) => {
    if (!isRunning.value) {
      form.showPopover({ source: event.currentTarget });
      title.focus();
      return;
    }
    const ended = await tryFetch("api/recording", { method: "DELETE" });
    if (!ended) return;
    toast(`“${ended.recording.name}” has ended`, { label: "Download", job: () => download(element("recording-csv", HTMLAnchorElement)) });
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = title.value.trim();
    const body = { ...(name && { name }), ...(length.value && { duration: Number(length.value) }) };
    const begun = await tryFetch("api/recording", { method: "POST", body });
    if (!begun) return;
    title.value = length.value = "";
    form.hidePopover();
    element("record").focus();
    // What to do about it is in the history's menu.
    const ending = end(begun.recording);
    toast(`${begun.problem?.split(/(?<=\.) /)[0] ?? `The recording has started${ending && "."}`}${ending}`);
  });
}

// The table of the last recording can be had after it has ended, too.
element("history-menu").addEventListener("beforetoggle", async (event) => {
  if (/** @type {any} */ (event).newState !== "open") return;
  try {
    const { recording } = await fetchJSON("api/recording");
    element("recording-csv").hidden = !recording;
    element("recording-csv").textContent = `Download “${recording?.name}” as CSV`;
  } catch {
    // It stays as it is until the menu is opened again.
  }
});
