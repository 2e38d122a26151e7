/** The figures of a reading, as text. */

import { none, withMinus } from "../../lib/formatting.js";

const fixed = (decimals) => (value) => (Number.isFinite(value) ? value.toFixed(decimals) : none);
const whole = new Intl.NumberFormat("en");

/** A share of the pixels. A single pixel does not look like none. */
function percent(share) {
  if (!Number.isFinite(share)) return none;
  return share > 0 && share < 0.0001 ? "< 0.01 %" : `${(share * 100).toFixed(2)} %`;
}

function drift(slope) {
  return slope ? `${withMinus(slope.deltaEPerMinute.toFixed(2))} ± ${slope.standardError.toFixed(2)} ΔE/min` : none;
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

/** The texts of a figure of red, green and blue, by the name of its row. */
export function channelTexts(name, reading) {
  const [values, format] = channelFigures[name](reading);
  return ["r", "g", "b"].map((channel) => (values?.[channel] == null ? none : format(values[channel])));
}

/** The figures of the colour and of all channels together, by the names of their places. */
export const figures = {
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
};

/**
 * Returns the function of a figure of the colour that the program declares: a word, or a number with decimals and a unit.
 * @param {DOMStringMap} declaration The data of its place.
 */
export function colorFigure({ colorFigure: key, decimals, unit }) {
  const digits = Number(decimals);
  const format = new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return ({ color }) => {
    const value = color?.[key];
    if (typeof value === "string") return value;
    return Number.isFinite(value) ? `${format.format(value)} ${unit}`.trim() : none;
  };
}
