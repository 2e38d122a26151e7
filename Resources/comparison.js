import { difference } from "./color-difference.js";
import { element } from "./element.js";
import { ReadingFeed } from "./reading-feed.js";

const colors = [
  "#FF0000", "#00FF00", "#0000FF", "#00FFFF", "#FF00FF", "#FFFF00", "#FFFFFF", "#C0C0C0", "#808080", "#404040",
  "#000000", "#E63946", "#F4A261", "#2A9D8F", "#264653", "#8338EC",
];
/** The time for a camera to adapt to a colour, and the time of the readings that are then averaged, in milliseconds. */
const settlingTime = 2_500;
const readingTime = 1_500;

const table = element("results", HTMLTableElement);
const [show, status] = [element("show"), element("status")];
let run = 0;
let readings = [];

const feed = new ReadingFeed({
  onReading: ({ mean, message }) => {
    if (mean) readings.push([mean.r, mean.g, mean.b]);
    else if (!show.hidden) stop(message ?? "There is no reading now.");
  },
  onStale: ({ isConnected }) => {
    // While connected, a late reading may still arrive before the colour is compared.
    if (!isConnected && !show.hidden) stop("The connection to Swatchcam is lost.");
  },
});
feed.start();

element("start").addEventListener("click", start);
element("stop").addEventListener("click", () => stop("Stopped."));
addEventListener("keydown", ({ key }) => {
  if (key === "Escape" && !show.hidden) stop("Stopped.");
});

async function start() {
  const mine = ++run;
  table.tBodies[0].replaceChildren();
  status.textContent = "";
  show.hidden = false;
  element("stop").focus();
  const differences = [];
  for (const color of colors) {
    element("shown", SVGElement).setAttribute("fill", color);
    await pause(settlingTime);
    if (mine !== run) return;
    readings = [];
    await pause(readingTime);
    if (mine !== run) return;
    if (readings.length === 0) return stop("There was no reading.");
    differences.push(note(color, mean(readings)));
  }
  const all = mean(differences.map((value) => [value]))[0];
  stop(`Done. The mean difference is ${all.toFixed(1)}, the greatest ${Math.max(...differences).toFixed(1)}.`);
}

function stop(message) {
  run++;
  show.hidden = true;
  status.textContent = message;
  element("start").focus();
}

/** Adds a row to the table. */
function note(shown, read) {
  const value = difference(channels(shown), read);
  table.hidden = false;
  const row = table.tBodies[0].insertRow();
  for (const color of [shown, hex(read)]) {
    const cell = row.insertCell();
    cell.append(chip(color), color);
    cell.className = "code";
  }
  row.insertCell().textContent = value.toFixed(1);
  return value;
}

function chip(color) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  svg.setAttribute("class", "chip");
  svg.setAttribute("aria-hidden", "true");
  for (const [name, value] of [["width", "100%"], ["height", "100%"], ["fill", color]]) rect.setAttribute(name, value);
  svg.append(rect);
  return svg;
}

function channels(hex) {
  return [1, 3, 5].map((index) => parseInt(hex.slice(index, index + 2), 16));
}

function hex(rgb) {
  return `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`.toUpperCase();
}

function mean(vectors) {
  return vectors[0].map((_, index) => vectors.reduce((sum, vector) => sum + vector[index], 0) / vectors.length);
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
