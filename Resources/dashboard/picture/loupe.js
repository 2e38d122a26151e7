/** The loupe: the pixels under the pointer, magnified, and the outline of the area, while that is drawn or a spot is set. */

import { hexOf } from "../../lib/colors.js";
import { attributeSetter, element, textSetter } from "../../lib/elements.js";
import { place } from "../../lib/region-geometry.js";

const box = element("loupe");
const canvas = element("loupe-canvas", HTMLCanvasElement);
const context = canvas.getContext("2d", { willReadFrequently: true });
const outline = element("loupe-area");
const setHex = textSetter("loupe-hex");
const setFill = attributeSetter(element("loupe-color"), "fill");

/**
 * Shows the surroundings of a point of the picture, with the outline of an area.
 * @param {HTMLCanvasElement} picture
 * @param {{ x: number, y: number }} point in fractions of the picture.
 * @param {import("../../lib/region-geometry.js").Region} region
 */
export function showLoupe(picture, { x, y }, region) {
  if (!(picture instanceof HTMLCanvasElement) || !(picture.width > 0)) return;
  const [column, row] = [Math.floor(x * picture.width), Math.floor(y * picture.height)];
  const { width, height } = canvas;
  context.clearRect(0, 0, width, height);
  context.drawImage(picture, column - width / 2, row - height / 2, width, height, 0, 0, width, height);
  const hex = hexOf([...context.getImageData(width / 2, height / 2, 1, 1).data].slice(0, 3));
  setHex(hex);
  setFill(hex);
  const [left, top] = [region[0] * picture.width - column + width / 2, region[1] * picture.height - row + height / 2];
  place(outline, [left / width, top / height, (region[2] * picture.width) / width, (region[3] * picture.height) / height]);
  // In the corner that is opposite to the pointer.
  box.toggleAttribute("data-left", x > 0.5);
  box.hidden = false;
}

export function hideLoupe() {
  box.hidden = true;
}
