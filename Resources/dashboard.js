/** The dashboard: what it shows is a function of its state, which readings and the user change. */

import { CameraChoice, Controls } from "./camera.js";
import { ReadingFeed } from "./feed.js";
import { clockTime, copy, duration, element, embedded, fetchJSON, icon, labels, make, onChange, Preference, Store, textOf, Throttle } from "./kit.js";
import { Picture, RegionEditor, Sparkles } from "./picture.js";

const none = "–";
const noColorTheme = "#808080";
/** The time between two changes of the browser's tab, in milliseconds. */
const tabPeriod = 2_000;
/** How long a message stays, and one with a button, in milliseconds. */
const messageTime = 2_500;
const undoTime = 8_000;

const dashboard = element("dashboard");
const instrument = element("instrument");
const mayChange = dashboard.dataset.access === "control";

const preferences = Object.fromEntries(
  ["notation", "tab", "show-pictures", "show-sparkles", "overlay", "shortcuts"].map((name) => [name, new Preference(name)]),
);

const store = new Store({
  /** The last reading, and when it was captured. */
  reading: null,
  time: null,
  /** Whether a reading has come over the connection. The first one comes with the page. */
  isConnected: false,
  /** Since when there is no reading; null while readings are current. */
  silence: null,
  /** The reading that is held, when it was captured, and since when; null while the newest one is shown. */
  held: null,
  /** The size of the live picture; null while there is none. */
  size: null,
  region: [0, 0, 1, 1],
  effect: dashboard.dataset.effect,
  isSelecting: false,
  notation: preferences.notation.read("oklch"),
  tab: preferences.tab.read("effect"),
  showsPictures: preferences["show-pictures"].read("true") === "true",
  showsSparkles: preferences["show-sparkles"].read("false") === "true",
  isOverlay: preferences.overlay.read("false") === "true",
  usesShortcuts: preferences.shortcuts.read("true") === "true",
});

/** Changes a choice that this browser remembers. */
function choose(name, key, value) {
  preferences[name].write(value);
  store.update({ [key]: value });
}

// Messages

const setToast = textOf("toast");
const setAnnouncement = textOf("announcer");
let toastTimer = 0;
let undo = null;

/** Shows a message for a short time. Screen readers announce it once. */
function toast(text, undoes = null) {
  clearTimeout(toastTimer);
  setToast(text);
  undo = undoes;
  element("undo").hidden = !undoes;
  toastTimer = setTimeout(() => {
    // The button does not vanish under the pointer or the focus.
    if (undo && element("toast-box").matches(":hover, :focus-within")) toast(text, undo);
    else clearToast();
  }, undoes ? undoTime : messageTime);
}

function clearToast() {
  clearTimeout(toastTimer);
  setToast("");
  undo = null;
  element("undo").hidden = true;
}

element("undo").addEventListener("click", () => {
  const job = undo;
  clearToast();
  job?.();
});

/** Lets screen readers say a text once, also when it is the same as before. */
function announce(text) {
  setAnnouncement("");
  setTimeout(() => setAnnouncement(text), 50);
}

// What is shown: the held reading, or the newest one unless it is stale

/** The reading whose colour the readout shows; null if there is none. */
function shown({ held, reading, silence }) {
  if (held) return held.reading;
  return !silence && reading?.rgb ? reading : null;
}

/** The state of the newest reading, its label, and what is wrong. */
function condition({ reading, silence }) {
  if (silence) {
    const since = `No reading since ${clockTime(silence.since)}`;
    return {
      state: "stale",
      label: silence.isConnected ? "No reading" : "Connection lost",
      message: `${since} (${duration(silence.seconds)}). This page reconnects by itself.`,
      announcement: since,
    };
  }
  const label = labels[reading.state] ?? reading.state;
  return { state: reading.state, label, message: reading.message ?? "", announcement: reading.message ?? "" };
}

/** The notations of the colour of a reading, by name. */
function notations({ hex, rgb, color }) {
  const { hsl, hwb, lab, lch, oklab, oklch } = color ?? {};
  return { hex, rgb: `rgb(${rgb.r} ${rgb.g} ${rgb.b})`, hsl, hwb, lab, lch, oklab, oklch };
}

// The readout

const set = Object.fromEntries(
  [
    "state", "hex", "r", "g", "b", "notation-value", "name", "near", "brightness", "notice-title", "notice-message", "remark",
    "last-seen-hex", "held-since", "live-hex",
  ].map((id) => [id, textOf(id)]),
);
const attribute = (id, name) => onChange((value) => element(id).setAttribute(name, value));
const setFill = attribute("color", "fill");
const setHeldFill = attribute("held-color", "fill");
const setLastSeenFill = attribute("last-seen-color", "fill");
const setLevel = onChange((value) => {
  element("level").style.scale = `${value} 1`;
});
const notation = element("notation", HTMLSelectElement);
const setNotations = onChange((names) => {
  for (const option of notation.options) option.hidden = option.disabled = !names.includes(option.value);
});
let focused = null;
const setCondition = onChange((key) => {
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
/** Announces a change of state to screen readers, but not the values, which change all the time. */
const announceState = (() => {
  let last = element("state").textContent;
  return (label, message) => {
    if (label === last) return;
    last = label;
    setAnnouncement(message ? `${label}. ${message}` : label);
  };
})();

function showReadout(state) {
  const { held, reading, silence } = state;
  const color = shown(state);
  const { state: name, label, message, announcement } = condition(state);
  const live = !silence && reading.rgb ? reading : null;

  setCondition(`${name} ${Boolean(color)} ${Boolean(held)}`);
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
  set.brightness(color ? String(Math.round(color.brightness * 100)) : none);
  setLevel(color ? color.brightness : 0);
  if (!color) return;

  set.hex(color.hex);
  for (const channel of ["r", "g", "b"]) set[channel](String(color.rgb[channel]));
  const values = notations(color);
  setNotations(Object.keys(values).filter((key) => values[key]).join(" "));
  const chosen = values[state.notation] ? state.notation : "rgb";
  if (notation.value !== chosen) notation.value = chosen;
  set["notation-value"](values[chosen]);
  set.name(color.color?.name?.plain ?? "");
  const near = color.color?.name;
  set.near(near ? `${near.css} ΔE ${near.deltaE.toFixed(1)}` : "");
}

/** The last colour, when there is no current one, is small, hatched and labelled. */
const showLastSeen = onChange((reading) => {
  element("last-seen").hidden = !reading?.hex;
  set["last-seen-hex"](reading?.hex ?? "");
  setLastSeenFill(reading?.hex ?? "none");
});

// The browser's tab

const setTitle = onChange((title) => {
  document.title = title;
});
const themeColor = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=theme-color]"));
const setTheme = onChange((color) => {
  themeColor.content = color;
});
const setIcon = onChange((hex) => {
  element("icon", HTMLLinkElement).href = icon(hex);
});
let tabTimer = 0;
let tabAt = -tabPeriod;
let tabState = "";

/** Shows the colour in the tab: at once if the state changes, otherwise at most every two seconds. */
function showTab(state) {
  const key = `${condition(state).state} ${Boolean(state.held)}`;
  if (key !== tabState) tabAt = -tabPeriod;
  tabState = key;
  const rest = tabAt + tabPeriod - performance.now();
  if (rest > 0) {
    tabTimer ||= setTimeout(() => writeTab(store.state), rest);
    return;
  }
  writeTab(state);
}

function writeTab(state) {
  clearTimeout(tabTimer);
  tabTimer = 0;
  tabAt = performance.now();
  const color = shown(state);
  const name = color?.hex ?? condition(state).label;
  setTitle(`${state.held ? `Held ${name}` : name} · Swatchcam`);
  setTheme(color?.hex ?? noColorTheme);
  setIcon(color?.hex ?? null);
}

// Hold

const holdButton = element("hold");
const setHoldLabel = textOf("hold");
const showHold = onChange((isHeld) => {
  holdButton.toggleAttribute("data-on", isHeld);
  setHoldLabel(isHeld ? "Continue" : "Hold");
});

function toggleHold() {
  const { held, reading, time, silence } = store.state;
  if (held) {
    store.update({ held: null });
    announce("Readings continue.");
    return;
  }
  if (silence || !reading?.rgb) {
    toast("There is no reading to hold");
    return;
  }
  const since = new Date();
  store.update({ held: { reading, time, since } });
  announce(`Held since ${clockTime(since)}. ${spoken(reading)}`);
}

function spoken({ hex, color }) {
  const name = color?.name?.plain;
  return name ? `${hex}, ${name}.` : `${hex}.`;
}

function readOut() {
  const color = shown(store.state);
  announce(color ? spoken(color) : condition(store.state).label);
}

holdButton.addEventListener("click", toggleHold);
element("read-out").addEventListener("click", readOut);

// Copying

async function copyValue(value) {
  toast((await copy(value)) ? `Copied ${value}` : "This browser does not allow copying");
}

function copyNotation(name) {
  const color = shown(store.state);
  if (!color) return;
  const values = notations(color);
  copyValue(values[name] ?? values.rgb);
}

element("copy-hex").addEventListener("click", () => copyNotation("hex"));
element("copy-rgb").addEventListener("click", () => copyNotation("rgb"));
element("copy-notation").addEventListener("click", () => copyNotation(store.state.notation));
notation.addEventListener("change", () => choose("notation", "notation", notation.value));

// Notices

const showNotices = onChange((key) => {
  // Screen readers announce them again whenever the elements change.
  element("notices").replaceChildren(...JSON.parse(key).map(({ topic, message }) => {
    const line = make("p", { text: message });
    line.dataset.topic = topic;
    return line;
  }));
});

// Settings that all pages share: the region and the effect

const throttle = new Throttle();
let changes = null;

/** Changes some settings soon. The newest change wins. */
function changeSettings(values) {
  changes = { ...changes, ...values };
  throttle.push(async () => {
    const body = changes;
    changes = null;
    try {
      await fetchJSON("/api/settings", { method: "PUT", body });
    } catch (problem) {
      toast(problem.message);
    }
  });
}

/** Settings that were changed on the page and hold although config.toml says otherwise. */
let rememberedRevision = null;
const embeddedSettings = embedded("settings");
if (embeddedSettings) {
  rememberedRevision = embedded("reading")?.revisions?.settings ?? null;
  showRemembered(embeddedSettings.remembered);
}

async function followRemembered({ revisions }) {
  if (revisions.settings === undefined || revisions.settings === rememberedRevision) return;
  rememberedRevision = revisions.settings;
  try {
    showRemembered((await fetchJSON("/api/settings")).remembered);
  } catch {
    // The next reading tries again.
    rememberedRevision = null;
  }
}

function showRemembered(remembered) {
  element("remembered").hidden = !remembered;
  if (!remembered) return;
  const since = element("remembered-since", HTMLTimeElement);
  since.dateTime = remembered.since;
  since.textContent = new Date(remembered.since).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  element("remembered-lines").textContent = remembered.lines;
}

element("copy-remembered").addEventListener("click", async () => {
  const done = await copy(element("remembered-lines").textContent);
  toast(done ? "Copied the lines" : "This browser does not allow copying");
});
element("forget").addEventListener("click", async () => {
  try {
    await fetchJSON("/api/settings", { method: "DELETE" });
    toast("The settings of config.toml are back");
  } catch (problem) {
    toast(problem.message);
  }
});

const effect = element("effect", HTMLSelectElement);
const effects = new Map([...effect.options].map((option) => [option.value, { title: option.text, summary: option.dataset.summary }]));
const setSummary = textOf("effect-summary");
const setCaption = textOf("processed-caption");
const showEffect = onChange((name) => {
  effect.value = name;
  dashboard.dataset.effect = name;
  setSummary(effects.get(name)?.summary ?? "");
  setCaption(effects.get(name)?.title ?? name);
});

effect.addEventListener("change", () => {
  store.update({ effect: effect.value });
  changeSettings({ effect: effect.value });
});

// Pictures, and the region on them

const scene = element("scene");
const setRatio = onChange((ratio) => instrument.style.setProperty("--ratio", ratio));
const live = new Picture(element("live", HTMLCanvasElement), "live", (width, height) => {
  store.update({ size: width > 0 ? { width, height } : null });
});
const processed = new Picture(element("processed", HTMLCanvasElement), "processed");
const sparkles = new Sparkles(element("sparkles", HTMLCanvasElement));
const region = new RegionEditor(
  { surface: element("view"), frame: element("region"), shade: element("shade", SVGElement) },
  {
    isEditable: mayChange,
    onChange: (value, before) => {
      changeRegion(value);
      if (before) toast("The area was changed", () => changeRegion(before));
    },
  },
);

function changeRegion(value) {
  region.show(value);
  store.update({ region: value });
  changeSettings({ region: value });
}

const hints = {
  mouse: "Drag on the picture to read an area, or click for a spot.",
  touch: "To read only a part of the picture, select an area.",
  selecting: "Drag on the picture to read an area, or tap for a spot.",
};
const isTouch = matchMedia("(pointer: coarse)");
const setHint = textOf("region-hint");
const setSelectLabel = textOf("select-area");
const showRegion = onChange((key) => {
  const [isSelecting, isFull] = key.split(" ").map((word) => word === "true");
  dashboard.toggleAttribute("data-selecting", isSelecting);
  element("select-area").toggleAttribute("data-on", isSelecting);
  setSelectLabel(isSelecting ? "Done" : "Select area");
  element("reset-region").hidden = isFull || !mayChange;
  region.isSelecting = isSelecting;
  if (mayChange) setHint(isSelecting ? hints.selecting : isTouch.matches ? hints.touch : hints.mouse);
});

function showPictures(state) {
  const { reading, silence, held, isConnected, showsPictures, showsSparkles, size, isSelecting } = state;
  const hasPicture = !silence && Boolean(reading?.rgb);
  const hasEffect = state.effect !== "none";
  // A slow link carries the first reading before the first picture.
  const isWanted = hasPicture && isConnected && showsPictures && !held;
  live.isWanted = isWanted;
  processed.isWanted = isWanted && hasEffect;
  sparkles.isOn = showsPictures && showsSparkles && Boolean(size) && (hasPicture || Boolean(held));
  if (!held) sparkles.brightness = hasPicture ? reading.brightness : null;
  const ratio = size ?? reading?.frame;
  if (ratio) setRatio(String(ratio.width / ratio.height));
  showLayout(`${showsPictures} ${hasPicture || (Boolean(held) && Boolean(size))} ${hasEffect} ${state.isOverlay}`);
  showEffect(state.effect);
  showRegion(`${isSelecting} ${region.isFull}`);
}

const showLayout = onChange((key) => {
  const [showsPictures, hasPicture, hasEffect, isOverlay] = key.split(" ").map((word) => word === "true");
  dashboard.toggleAttribute("data-picture", showsPictures && hasPicture);
  dashboard.toggleAttribute("data-overlay", isOverlay && showsPictures);
  dashboard.toggleAttribute("data-no-pictures", !showsPictures);
  element("processed-view").hidden = !(hasEffect && showsPictures && hasPicture);
  element("overlay").setAttribute("aria-pressed", String(isOverlay));
  scene.toggleAttribute("data-pair", hasEffect && showsPictures && hasPicture);
});

element("select-area").addEventListener("click", () => {
  store.update({ isSelecting: !store.state.isSelecting });
  if (store.state.isSelecting) element("region").focus({ preventScroll: true });
});
element("reset-region").addEventListener("click", () => region.reset());

for (const [id, key] of [["show-pictures", "showsPictures"], ["show-sparkles", "showsSparkles"]]) {
  const box = element(id, HTMLInputElement);
  box.checked = store.state[key];
  box.addEventListener("change", () => choose(id, key, box.checked));
}

// Details, which cost nothing while they are not on the screen

const details = Object.fromEntries(
  ["camera-name", "camera-device", "frame-format", "colorimetry", "frame-size", "capture-rate", "reading-rate", "time"]
    .map((id) => [id, textOf(id)]),
);

function showDetails({ reading, time, silence, tab }) {
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
  details.time(clockTime(time));
  element("time", HTMLTimeElement).dateTime = reading.time;
}

// Tabs

const tabs = /** @type {HTMLElement[]} */ ([...element("tabs").querySelectorAll("[role=tab]")]);
const tabNames = tabs.map(({ id }) => id.replace("-tab", ""));

const showTabPanel = onChange((chosen) => {
  for (const [index, name] of tabNames.entries()) {
    const isChosen = name === chosen;
    tabs[index].setAttribute("aria-selected", String(isChosen));
    tabs[index].tabIndex = isChosen ? 0 : -1;
    element(`${name}-panel`).hidden = !isChosen;
  }
  controls.isOpen = chosen === "controls";
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
for (const [index, tab] of tabs.entries()) tab.addEventListener("click", () => choose("tab", "tab", tabNames[index]));

// The camera

const cameras = new CameraChoice({ onMessage: toast });
const controls = new Controls({
  onMessage: toast,
  onLock: () => {
    choose("tab", "tab", "controls");
    element("controls-tab").scrollIntoView({ block: "nearest" });
  },
});

// The view: overlay, full screen, shortcuts

function toggleOverlay() {
  choose("overlay", "isOverlay", !store.state.isOverlay);
}

function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => toast("This browser does not allow full screen"));
}

document.addEventListener("fullscreenchange", () => {
  element("full-screen").setAttribute("aria-pressed", String(Boolean(document.fullscreenElement)));
});

const menu = element("menu");
const useShortcuts = element("use-shortcuts", HTMLInputElement);
const shortcutsDialog = element("shortcuts", HTMLDialogElement);

function inMenu(id, job) {
  element(id).addEventListener("click", () => {
    /** @type {any} */ (menu).hidePopover?.();
    job();
  });
}

inMenu("overlay", toggleOverlay);
inMenu("full-screen", toggleFullScreen);
inMenu("help", () => shortcutsDialog.showModal());
element("close-shortcuts").addEventListener("click", () => shortcutsDialog.close());

useShortcuts.checked = store.state.usesShortcuts;
useShortcuts.addEventListener("change", () => choose("shortcuts", "usesShortcuts", useShortcuts.checked));

const shortcuts = {
  "c": () => copyNotation("hex"),
  "r": readOut,
  "o": toggleOverlay,
  "f": toggleFullScreen,
  "t": () => cameras.switchToNext(),
  "?": () => shortcutsDialog.showModal(),
};

addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (!store.state.usesShortcuts || event.ctrlKey || event.metaKey || event.altKey || event.repeat || !(target instanceof Element)) return;
  if (key === " ") {
    // Controls, and panels that scroll, use the space bar themselves.
    if (target !== document.body && target !== instrument && target.id !== "region") return;
    event.preventDefault();
    toggleHold();
    return;
  }
  const job = shortcuts[key.toLowerCase()];
  if (!job || !instrument.contains(target) || target.matches("input, select, textarea")) return;
  event.preventDefault();
  job();
});

// Everything together

store.follow((state) => {
  if (!state.reading && !state.silence) return;
  showReadout(state);
  showTab(state);
  showHold(Boolean(state.held));
  showPictures(state);
  showDetails(state);
  showTabPanel(state.tab);
});

/** Shows the login page if the token has changed while the page was open. */
async function loginIfNeeded() {
  try {
    const { status } = await fetch("/api/reading", { method: "HEAD" });
    if (status === 401) location.reload();
  } catch {
    // The server is not running. The feed keeps trying.
  }
}

const feed = new ReadingFeed(
  {
    onReading: (reading, time) => {
      const isNew = store.state.reading === null;
      // While the user is changing a setting, readings still have the old value.
      const isChanging = throttle.isBusy || region.isDragged;
      if (!isChanging && reading.region) region.show(reading.region);
      store.update({ reading, time, silence: null, isConnected: !isNew, ...(!isChanging && { effect: reading.effect ?? "none", region: region.region }) });
      // For tests and scripts that watch the page.
      dashboard.dataset.time = reading.time;
      dashboard.dataset.sequence = reading.sequence;
      showNotices(JSON.stringify(reading.notices ?? []));
      // The first reading came with the page. What else there is can wait until the connection works.
      if (isNew) return;
      followRemembered(reading);
      cameras.follow(reading);
      controls.follow(reading);
    },
    onStale: (silence) => {
      store.update({ silence });
    },
    onDown: loginIfNeeded,
  },
  Number(dashboard.dataset.rate) || 0,
);
feed.start(element("reading").textContent);
if (!tabNames.includes(store.state.tab)) store.update({ tab: "effect" });
dashboard.dataset.running = "";
