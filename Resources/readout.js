/** The readout: the colour in figures and words, or why there is none, and the notices. */

import { element, ifChanged, make, textSetter } from "./elements.js";
import { clockTime } from "./formatting.js";
import { dashboard, describeState, notations, shownReading } from "./state.js";

const none = "–";

const set = Object.fromEntries(
  [
    "state", "hex", "r", "g", "b", "notation-value", "name", "near", "brightness", "notice-title", "notice-message", "remark",
    "last-seen-hex", "held-since", "live-hex",
  ].map((id) => [id, textSetter(id)]),
);
const attribute = (id, name) => ifChanged((value) => element(id).setAttribute(name, value));
const setFill = attribute("color", "fill");
const setHeldFill = attribute("held-color", "fill");
const setLastSeenFill = attribute("last-seen-color", "fill");
const level = element("level");
const setLevel = ifChanged((value) => {
  level.style.scale = `${value} 1`;
});
const notation = element("notation", HTMLSelectElement);
const setNotations = ifChanged((names) => {
  for (const option of notation.options) option.hidden = option.disabled = !names.includes(option.value);
});
const setNotation = ifChanged((name) => {
  notation.value = name;
});

let focused = null;
const showState = ifChanged((key) => {
  const [state, hasColor, isHeld] = key.split(" ");
  // Hiding the focused button would lose the focus: it returns with the button.
  const active = document.activeElement;
  if (hasColor !== "true" && active?.closest(".values")) focused = active;
  dashboard.dataset.state = state;
  dashboard.toggleAttribute("data-color", hasColor === "true");
  dashboard.toggleAttribute("data-held", isHeld === "true");
  element("halves").hidden = isHeld !== "true";
  if (hasColor === "true" && focused) {
    if (document.activeElement === document.body) focused.focus({ preventScroll: true });
    focused = null;
  }
});

/** Sets the text that screen readers announce. */
export const setAnnouncement = textSetter("announcer");

/** Announces a change of state to screen readers, but not the values, which change all the time. */
const announceState = (() => {
  let last = element("state").textContent;
  return (label, message) => {
    if (label === last) return;
    last = label;
    setAnnouncement(message ? `${label}. ${message}` : label);
  };
})();

/** Shows the newest reading or the held one, or says what is wrong. */
export function showReadout(state) {
  const { held, reading, silence } = state;
  if (!reading && !silence) return;
  const color = shownReading(state);
  const { state: name, label, message, announcement } = describeState(state);
  const live = !silence && reading.rgb ? reading : null;

  showState(`${name} ${Boolean(color)} ${Boolean(held)}`);
  set.state(label);
  set["notice-title"](color ? "" : label);
  set["notice-message"](color ? "" : message);
  set.remark(color && (held || name !== "stale") ? message : "");
  setFill(live?.hex ?? "none");
  setHeldFill(held ? held.reading.hex : "none");
  set["held-since"](held ? `Held since ${clockTime(held.since)}` : "");
  if (held) set["live-hex"](live?.hex ?? none);
  showLastSeen(color ? null : silence && reading);
  announceState(label, announcement);
  showColor(color, state.notation);
  showNotices(reading?.notices ?? []);
}

/** Shows the values of a reading; null if there is none. */
function showColor(reading, notationName) {
  set.brightness(reading ? String(Math.round(reading.brightness * 100)) : none);
  setLevel(reading ? reading.brightness : 0);
  if (!reading) return;
  set.hex(reading.hex);
  for (const channel of ["r", "g", "b"]) set[channel](String(reading.rgb[channel]));
  const values = notations(reading);
  setNotations(Object.keys(values).filter((key) => values[key]).join(" "));
  const chosen = values[notationName] ? notationName : "rgb";
  setNotation(chosen);
  set["notation-value"](values[chosen]);
  const name = reading.color?.name;
  set.name(name?.plain ?? "");
  set.near(name ? `${name.css} ΔE ${name.deltaE.toFixed(1)}` : "");
}

/** Shows the last colour while there is no current one: small, hatched and labelled. */
const showLastSeen = ifChanged((reading) => {
  element("last-seen").hidden = !reading?.hex;
  set["last-seen-hex"](reading?.hex ?? "");
  setLastSeenFill(reading?.hex ?? "none");
});

// Screen readers announce notices again whenever their elements change.
const writeNotices = ifChanged((json) => {
  element("notices").replaceChildren(...JSON.parse(json).map(({ topic, message }) => {
    const line = make("p", { text: message });
    line.dataset.topic = topic;
    return line;
  }));
});
const showNotices = ifChanged((notices) => writeNotices(JSON.stringify(notices)));
