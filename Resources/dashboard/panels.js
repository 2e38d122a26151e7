/** The tabs below the readout, and the facts about camera and readings in one of them. */

import { element, textSetter } from "../lib/elements.js";
import { clockTime, none } from "../lib/formatting.js";
import { effect } from "../lib/signals.js";
import { choose, mayChange, state } from "./state.js";

const tabs = /** @type {HTMLElement[]} */ ([...element("tabs").querySelectorAll("[role=tab]")]);
const names = tabs.map(({ id }) => id.replace("-tab", ""));
if (!names.includes(state.tab.value)) state.tab.value = "samples";

effect(() => {
  const chosen = state.tab.value;
  for (const [index, name] of names.entries()) {
    const isChosen = name === chosen;
    tabs[index].setAttribute("aria-selected", String(isChosen));
    tabs[index].tabIndex = isChosen ? 0 : -1;
    element(`${name}-panel`).hidden = !isChosen;
  }
  element("statistics-help").hidden = chosen !== "statistics";
  if (mayChange) element("samples-more").hidden = chosen !== "samples";
});

element("tabs").addEventListener("keydown", (event) => {
  const index = tabs.indexOf(/** @type {HTMLElement} */ (event.target));
  const moves = { ArrowRight: index + 1, ArrowLeft: index - 1 + tabs.length, Home: 0, End: tabs.length - 1 };
  const next = moves[event.key];
  if (index < 0 || next === undefined) return;
  event.preventDefault();
  const tab = tabs[next % tabs.length];
  tab.focus();
  tab.click();
});
for (const [index, tab] of tabs.entries()) tab.addEventListener("click", () => choose("tab", names[index]));

const details = Object.fromEntries(
  ["camera-name", "camera-device", "frame-format", "colorimetry", "frame-size", "capture-rate", "reading-rate", "time"]
    .map((id) => [id, textSetter(id)]),
);
const time = element("time", HTMLTimeElement);

// The facts cost nothing while they are not on the screen.
effect(() => {
  if (state.tab.value !== "about" || !state.reading.value) return;
  const { camera, frame, rate, time: capturedAt } = state.reading.value;
  const isCurrent = !state.silence.value && Boolean(frame);
  details["camera-name"](camera?.name ?? none);
  details["camera-device"](camera?.device ?? none);
  details["frame-format"](frame?.format ?? none);
  details.colorimetry(frame?.colorimetry ?? none);
  details["frame-size"](frame ? `${frame.picture.width} × ${frame.picture.height}` : none);
  details["capture-rate"](isCurrent ? rate.capture.toFixed(1) : none);
  details["reading-rate"](isCurrent ? rate.reading.toFixed(1) : none);
  details.time(clockTime(state.time.value));
  time.dateTime = capturedAt;
});
