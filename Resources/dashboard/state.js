/** The state of the dashboard, which readings and the user change, and what follows from it. */

import { labText, textColorOn } from "../lib/colors.js";
import { element } from "../lib/elements.js";
import { refusedSocket } from "../lib/feed.js";
import { clockTime, duration, stateLabels } from "../lib/formatting.js";
import { Preference } from "../lib/preference.js";
import { batch, computed, effect, isSameJSON, signal, untracked } from "../lib/signals.js";

export const dashboard = element("dashboard");
/** Whether the user may change what all pages share. */
export const mayChange = dashboard.dataset.access === "control";

const preferences = {
  notation: new Preference("notation"),
  tab: new Preference("tab"),
  target: new Preference("target"),
  showsPictures: new Preference("show-pictures"),
  showsSparkles: new Preference("show-sparkles"),
  isOverlay: new Preference("overlay"),
  isExpanded: new Preference("expanded"),
  usesShortcuts: new Preference("shortcuts"),
  showsCalibrated: new Preference("calibrated"),
};

export const state = {
  /** The last reading, and when it was captured. */
  reading: signal(null),
  time: signal(null),
  /** Whether a reading has come over the connection. The first one comes with the page. */
  isConnected: signal(false),
  /** The silence since the last reading; null while readings are current. */
  silence: signal(null),
  /** The reading that is held, when it was captured, and since when; null while the newest one is shown. */
  held: signal(null),
  /** The size of the live picture; null while there is none. */
  size: signal(null),
  region: signal([0, 0, 1, 1]),
  effect: signal(dashboard.dataset.effect),
  isSelecting: signal(false),
  /** Whether the pointer sets probes on the picture. */
  isAddingProbes: signal(false),
  /** The probes that are set, each with its name, region and whether it is the reference. */
  probes: signal([], isSameJSON),
  notation: signal(preferences.notation.read("oklch")),
  tab: signal(preferences.tab.read("samples")),
  /** The name of the target that is shown beside the colour; empty if none is. */
  target: signal(preferences.target.read("")),
  showsPictures: signal(preferences.showsPictures.read("true") === "true"),
  showsSparkles: signal(preferences.showsSparkles.read("false") === "true"),
  isOverlay: signal(preferences.isOverlay.read("false") === "true"),
  /** Whether the history is large and the picture small. */
  isExpanded: signal(preferences.isExpanded.read("false") === "true"),
  usesShortcuts: signal(preferences.usesShortcuts.read("true") === "true"),
  /** Whether the calibrated colour is in the swatch, and not the one that was read. */
  showsCalibrated: signal(preferences.showsCalibrated.read("false") === "true"),
};

/** Changes several values at once. */
export function update(changes) {
  batch(() => {
    for (const [key, value] of Object.entries(changes)) state[key].value = value;
  });
}

/** Changes a choice that this browser remembers. */
export function choose(key, value) {
  preferences[key].write(value);
  state[key].value = value;
}

/** Calls a function with each reading that comes over the connection. */
export function followReadings(listener) {
  effect(() => {
    const reading = state.reading.value;
    if (state.isConnected.value) untracked(() => listener(reading));
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

/** The newest reading if it is current and has a colour, or else null. */
export const live = computed(() => (!state.silence.value && state.reading.value?.rgb ? state.reading.value : null));
export const isLive = computed(() => Boolean(live.value));
export const isHeld = computed(() => Boolean(state.held.value));

/** The reading whose colour is shown: the held one, or else the live one; null if there is none. */
export const shown = computed(() => state.held.value?.reading ?? live.value);

/** The probes whose middle is in a region, which a grid needs to cover them all. */
export function coveredProbes([x, y, width, height]) {
  return state.probes.value.filter(({ region: [left, top, w, h] }) => {
    const [dx, dy] = [left + w / 2 - x, top + h / 2 - y];
    return dx > 0 && dx < width && dy > 0 && dy < height;
  });
}

/** What the newest reading says of the target that is shown beside the colour; null if there is none, or a colour is held. */
export const shownTarget = computed(() => {
  const name = state.target.value;
  return (name && !isHeld.value && state.reading.value?.targets?.find((target) => target.name === name)) || null;
});

/** Whether the swatch has the calibrated colour. Beside a target it has the colour that is judged. */
export const isCalibrated = computed(() => state.showsCalibrated.value && !shownTarget.value && Boolean(shown.value?.calibrated));

/** A reading with the colour that the swatch shows of it; null if it has none. */
export function inSwatch(reading) {
  const calibrated = reading?.calibrated;
  if (!isCalibrated.value || !calibrated) return reading;
  const { hex, rgb, lab } = calibrated;
  return { ...reading, hex, rgb, textColor: textColorOn(hex), color: { lab, css: { lab: labText(lab) } } };
}

/** The reading whose colour is shown, with the colour that is in the swatch; null if there is none. */
export const displayed = computed(() => inSwatch(shown.value));

/** The state of the newest reading, its label, and what is wrong; null before the first reading. */
export const condition = computed(() => {
  const [reading, silence] = [state.reading.value, state.silence.value];
  if (silence) {
    const since = `No reading since ${clockTime(silence.since)}`;
    return {
      state: "stale",
      label: silence.isConnected ? "No reading" : silence.isRefused ? "WebSocket refused" : "Connection lost",
      message: silence.isRefused
        ? `${since} (${duration(silence.seconds)}). ${refusedSocket}`
        : `${since} (${duration(silence.seconds)}). This page reconnects by itself.`,
      announcement: since,
    };
  }
  if (!reading) return null;
  const label = stateLabels[reading.state] ?? reading.state;
  return { state: reading.state, label, message: reading.message ?? "", announcement: reading.message ?? "" };
}, isSameJSON);
