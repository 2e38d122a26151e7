import { followCamera } from "./cameras.js";
import { followControls } from "./controls.js";
import { copy } from "./clipboard.js";
import { showNotices } from "./notices.js";
import { followReading } from "./pictures.js";
import { leastPatience, patienceWith, silenceLimit } from "./patience.js";
import { ReadingSocket } from "./reading-socket.js";
import { Stopwatch } from "./stopwatch.js";
import { showReading, showStale, toast } from "./view.js";

const dashboard = document.getElementById("dashboard");
const configuredRate = Number(dashboard.dataset.rate);
const sinceReading = new Stopwatch();
let reading = null;
let connected = true;
let patience = leastPatience;

const address = new URL("/ws", location.href);
address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
const socket = new ReadingSocket(address, {
  onMessage: receive,
  onDown: () => {
    connected = false;
    refresh();
    loginIfNeeded();
  },
});

/** The token may have changed while the page was open: the server then shows a page to log in on. */
async function loginIfNeeded() {
  try {
    const { status } = await fetch("/api/reading", { method: "HEAD" });
    if (status === 401) location.reload();
  } catch {
    // It is not there; the socket goes on trying.
  }
}

/** Takes any reading of the current connection: a server that restarted counts from 1 again. */
function receive(text) {
  const received = parse(text);
  if (!received) return;
  reading = received;
  connected = true;
  sinceReading.restart(Math.max(0, reading.frame?.ageMs ?? 0));
  setPatience(reading.rate);
  refresh();
}

function parse(text) {
  try {
    const value = JSON.parse(text);
    return value?.state && value.rate ? value : null;
  } catch {
    return null;
  }
}

function setPatience({ wanted, reading }) {
  patience = patienceWith({ wanted: wanted || configuredRate, reading });
  socket.silenceLimit = silenceLimit(patience);
}

function isCurrent() {
  return connected && sinceReading.elapsed <= patience;
}

/** Shows the reading if it is current, and otherwise since when there is none. */
function refresh() {
  const since = sinceReading.startedAt;
  if (isCurrent()) {
    if (reading) {
      showReading(reading, since);
      showNotices(reading.notices);
      followReading(reading);
      followCamera(reading);
      followControls(reading);
    }
    return;
  }
  followReading(null);
  const title = connected ? "No reading" : "Connection lost";
  showStale(reading, { title, since, seconds: Math.floor(sinceReading.elapsed / 1_000) });
}

function wake() {
  refresh();
  socket.wake(patience);
}

for (const [id, text] of [
  ["copy-hex", () => document.getElementById("hex").textContent],
  ["copy-rgb", () => `rgb(${["r", "g", "b"].map((id) => document.getElementById(id).textContent).join(", ")})`],
]) {
  document.getElementById(id).addEventListener("click", async () => {
    const value = text();
    toast((await copy(value)) ? `Copied ${value}` : "This browser does not let the page copy");
  });
}

setInterval(() => {
  socket.checkSilence();
  if (!isCurrent()) refresh();
}, 250);

addEventListener("online", wake);
addEventListener("pageshow", wake);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") wake();
});
// A page with an open connection is not kept for the back button; one that is kept must not come back as live.
addEventListener("pagehide", () => {
  socket.close();
  connected = false;
  refresh();
});

// The reading that came with the page is as old as the page.
receive(document.getElementById("reading").textContent);
const [navigation] = performance.getEntriesByType("navigation");
if (reading) sinceReading.restart(performance.now() - (navigation?.responseStart ?? 0) + (reading.frame?.ageMs ?? 0));
dashboard.dataset.running = "";
refresh();
socket.connect();
