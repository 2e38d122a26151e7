/** The steps of a calibration: what each measures, and whether its measurements can be used. */

import { chartAreas } from "./chart-corners.js";

/** The number of readings of each patch. */
export const readings = 16;
/** The share of clipped pixels above which a patch cannot be used. */
const maxClipped = 0.001;
/** The light, as a share of full scale, that the brightest part of a white sheet needs. */
const minWhite = 0.1;
/** The number of patches that a chart needs. */
const minPatches = 8;
/** The grid of a white sheet, and the number of areas that can be measured at once. */
export const flatSize = { columns: 16, rows: 12 };
export const maxAreas = 192;

/** Returns the steps of a plan: the covered lens, a white sheet, a card, and the chart, whole or patch by patch. */
export function steps({ withDark, withFlat, luminance, chart, corners }) {
  const patches = chart?.patches ?? [];
  return [
    ...(withDark ? [{ kind: "dark", name: "The dark (lens covered)" }] : []),
    ...(withFlat ? [{ kind: "flat", name: "A white sheet" }] : []),
    ...(luminance ? [{ kind: "card", name: `The card of ${Math.round(luminance * 1000) / 10} %` }] : []),
    ...(corners && patches.length > 0 ? [{ kind: "chart", name: "The whole chart" }] : patches.map((patch) => ({ kind: "patch", name: patch.name, patch }))),
  ];
}

/** The areas of the picture that a step measures: of a patch or a card, the region; null if the corners are not those of a chart. */
export function areas({ kind }, { corners, columns, chart }, region) {
  if (kind === "chart") return chartAreas(corners, columns, chart.patches.length);
  if (kind !== "flat") return [region];
  const [width, height] = [1 / flatSize.columns, 1 / flatSize.rows];
  return Array.from({ length: flatSize.rows }, (_, row) => Array.from({ length: flatSize.columns }, (_, column) => [column * width, row * height, width, height])).flat();
}

/** The end of a sentence that says why a step's measurements cannot be used; null if they can. */
export function problemOf({ kind }, measured) {
  if (kind === "dark") return null;
  if (kind === "flat") {
    const brightest = Math.max(...measured.flatMap(({ linear: { r, g, b } }) => [r, g, b]));
    const clipped = measured.map((cell) => defect({ ...cell, uneven: false })).find(Boolean);
    return clipped ?? (brightest < minWhite ? "it is dark. Raise the exposure or add light" : null);
  }
  const defects = measured.map(defect).filter(Boolean);
  const usable = measured.length - defects.length;
  if (kind !== "chart") return defects[0] ?? null;
  return usable < minPatches ? `${usable} of ${measured.length} patches can be used. The first problem of a patch: ${defects[0] ?? "there are too few"}` : null;
}

/** The end of a sentence that says why a measurement of a patch or card cannot be used; null if it can. */
export function defect({ uneven, clippedHigh, clippedLow }) {
  if (uneven) return "it is uneven: it has an edge, a shadow or a reflection";
  for (const [shares, end] of [[clippedHigh, "top"], [clippedLow, "bottom"]]) {
    const [name, share] = [["red", shares.r], ["green", shares.g], ["blue", shares.b]].sort((a, b) => b[1] - a[1])[0];
    if (share > maxClipped) return `${(100 * share).toFixed(1)} % of its pixels are at the ${end} of ${name}`;
  }
  return null;
}

export function meanOf(list) {
  const mean = (name) => list.reduce((sum, { linear }) => sum + linear[name], 0) / list.length;
  return { r: mean("r"), g: mean("g"), b: mean("b") };
}

/** A linear colour as CSS, encoded as sRGB (IEC 61966-2-1). */
export function css(linear) {
  const encoded = ({ r, g, b }) => [r, g, b].map((c) => 255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
  return `rgb(${encoded(linear).map((value) => Math.max(0, Math.min(255, value)).toFixed(2)).join(" ")})`;
}
