import { element } from "./element.js";
import { labels } from "./labels.js";

const none = "–";
const dashboard = element("dashboard");
const readout = document.querySelector(".readout");
const themeColor = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=theme-color]"));
const noColorTheme = "#8A8780";

let announced = element("state").textContent;
let focused = null;

/**
 * Shows a reading.
 * @param {any} reading as in `/api/reading`.
 * @param {Date} time when it was captured.
 */
export function showReading(reading, time) {
  const label = labels[reading.state] ?? reading.state;
  const { rgb, frame, camera } = reading;

  dashboard.dataset.sequence = reading.sequence;
  setText("camera-name", camera?.name ?? "");
  setText("camera-device", camera?.device ?? "");
  setText("frame-format", frame?.format ?? none);
  setText("colorimetry", frame?.colorimetry ?? none);
  setText("frame-size", frame ? `${frame.width} × ${frame.height}` : none);
  setText("capture-rate", reading.rate.capture.toFixed(1));
  setText("reading-rate", reading.rate.reading.toFixed(1));
  setText("time", clockTime(time));
  element("time", HTMLTimeElement).dateTime = reading.time;
  element("last-seen").hidden = true;

  if (!rgb) {
    showNotice(reading.state, label, reading.message ?? "");
    announce(label, reading.message);
    return;
  }

  setText("hex", reading.hex);
  for (const channel of ["r", "g", "b"]) setText(channel, String(rgb[channel]));
  element("color", SVGElement).setAttribute("fill", reading.hex);
  dashboard.dataset.text = reading.textColor;
  setText("state", label);
  setText("remark", reading.message ?? "");
  showBrightness(reading.brightness);
  setState(reading.state, true);
  document.title = `${reading.hex} · Swatchcam`;
  themeColor.content = reading.hex;
  announce(label, reading.message);
}

/**
 * Shows that there is no current reading. The last colour is small, hatched and labelled "last seen".
 * @param {any} last the last reading; null if there was none.
 * @param {{ title: string, since: Date, seconds: number }} silence
 */
export function showStale(last, { title, since, seconds }) {
  const what = `No reading since ${clockTime(since)}`;
  showNotice("stale", title, `${what} (${duration(seconds)}). This page reconnects by itself.`);
  setText("capture-rate", none);
  setText("reading-rate", none);
  element("last-seen").hidden = !last?.hex;
  if (last?.hex) {
    setText("last-seen-hex", last.hex);
    element("last-seen-color", SVGElement).setAttribute("fill", last.hex);
  }
  announce(title, what);
}

/** Shows a message for a short time. Screen readers announce it once. */
export const toast = (() => {
  let timer = 0;
  return (text) => {
    clearTimeout(timer);
    setText("toast", text);
    timer = setTimeout(() => setText("toast", ""), 2_500);
  };
})();

function showNotice(state, title, message) {
  setText("state", title);
  setText("notice-title", title);
  setText("notice-message", message);
  element("color", SVGElement).setAttribute("fill", "none");
  showBrightness(null);
  setState(state, false);
  document.title = `${title} · Swatchcam`;
  themeColor.content = noColorTheme;
}

function showBrightness(brightness) {
  const known = brightness !== null;
  setText("brightness", known ? String(Math.round(brightness * 100)) : none);
  const meter = element("meter", HTMLMeterElement);
  meter.hidden = !known;
  meter.value = known ? brightness : 0;
}

function setState(state, hasColor) {
  // Hiding the focused button would lose the focus: it returns with the button.
  if (!hasColor && readout.contains(document.activeElement)) focused = document.activeElement;
  dashboard.dataset.state = state;
  dashboard.toggleAttribute("data-color", hasColor);
  if (hasColor && focused) {
    if (document.activeElement === document.body) focused.focus({ preventScroll: true });
    focused = null;
  }
}

/** Announces a change of state to screen readers, but not the values, which change all the time. */
function announce(label, message) {
  if (label === announced) return;
  announced = label;
  setText("announcer", message ? `${label}. ${message}` : label);
}

function setText(id, text) {
  const target = element(id);
  if (target.textContent !== text) target.textContent = text;
}

function clockTime(date) {
  return date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
}

function duration(seconds) {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
