/** The plot of a standard curve: the standards, the line through them, and the sample. */

import { draw } from "../lib/elements.js";
import { withMinus } from "../lib/formatting.js";
import { multiples } from "../lib/ticks.js";

const size = { width: 320, height: 200 };
const margin = { left: 48, right: 10, top: 8, bottom: 38 };
/** The number of intervals between the labels of an axis, roughly. */
const ticks = 5;

/** Returns the round numbers between two others. */
function roundNumbers(from, to) {
  const rough = (to - from) / ticks;
  const power = 10 ** Math.floor(Math.log10(rough));
  return multiples(power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10), from, to);
}

/**
 * Draws the plot.
 * @param {SVGElement} plot
 * @param {{ points: { x: number, y: number }[], line: { slope: number, intercept: number }, unit: string }} data
 * @returns {(sample: { x: number, low: number, high: number, y: number } | null) => void} a function that marks the sample.
 */
export function drawCurve(plot, { points, line, unit }) {
  const right = 1.08 * Math.max(...points.map(({ x }) => x));
  const onLine = (x) => line.intercept + line.slope * x;
  const heights = [0, onLine(0), onLine(right), ...points.map(({ y }) => y)];
  const [bottom, top] = [Math.min(...heights), Math.max(...heights)];
  const room = 0.05 * (top - bottom || 1);
  const [low, high] = [bottom - room, top + room];
  const x = (value) => margin.left + (value / right) * (size.width - margin.left - margin.right);
  const y = (value) => size.height - margin.bottom - ((value - low) / (high - low)) * (size.height - margin.top - margin.bottom);
  const [start, end, floor] = [x(0), x(right), size.height - margin.bottom];
  const parts = [];
  for (const value of roundNumbers(low, high)) {
    parts.push(draw("line", { class: "grid", x1: start, x2: end, y1: y(value), y2: y(value) }));
    parts.push(draw("text", { x: start - 6, y: y(value), dy: "0.35em", "text-anchor": "end" }, withMinus(String(value))));
  }
  for (const value of roundNumbers(0, right)) {
    parts.push(draw("line", { class: "grid", x1: x(value), x2: x(value), y1: margin.top, y2: floor }));
    parts.push(draw("text", { x: x(value), y: floor + 15, "text-anchor": "middle" }, String(value)));
  }
  parts.push(draw("text", { x: (start + end) / 2, y: size.height - 6, "text-anchor": "middle" }, unit ? `Concentration in ${unit}` : "Concentration"));
  parts.push(draw("text", { x: 0, y: 0, "text-anchor": "middle", transform: `translate(11 ${(margin.top + floor) / 2}) rotate(-90)` }, "Absorbance"));
  parts.push(draw("line", { class: "fit", x1: start, y1: y(onLine(0)), x2: end, y2: y(onLine(right)) }));
  const interval = draw("rect", { class: "interval", y: margin.top, width: 0, height: floor - margin.top });
  const mark = draw("path", { class: "sample" });
  parts.push(interval, mark);
  for (const point of points) parts.push(draw("circle", { cx: x(point.x), cy: y(point.y), r: 3.5 }));
  plot.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
  plot.replaceChildren(...parts);
  return (sample) => {
    const inside = (value) => x(Math.max(0, Math.min(value, right)));
    const ends = sample ? [inside(sample.low), inside(sample.high)] : [0, 0];
    interval.setAttribute("x", String(ends[0]));
    interval.setAttribute("width", String(ends[1] - ends[0]));
    mark.setAttribute("d", sample ? `M${start} ${y(Math.max(low, Math.min(sample.y, high)))}H${inside(sample.x)}V${floor}` : "");
  };
}
