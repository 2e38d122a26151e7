/** Concentrations in figures and words. */

import { none, withMinus } from "./formatting.js";

/** A number with as many decimals as its uncertainty allows, and five digits at most. */
export function rounded(value, uncertainty) {
  const digits = value ? 4 - Math.floor(Math.log10(Math.abs(value))) : 4;
  const decimals = Math.min(uncertainty > 0 ? 1 - Math.floor(Math.log10(uncertainty)) : 4, digits);
  const text = decimals > 6 || decimals < -3 ? value.toPrecision(3) : value.toFixed(Math.max(0, decimals));
  // What is rounded to 0 has no sign.
  return withMinus(Number(text) === 0 ? text.replace("-", "") : text);
}

/** A concentration of a reading with as many decimals as its interval of 95 % allows. Beyond the standards, it may have no interval. */
export function written(concentration) {
  if (!concentration) return { value: none, interval: "" };
  const { value, low, high } = concentration;
  const half = low === null ? Math.abs(value) / 20 : (high - low) / 2;
  return { value: rounded(value, half), interval: low === null ? "" : `${rounded(low, half)} to ${rounded(high, half)}` };
}

/** A concentration of a reading with its unit. */
export function withUnit(concentration) {
  return [written(concentration).value, concentration?.unit].filter(Boolean).join(" ");
}

/** What limits how far a concentration can be trusted, in a word or two; empty if nothing does. */
export function doubtAbout(concentration) {
  if (concentration?.belowDetection) return "below detection";
  return concentration?.extrapolated ? "extrapolated" : "";
}
