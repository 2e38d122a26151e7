/** The ticks of the axes, and their labels. */

import { multiples } from "../lib/ticks.js";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const timeSteps = [
  second, 2 * second, 5 * second, 10 * second, 15 * second, 30 * second,
  minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute,
  hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day,
];

const format = (options) => new Intl.DateTimeFormat([], options);
const withSeconds = format({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const withMinutes = format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const dayOnly = format({ day: "numeric", month: "short" });

/**
 * The ticks of a time axis, on full seconds, minutes, hours or days of the local clock.
 * @param {number} from in milliseconds since 1970.
 * @param {number} to
 * @param {number} leastStep the least time between two ticks, so that their labels have room.
 * @returns {{ time: number, label: string }[]}
 */
export function timeTicks(from, to, leastStep) {
  const step = timeSteps.find((one) => one >= leastStep) ?? 14 * day;
  const labels = step < minute ? withSeconds : step < day ? withMinutes : dayOnly;
  const ticks = [];
  const first = new Date(from);
  if (step >= day) {
    // A day has 23 or 25 hours when the clocks change.
    first.setHours(24, 0, 0, 0);
    for (const at = first; at.getTime() <= to && ticks.length < 100; at.setDate(at.getDate() + step / day)) {
      ticks.push({ time: at.getTime(), label: labels.format(at) });
    }
    return ticks;
  }
  const offset = first.getTimezoneOffset() * minute;
  for (let at = Math.ceil((from - offset) / step) * step + offset; at <= to && ticks.length < 100; at += step) {
    ticks.push({ time: at, label: labels.format(at) });
  }
  return ticks;
}

/** The text for a moment in a span: with seconds, or with the date if the span is a day or longer. */
export function momentText(time, span) {
  if (span < day) return withSeconds.format(time);
  return `${dayOnly.format(time)} ${withMinutes.format(time)}`;
}

/**
 * The scale of a value axis: round numbers around all values, so that it seldom changes.
 * @param {number} low the least value.
 * @param {number} high the greatest value.
 * @param {object} options
 * @param {number} options.top the greatest value that is possible. The least is 0.
 * @param {number} options.leastRange the least difference between the ends, so that noise does not look like a change.
 * @param {number} options.mostTicks how many ticks there is room for.
 * @returns {{ low: number, high: number, ticks: number[] }}
 */
export function valueScale(low, high, { top, leastRange, mostTicks }) {
  const missing = Math.max(0, leastRange - (high - low)) / 2;
  const [from, to] = [Math.max(0, low - missing), Math.min(top, high + missing)];
  for (const step of [1, 2, 5, 10, 20, 50, 100]) {
    const scale = { low: Math.floor(from / step) * step, high: Math.min(top, Math.ceil(to / step) * step) };
    const ticks = multiples(step, scale.low, scale.high);
    if (ticks.length <= mostTicks) return { ...scale, ticks };
  }
  return { low: 0, high: top, ticks: [0, top] };
}
