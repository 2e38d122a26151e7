/** The values of the colour on scales: each as a strip of its colours, with a pointer and the interval. */

import { attributeSetter, draw, element, make, textSetterOf } from "../../lib/elements.js";
import { none } from "../../lib/formatting.js";
import { Revisioned } from "../../lib/revisioned.js";
import { effect, isSameJSON, signal } from "../../lib/signals.js";
import { toast, tryFetch } from "../messages.js";
import { followReadings, mayChange } from "../state.js";
import { numberIn, place } from "./place.js";
import { ScaleTimer } from "./timer.js";

/** The scales as they are set, with their points. */
const scales = signal([], isSameJSON);
const list = element("scales");
/** What shows each scale, by its name. */
let items = new Map();

effect(() => {
  items = new Map(scales.value.map((scale) => [scale.name, makeItem(scale)]));
  list.replaceChildren(...[...items.values()].map(({ row }) => row));
  list.hidden = items.size === 0;
});

function makeItem({ name, unit, points }) {
  const row = make("div", { className: "scale" });
  const [value, interval, reason] = [
    make("span", { className: "figure scale-value" }),
    make("span", { className: "figure scale-interval" }),
    make("p", { className: "hint" }),
  ];
  const head = make("p", { className: "scale-head" });
  head.append(make("span", { className: "label", text: name }), value, make("span", { className: "label", text: unit }), interval);
  const strip = draw("svg", { viewBox: "0 0 100 14", preserveAspectRatio: "none", "aria-hidden": "true" });
  const width = 100 / points.length;
  const fills = points.map((point, index) => {
    const cell = draw("rect", { x: index * width, y: 0, width, height: 10, fill: point.color ?? "none" });
    strip.append(cell);
    return point.probe ? attributeSetter(cell, "fill") : null;
  });
  const span = draw("rect", { class: "scale-span", y: 10.5, height: 1.5, width: 0 });
  const pointer = draw("path", { class: "scale-pointer" });
  strip.append(span, pointer);
  const labels = make("p", { className: "scale-labels" });
  labels.append(...points.map((point) => make("span", { text: String(point.value) })));
  row.append(head, strip, labels, reason);
  const timer = mayChange ? new ScaleTimer(name) : null;
  if (mayChange) {
    const remove = make("button", { className: "quiet small", text: "Delete scale" });
    remove.type = "button";
    remove.setAttribute("aria-label", `Delete the scale ${name}`);
    remove.addEventListener("click", async () => {
      if (await tryFetch(`api/scales/${encodeURIComponent(name)}`, { method: "DELETE" })) toast(`“${name}” deleted`);
    });
    head.append(timer.button, remove);
    head.after(timer.element);
  }
  return {
    row, points, timer, fills, span, pointer,
    setValue: textSetterOf(value), setInterval: textSetterOf(interval), setReason: textSetterOf(reason),
  };
}

/** Words in place of a value. */
const words = { below: "below", above: "above", off: "not on this scale" };

const loader = new Revisioned("api/scales", (document) => {
  scales.value = document.scales;
});

followReadings((reading) => {
  // Scales are settings. Without one, nothing is requested.
  if (reading.scales.length > 0 || scales.value.length > 0) loader.follow(reading.revisions.settings);
  for (const found of reading.scales) {
    const item = items.get(found.name);
    if (!item) continue;
    const values = item.points.map(({ value }) => value);
    const end = found.range === "below" ? item.points[0] : item.points.at(-1);
    const isEnd = found.range === "below" || found.range === "above";
    const isKnown = found.value !== null;
    item.setValue(isKnown ? numberIn(found, values) : isEnd ? `${words[found.range]} ${end.value}` : (words[found.range] ?? none));
    item.setInterval(isKnown ? `${numberIn(found, values, found.low)} to ${numberIn(found, values, found.high)} (95 %)` : "");
    item.timer?.follow(found.due, reading.time, isKnown ? numberIn(found, values) : (found.reason ?? none));
    item.setReason(found.range === null || found.range === "within" ? (found.reason ?? "") : "");
    for (const [index, setFill] of item.fills.entries()) {
      const probe = setFill && reading.probes.find(({ name }) => name === item.points[index].probe);
      if (setFill) setFill(probe?.hex ?? "none");
    }
    const at = isKnown ? place(found.value, values) : found.range === "below" ? 0 : found.range === "above" ? 100 : null;
    item.pointer.setAttribute("d", at === null ? "" : `M${at} 10l-1.2 4h2.4z`);
    const [low, high] = isKnown ? [place(found.low, values), place(found.high, values)] : [0, 0];
    item.span.setAttribute("x", String(low));
    item.span.setAttribute("width", String(high - low));
  }
});
