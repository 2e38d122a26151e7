/** The statistics of the reading that is shown, in a tab. They cost nothing while nobody can see them. */

import { element, ifChanged, make, textSetterOf } from "../../lib/elements.js";
import { shownReading, store } from "../state.js";
import { channelTexts, figures } from "./figures.js";
import { Histogram } from "./histogram.js";

/** The time between two updates, in milliseconds. Nobody reads so many figures faster, and each update costs about 10 ms. */
const period = 2_000;

/** Returns a function that sets the text of a table's cell or a list's entry, in a box of fixed size. */
function textSetterIn(place) {
  const box = make("span", { className: "fixed" });
  place.append(box);
  return textSetterOf(box);
}

const rows = [...element("channel-figures").querySelectorAll("tr")].map((row) => ({
  name: row.dataset.figure,
  cells: [...row.querySelectorAll("td")].map(textSetterIn),
}));
const entries = [.../** @type {NodeListOf<HTMLElement>} */ (element("figures").querySelectorAll("[data-figure]"))].map((place) => ({
  figure: figures[place.dataset.figure],
  set: textSetterIn(place),
}));
const setDominant = ifChanged((fill) => element("dominant-color").setAttribute("fill", fill));
const histogram = new Histogram();

function showFigures(reading) {
  for (const { name, cells } of rows) {
    for (const [index, text] of channelTexts(name, reading).entries()) cells[index](text);
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
