/** The state of the dashboard, which readings and the user change, and what follows from it. */

import { element, ifChanged } from "../lib/elements.js";
import { clockTime, duration, stateLabels } from "../lib/formatting.js";
import { Preference } from "../lib/preference.js";
import { Store } from "./store.js";

export const dashboard = element("dashboard");
/** Whether the user may change what all pages share. */
export const mayChange = dashboard.dataset.access === "control";

const preferences = Object.fromEntries(
  ["notation", "tab", "show-pictures", "show-sparkles", "overlay", "expanded", "shortcuts", "target"].map((name) => [name, new Preference(name)]),
);

export const store = new Store({
  /** The last reading, and when it was captured. */
  reading: null,
  time: null,
  /** Whether a reading has come over the connection. The first one comes with the page. */
  isConnected: false,
  /** The silence since the last reading; null while readings are current. */
  silence: null,
  /** The reading that is held, when it was captured, and since when; null while the newest one is shown. */
  held: null,
  /** The size of the live picture; null while there is none. */
  size: null,
  region: [0, 0, 1, 1],
  effect: dashboard.dataset.effect,
  isSelecting: false,
  /** Whether the pointer sets probes on the picture. */
  isAddingProbes: false,
  notation: preferences.notation.read("oklch"),
  tab: preferences.tab.read("samples"),
  /** The name of the target that is shown beside the colour; empty if none is. */
  target: preferences.target.read(""),
  showsPictures: preferences["show-pictures"].read("true") === "true",
  showsSparkles: preferences["show-sparkles"].read("false") === "true",
  isOverlay: preferences.overlay.read("false") === "true",
  /** Whether the history is large and the picture small. */
  isExpanded: preferences.expanded.read("false") === "true",
  usesShortcuts: preferences.shortcuts.read("true") === "true",
});

/** Changes a choice that this browser remembers. */
export function setPreference(name, key, value) {
  preferences[name].write(value);
  store.update({ [key]: value });
}

/** Calls a function with each reading that comes over the connection. */
export function followReadings(listener) {
  const follow = ifChanged(listener);
  store.follow(({ reading, isConnected }) => {
    if (isConnected) follow(reading);
  });
}

const changeChecks = [];

/** Adds a function that says whether the user is changing a setting, so that readings still have the old value. */
export function addChangeCheck(isChanging) {
  changeChecks.push(isChanging);
}

/** Whether the user is changing a setting that readings have, too. */
export function isUserChanging() {
  return changeChecks.some((isChanging) => isChanging());
}

/** The reading whose colour is shown: the held one, or the newest one unless it is stale; null if there is none. */
export function shownReading({ held, reading, silence }) {
  if (held) return held.reading;
  return !silence && reading?.rgb ? reading : null;
}

/** What the newest reading says of the target that is shown beside the colour; null if there is none, or a colour is held. */
export function shownTarget({ held, reading, target }) {
  return (target && !held && reading?.targets?.find(({ name }) => name === target)) || null;
}

/** The state of the newest reading, its label, and what is wrong. */
export function describeState({ reading, silence }) {
  if (silence) {
    const since = `No reading since ${clockTime(silence.since)}`;
    return {
      state: "stale",
      label: silence.isConnected ? "No reading" : "Connection lost",
      message: `${since} (${duration(silence.seconds)}). This page reconnects by itself.`,
      announcement: since,
    };
  }
  const label = stateLabels[reading.state] ?? reading.state;
  return { state: reading.state, label, message: reading.message ?? "", announcement: reading.message ?? "" };
}
