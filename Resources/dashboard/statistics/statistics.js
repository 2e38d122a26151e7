/** The statistics of the reading that is shown, in a tab. They cost nothing while nobody can see them. */

import { attributeSetter, element, make, textSetterOf } from "../../lib/elements.js";
import { effect, signal } from "../../lib/signals.js";
import { isHeld, shown, state } from "../state.js";
import { channelTexts, colorFigure, figures } from "./figures.js";
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
const entries = [.../** @type {NodeListOf<HTMLElement>} */ (element("figures").querySelectorAll("[data-figure], [data-color-figure]"))].map((place) => ({
  figure: place.dataset.figure ? figures[place.dataset.figure] : colorFigure(place.dataset),
  set: textSetterIn(place),
}));
const setDominant = attributeSetter(element("dominant-color"), "fill");
const histogram = new Histogram();

function showFigures(reading) {
  for (const { name, cells } of rows) {
    for (const [index, text] of channelTexts(name, reading).entries()) cells[index](text);
  }
  for (const { figure, set } of entries) set(figure(reading));
  setDominant(reading.statistics?.dominant?.hex ?? "none");
}

const isInView = signal(false);
/** The reading whose figures are shown, whether it is a held one, and since when. */
let last = { reading: undefined, wasHeld: false, at: -period };

effect(() => {
  const [reading, wasHeld] = [shown.value, isHeld.value];
  if (state.tab.value !== "statistics" || !isInView.value || document.visibilityState !== "visible") return;
  if (reading === last.reading && wasHeld === last.wasHeld) return;
  const isSame = Boolean(reading) === Boolean(last.reading) && wasHeld === last.wasHeld;
  if (isSame && performance.now() - last.at < period) return;
  showFigures(reading ?? {});
  if (wasHeld) histogram.hold();
  else if (reading) histogram.load();
  else histogram.clear();
  // The period begins after the request, which has to wait for the figures.
  last = { reading, wasHeld, at: performance.now() };
});
new IntersectionObserver((changes) => {
  isInView.value = changes.at(-1).isIntersecting;
}).observe(element("statistics-panel"));
