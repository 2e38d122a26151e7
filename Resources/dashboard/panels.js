/** The tabs below the readout, and the facts about camera and readings in one of them. */

import { element, ifChanged, textSetter } from "../lib/elements.js";
import { clockTime, none } from "../lib/formatting.js";
import { setPreference, store } from "./state.js";

const tabs = /** @type {HTMLElement[]} */ ([...element("tabs").querySelectorAll("[role=tab]")]);
const names = tabs.map(({ id }) => id.replace("-tab", ""));
if (!names.includes(store.state.tab)) store.update({ tab: "samples" });

const showTabPanel = ifChanged((chosen) => {
  for (const [index, name] of names.entries()) {
    const isChosen = name === chosen;
    tabs[index].setAttribute("aria-selected", String(isChosen));
    tabs[index].tabIndex = isChosen ? 0 : -1;
    element(`${name}-panel`).hidden = !isChosen;
  }
  element("statistics-help").hidden = chosen !== "statistics";
  document.getElementById("samples-more")?.toggleAttribute("hidden", chosen !== "samples");
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
for (const [index, tab] of tabs.entries()) tab.addEventListener("click", () => setPreference("tab", "tab", names[index]));

const details = Object.fromEntries(
  ["camera-name", "camera-device", "frame-format", "colorimetry", "frame-size", "capture-rate", "reading-rate", "time"]
    .map((id) => [id, textSetter(id)]),
);
const time = element("time", HTMLTimeElement);

/** Shows the facts, which cost nothing while they are not on the screen. */
function showDetails({ reading, time: capturedAt, silence, tab }) {
  if (tab !== "about" || !reading) return;
  const { camera, frame, rate } = reading;
  const isCurrent = !silence && Boolean(frame);
  details["camera-name"](camera?.name ?? none);
  details["camera-device"](camera?.device ?? none);
  details["frame-format"](frame?.format ?? none);
  details.colorimetry(frame?.colorimetry ?? none);
  details["frame-size"](frame ? `${frame.picture.width} × ${frame.picture.height}` : none);
  details["capture-rate"](isCurrent ? rate.capture.toFixed(1) : none);
  details["reading-rate"](isCurrent ? rate.reading.toFixed(1) : none);
  details.time(clockTime(capturedAt));
  time.dateTime = reading.time;
}

store.follow((state) => {
  showTabPanel(state.tab);
  showDetails(state);
});
