/** Places on a scale, and scales as people type them. */

import { rounded } from "../../lib/concentration.js";
import { withMinus } from "../../lib/formatting.js";

/**
 * The place of a value on a strip on which each point of the scale has a part of the same width, in hundredths of the strip.
 * @param {number[]} values those of the points, which increase.
 */
export function place(value, values) {
  const width = 100 / values.length;
  const last = values.length - 1;
  if (value <= values[0]) return width / 2;
  if (value >= values[last]) return 100 - width / 2;
  const index = values.filter((other) => other <= value).length - 1;
  return (index + 0.5 + (value - values[index]) / (values[index + 1] - values[index])) * width;
}

/**
 * A number with as many decimals as the interval of its value allows, and one more, but no more than two beyond the
 * least distance of two colours of the scale.
 * @param {{ value: number, low: number, high: number }} found
 * @param {number[]} values those of the points, which increase.
 */
export function numberIn({ value, low, high }, values, number = value) {
  const step = Math.min(...values.slice(1).map((other, index) => other - values[index]));
  const decimalsOf = (width) => (width > 0 ? 1 - Math.floor(Math.log10(width)) : Infinity);
  const decimals = Math.min(Math.max(decimalsOf(high - low), 0), Math.max(decimalsOf(step) + 1, 0), 9);
  return withMinus(number.toFixed(decimals));
}

/**
 * The numbers in a list with commas or spaces, or with semicolons, between which a comma is a decimal point.
 * @returns {number[] | null} null if one is not a number.
 */
export function valuesIn(text) {
  const parts = text.includes(";") ? text.split(";").map((part) => part.trim().replace(",", ".")) : text.trim().split(/[\s,]+/);
  const values = parts.map(Number);
  return parts.every(Boolean) && values.every(Number.isFinite) ? values : null;
}

/**
 * The points that are typed one per line, such as `6.5 #E8C34A`, or `6.5 #E8C34A ± 0.2` if the colour has a standard error. What a
 * colour may be, the server knows.
 * @returns {{ value: number, color: string, error?: number }[] | string} the first line that is none.
 */
export function pointsIn(text) {
  const points = [];
  for (const line of text.split("\n").map((one) => one.trim()).filter(Boolean)) {
    const [, number, color, error] = line.match(/^(\S+?)[:;,]?\s+(.+?)(?:\s*±\s*(\S+))?$/) ?? [];
    const value = numberOf(number ?? "");
    if (!Number.isFinite(value) || (error && !Number.isFinite(numberOf(error)))) return line;
    points.push({ value, color, ...(error && { error: numberOf(error) }) });
  }
  return points;
}

function numberOf(text) {
  return text ? Number(text.replace("−", "-").replace(",", ".")) : NaN;
}

/** The value on a scale with its unit and its interval, where the points of the scale are not known. */
export function withInterval({ name, value, low, high, unit }) {
  const [found, ...ends] = [value, low, high].map((number) => rounded(number, high - low));
  return `${name} ${[found, unit].filter(Boolean).join(" ")} (${ends.join(" to ")})`;
}

/** The lines of those samples whose names are numbers, each with the standard error of its colour. */
export function linesOfSamples(samples) {
  return samples
    .filter(({ name }) => Number.isFinite(numberOf(name)))
    .map(({ name, lab, standardError }) => `${name} lab(${lab.l} ${lab.a} ${lab.b})${standardError ? ` ± ${standardError.deltaE}` : ""}`)
    .join("\n");
}

/**
 * The lines of those colours of a table of measurements whose names are numbers.
 * @param {string} table by CGATS.17, as `/palette.txt` has it.
 */
export function linesOfTable(table) {
  return [...table.matchAll(/^\S+\s+"([^"]*)"\s+(\S+)\s+(\S+)\s+(\S+)\s*$/gm)]
    .filter(([, name]) => Number.isFinite(numberOf(name)))
    .map(([, name, l, a, b]) => `${name} lab(${l} ${a} ${b})`)
    .join("\n");
}
