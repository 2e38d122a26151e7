/** The loupe: the pixels under the pointer, magnified, while an area is drawn or a spot is set. */

import { hexOf } from "../../lib/colors.js";
import { attributeSetter, element, textSetter } from "../../lib/elements.js";

const box = element("loupe");
const canvas = element("loupe-canvas", HTMLCanvasElement);
const context = canvas.getContext("2d", { willReadFrequently: true });
const setHex = textSetter("loupe-hex");
const setFill = attributeSetter(element("loupe-color"), "fill");

/**
 * Shows the surroundings of a point of the picture.
 * @param {HTMLCanvasElement} picture
 * @param {{ x: number, y: number }} point in fractions of the picture.
 */
export function showLoupe(picture, { x, y }) {
  if (!(picture instanceof HTMLCanvasElement) || !(picture.width > 0)) return;
  const [column, row] = [Math.floor(x * picture.width), Math.floor(y * picture.height)];
  const { width, height } = canvas;
  context.clearRect(0, 0, width, height);
  context.drawImage(picture, column - width / 2, row - height / 2, width, height, 0, 0, width, height);
  const hex = hexOf([...context.getImageData(width / 2, height / 2, 1, 1).data].slice(0, 3));
  setHex(hex);
  setFill(hex);
  // In the corner that is opposite to the pointer.
  box.toggleAttribute("data-left", x > 0.5);
  box.hidden = false;
}

export function hideLoupe() {
  box.hidden = true;
}
