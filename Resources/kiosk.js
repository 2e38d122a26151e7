import { element } from "./element.js";
import { labels } from "./labels.js";
import { ReadingFeed } from "./reading-feed.js";
import { Stream } from "./stream.js";

/** Against burn-in, the content moves once in so many milliseconds, by up to so many pixels in each direction. */
const shiftPeriod = 60_000;
const shift = 8;
const noColor = "#1A1A1A";

const kiosk = element("kiosk");
const picture = /** @type {HTMLImageElement | null} */ (document.getElementById("picture"));
const stream = picture && new Stream(picture, "live");
let wasDown = false;
let lock = null;

const feed = new ReadingFeed({
  onReading: (reading) => {
    show(reading);
    if (wasDown) renew();
  },
  // An old colour is never shown as a live one.
  onStale: ({ isConnected }) => {
    showNotice(isConnected ? "No reading" : "Connection lost", "This screen reconnects by itself.");
  },
  onDown: () => {
    wasDown = true;
  },
});

function show({ state, message, hex, rgb, brightness, textColor }) {
  kiosk.dataset.state = state;
  if (!rgb) {
    showNotice(labels[state] ?? state, message ?? "");
    return;
  }
  setText("hex", hex);
  for (const channel of ["r", "g", "b"]) setText(channel, String(rgb[channel]));
  setText("brightness", String(Math.round(brightness * 100)));
  element("pattern").hidden = state !== "test-pattern";
  element("color", SVGElement).setAttribute("fill", hex);
  kiosk.dataset.text = textColor;
  kiosk.setAttribute("data-color", "");
  document.title = `${hex} · Swatchcam`;
  setPictureWanted(true);
}

function showNotice(title, message) {
  setText("title", title);
  setText("message", message);
  element("color", SVGElement).setAttribute("fill", noColor);
  kiosk.removeAttribute("data-color");
  document.title = `${title} · Swatchcam`;
  setPictureWanted(false);
}

function setPictureWanted(isWanted) {
  if (!stream) return;
  picture.hidden = !isWanted;
  stream.isWanted = isWanted;
}

/**
 * Loads the page again if the server, which was down, now has another version of it.
 *
 * The page is fetched first: if it could not be loaded, the screen would keep the browser's error page.
 */
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

/** Keeps the screen on, if the browser allows it. */
async function stayAwake() {
  if (lock || document.visibilityState !== "visible") return;
  try {
    lock = await /** @type {any} */ (navigator).wakeLock?.request("screen");
    lock?.addEventListener("release", () => {
      lock = null;
    });
  } catch {
    // The system's own settings decide.
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

setInterval(move, shiftPeriod);
addEventListener("online", stayAwake);
addEventListener("pageshow", stayAwake);
document.addEventListener("visibilitychange", stayAwake);
addEventListener("contextmenu", (event) => event.preventDefault());

kiosk.dataset.script = "";
feed.start(element("reading").textContent);
stayAwake();
