import { labels } from "./labels.js";
import { leastPatience, patienceWith, silenceLimit } from "./patience.js";
import { ReadingSocket } from "./reading-socket.js";
import { Stopwatch } from "./stopwatch.js";
import { Stream } from "./stream.js";

/** What stands on the screen moves once in so many milliseconds, by up to so many pixels either way. */
const shiftPeriod = 60_000;
const shift = 8;
const noColor = "#1A1A1A";

const kiosk = document.getElementById("kiosk");
const element = (id) => document.getElementById(id);
const picture = element("picture");
const stream = picture && new Stream(picture, "live");
const sinceReading = new Stopwatch();
let patience = leastPatience;
let connected = true;
let wasDown = false;
let isStale = false;
let lock = null;

const address = new URL("/ws", location.href);
address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
const socket = new ReadingSocket(address, {
  onMessage: receive,
  onDown: () => {
    [connected, wasDown] = [false, true];
    refresh();
  },
});

function receive(text) {
  let reading;
  try {
    reading = JSON.parse(text);
  } catch {
    return;
  }
  if (!reading?.state || !reading.rate) return;
  connected = true;
  sinceReading.restart(Math.max(0, reading.frame?.ageMs ?? 0));
  patience = patienceWith(reading.rate);
  socket.silenceLimit = silenceLimit(patience);
  show(reading);
  if (wasDown) renew();
}

function show({ state, message, hex, rgb, brightness, textColor }) {
  isStale = false;
  kiosk.dataset.state = state;
  if (!rgb) {
    showNotice(labels[state] ?? state, message ?? "");
    return;
  }
  setText("hex", hex);
  for (const channel of ["r", "g", "b"]) setText(channel, String(rgb[channel]));
  setText("brightness", String(Math.round(brightness * 100)));
  element("pattern").hidden = state !== "test-pattern";
  element("color").setAttribute("fill", hex);
  kiosk.dataset.text = textColor;
  kiosk.setAttribute("data-color", "");
  document.title = `${hex} · Swatchcam`;
  watch(true);
}

function showNotice(title, message) {
  setText("title", title);
  setText("message", message);
  element("color").setAttribute("fill", noColor);
  kiosk.removeAttribute("data-color");
  document.title = `${title} · Swatchcam`;
  watch(false);
}

function watch(isWanted) {
  if (!stream) return;
  picture.hidden = !isWanted;
  stream.isWanted = isWanted;
}

/** An old colour is never shown as a live one. */
function refresh() {
  if (connected && sinceReading.elapsed <= patience) return;
  if (!isStale) showNotice(connected ? "No reading" : "Connection lost", "It comes back by itself.");
  isStale = true;
}

/** After the server was away its pages may be others: they are looked at first, for a page that cannot be loaded stays. */
async function renew() {
  wasDown = false;
  try {
    const response = await fetch(location.href, { cache: "no-store" });
    if (response.status === 401 || (response.ok && !(await response.text()).includes(`data-resources="${kiosk.dataset.resources}"`))) {
      location.reload();
    }
  } catch {
    wasDown = true;
  }
}

/** Keeps the screen on, where the browser lets a page do that. */
async function stayAwake() {
  if (lock || document.visibilityState !== "visible") return;
  try {
    lock = await navigator.wakeLock?.request("screen");
    lock?.addEventListener("release", () => (lock = null));
  } catch {
    // Then it is the system's own setting that counts.
  }
}

function move() {
  const offset = () => `${Math.round((Math.random() * 2 - 1) * shift)}px`;
  element("content").style.translate = `${offset()} ${offset()}`;
  if (picture) picture.style.margin = `${offset()} ${offset()}`;
}

function setText(id, text) {
  const target = element(id);
  if (target.textContent !== text) target.textContent = text;
}

function wake() {
  stayAwake();
  refresh();
  socket.wake(patience);
}

setInterval(() => {
  socket.checkSilence();
  refresh();
}, 250);
setInterval(move, shiftPeriod);
addEventListener("online", wake);
addEventListener("pageshow", wake);
document.addEventListener("visibilitychange", wake);
addEventListener("contextmenu", (event) => event.preventDefault());

receive(element("reading").textContent);
stayAwake();
socket.connect();
