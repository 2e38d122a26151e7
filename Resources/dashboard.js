import { followCamera } from "./cameras.js";
import { followControls } from "./controls.js";
import { copy } from "./clipboard.js";
import { element } from "./element.js";
import { showNotices } from "./notices.js";
import { followReading } from "./pictures.js";
import { ReadingFeed } from "./reading-feed.js";
import { showReading, showStale, toast } from "./view.js";

const dashboard = element("dashboard");
let reading = null;

function show(received, time) {
  reading = received;
  showReading(reading, time);
  showNotices(reading.notices);
  followReading(reading);
  followCamera(reading);
  followControls(reading);
}

function showSilence({ isConnected, since, seconds }) {
  followReading(null);
  showStale(reading, { title: isConnected ? "No reading" : "Connection lost", since, seconds });
}

/** Shows the login page if the token has changed while the page was open. */
async function loginIfNeeded() {
  try {
    const { status } = await fetch("/api/reading", { method: "HEAD" });
    if (status === 401) location.reload();
  } catch {
    // The server is not running. The feed keeps trying.
  }
}

function makeCopyButton(id, text) {
  element(id).addEventListener("click", async () => {
    const value = text();
    toast((await copy(value)) ? `Copied ${value}` : "This browser does not allow copying");
  });
}

makeCopyButton("copy-hex", () => element("hex").textContent);
makeCopyButton("copy-rgb", () => `rgb(${["r", "g", "b"].map((id) => element(id).textContent).join(", ")})`);

const handlers = { onReading: show, onStale: showSilence, onDown: loginIfNeeded };
new ReadingFeed(handlers, Number(dashboard.dataset.rate) || 0).start(element("reading").textContent);
dashboard.dataset.running = "";
