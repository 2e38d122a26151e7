/** The recording: starting and stopping it, how long it has lasted, and its table. It runs on the server, for all pages. */

import { element, ifChanged, textSetter } from "./elements.js";
import { clockTime } from "./formatting.js";
import { toast } from "./messages.js";
import { fetchJSON } from "./requests.js";
import { followReadings, mayChange } from "./state.js";
import { download } from "./tables.js";

const setTime = textSetter("recording-time");
const setName = textSetter("recording-name");
const setLabel = textSetter("recording-label");
const setWords = textSetter("recording-words");

/** Hours, minutes and seconds, such as 00:12:41. */
function elapsed(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  return [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

/** The start of the recording that runs; null if none does. */
let since = null;

const show = ifChanged((isRunning) => {
  element("recording").hidden = element("recording-card").hidden = !isRunning;
  if (isRunning) element("recording-csv").hidden = false;
  const button = document.getElementById("record");
  button?.toggleAttribute("data-on", isRunning);
  if (button) element("record-label").textContent = isRunning ? "Stop" : "Record";
});

followReadings(({ recording, time, rate }) => {
  since = recording?.since ?? null;
  show(Boolean(recording));
  if (!recording) return;
  setTime(elapsed(Date.parse(time) - Date.parse(since)));
  setName(recording.name);
  setLabel(recording.name);
  const rateText = rate?.wanted >= 1 ? `${Number(rate.wanted.toFixed(1))} a second` : `one every ${Number((1 / rate.wanted).toFixed(1))} s`;
  setWords(`Since ${clockTime(new Date(since))}, ${rateText}. It continues when this page is closed.`);
});

if (mayChange) {
  const form = /** @type {any} */ (element("recording-form"));
  const title = element("recording-title", HTMLInputElement);
  element("record").addEventListener("click", async (event) => {
    if (!since) {
      form.showPopover({ source: event.currentTarget });
      title.focus();
      return;
    }
    try {
      const { recording } = await fetchJSON("/api/recording", { method: "DELETE" });
      toast(`“${recording.name}” has ended`, { label: "Download", job: () => download(element("recording-csv", HTMLAnchorElement)) });
    } catch (problem) {
      toast(problem.message);
    }
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = title.value.trim();
    try {
      const { problem } = await fetchJSON("/api/recording", { method: "POST", body: name ? { name } : {} });
      title.value = "";
      form.hidePopover();
      element("record").focus();
      // What to do about it is in the history's menu.
      toast(problem?.split(/(?<=\.) /)[0] ?? "The recording has started");
    } catch (problem) {
      toast(problem.message);
    }
  });
}

// The table of the last recording can be had after it has ended, too.
element("history-menu").addEventListener("beforetoggle", async (event) => {
  if (/** @type {any} */ (event).newState !== "open") return;
  try {
    const { recording } = await fetchJSON("/api/recording");
    element("recording-csv").hidden = !recording;
  } catch {
    // It stays as it is until the menu is opened again.
  }
});
