/** The statistics of the reading that is shown, in a tab. They cost nothing while nobody can see them. */

import { element, ifChanged } from "./elements.js";
import { Histogram } from "./histogram.js";
import { shownReading, store } from "./state.js";

/** The time between two updates, in milliseconds. Nobody reads so many figures faster, and each update costs about 10 ms. */
const period = 2_000;
const none = "–";

const fixed = (decimals) => (value) => (Number.isFinite(value) ? value.toFixed(decimals) : none);
const whole = new Intl.NumberFormat("en");

/** A share of the pixels. A single pixel does not look like none. */
function percent(share) {
  if (!Number.isFinite(share)) return none;
  return share > 0 && share < 0.0001 ? "< 0.01 %" : `${(share * 100).toFixed(2)} %`;
}

function drift(slope) {
  return slope ? `${slope.deltaEPerMinute.toFixed(2)} ± ${slope.standardError.toFixed(2)} ΔE/min` : none;
}

/** The figures that each channel has, by the names of their rows. */
const channelFigures = {
  mean: ({ mean }) => [mean, fixed(2)],
  median: ({ statistics }) => [statistics?.median, String],
  min: ({ statistics }) => [statistics?.min, String],
  max: ({ statistics }) => [statistics?.max, String],
  sd: ({ statistics }) => [statistics?.sd, fixed(2)],
  low: ({ statistics }) => [statistics?.clipped.low, percent],
  high: ({ statistics }) => [statistics?.clipped.high, percent],
  noise: ({ noise }) => [noise, fixed(2)],
  linear: ({ linear }) => [linear, fixed(4)],
};

/** The figures of the colour and of all channels together, by the names of their places. */
const figures = {
  noise: ({ noise }) => (noise ? `ΔE ${noise.deltaE.toFixed(2)}` : none),
  settled: ({ settled }) => ({ true: "Yes", false: "No" })[settled] ?? none,
  drift: (reading) => drift(reading.drift),
  totalDrift: (reading) => drift(reading.totalDrift),
  dominant: ({ statistics }) => (statistics?.dominant ? `${statistics.dominant.hex}, ${percent(statistics.dominant.share)}` : none),
  outOfGamut: ({ statistics }) => percent(statistics?.outOfGamut),
  uneven: ({ quality }) => (quality ? (quality.flags.some(({ code }) => code === "uneven") ? "Yes" : "No") : none),
  pixels: ({ statistics }) => (statistics ? `${whole.format(statistics.pixels)} of ${whole.format(statistics.regionPixels)}` : none),
  luminance: ({ luminance }) => fixed(4)(luminance),
  xyz: ({ color }) => (color?.xyz ? [color.xyz.x, color.xyz.y, color.xyz.z].map(fixed(4)).join(" ") : none),
  xy: ({ color }) => (color?.xy ? [color.xy.x, color.xy.y].map(fixed(4)).join(" ") : none),
  cct: ({ color }) => (Number.isFinite(color?.cct) ? `${whole.format(Math.round(color.cct))} K` : none),
  duv: ({ color }) => fixed(4)(color?.duv),
};

/** Returns a function that sets the text of a table's cell or a list's entry, in a box of fixed size. */
function textSetterIn(place) {
  const box = document.createElement("span");
  const node = document.createTextNode("");
  box.className = "fixed";
  box.append(node);
  place.append(box);
  return ifChanged((text) => {
    node.data = text;
  });
}

const rows = [...element("channel-figures").querySelectorAll("tr")].map((row) => ({
  figure: channelFigures[row.dataset.figure],
  cells: [...row.querySelectorAll("td")].map(textSetterIn),
}));
const entries = [.../** @type {NodeListOf<HTMLElement>} */ (element("figures").querySelectorAll("[data-figure]"))].map((place) => ({
  figure: figures[place.dataset.figure],
  set: textSetterIn(place),
}));
const setDominant = ifChanged((fill) => element("dominant-color").setAttribute("fill", fill));
const histogram = new Histogram();

function showFigures(reading) {
  for (const { figure, cells } of rows) {
    const [values, format] = figure(reading);
    for (const [index, channel] of ["r", "g", "b"].entries()) cells[index](values?.[channel] == null ? none : format(values[channel]));
  }
  for (const { figure, set } of entries) set(figure(reading));
  setDominant(reading.statistics?.dominant?.hex ?? "none");
}

let isInView = false;
/** The reading whose figures are shown, whether it is a held one, and since when. */
let last = { reading: undefined, isHeld: false, at: -period };

function follow(state) {
  if (state.tab !== "statistics" || !isInView || document.visibilityState !== "visible") return;
  const reading = shownReading(state);
  const isHeld = Boolean(state.held);
  if (reading === last.reading && isHeld === last.isHeld) return;
  const isSame = Boolean(reading) === Boolean(last.reading) && isHeld === last.isHeld;
  if (isSame && performance.now() - last.at < period) return;
  showFigures(reading ?? {});
  if (isHeld) histogram.hold();
  else if (reading) histogram.load();
  else histogram.clear();
  // The period begins after the request, which has to wait for the figures.
  last = { reading, isHeld, at: performance.now() };
}

store.follow(follow);
new IntersectionObserver((changes) => {
  isInView = changes.at(-1).isIntersecting;
  follow(store.state);
}).observe(element("statistics-panel"));
