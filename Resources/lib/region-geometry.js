/** Rectangles on the picture. */

/** @typedef {[number, number, number, number]} Region x, y, width and height as fractions of the picture. */

/** The width of the spot that a click selects. */
const spot = 0.05;
/** The smallest width and height of a region. A smaller one would be hard to grab. */
const minimumSide = 0.02;
/** @type {Region} */
export const full = [0, 0, 1, 1];

/** Whether a region is the whole picture. */
export function isFull(region) {
  return region.every((value, index) => value === full[index]);
}

export function clamp(value, most = 1) {
  return Math.min(Math.max(value, 0), most);
}

/**
 * A region, rounded to four decimals.
 * @returns {Region}
 */
export function rounded(region) {
  return /** @type {any} */ (region.map((value) => Math.round(value * 10_000) / 10_000));
}

/** A point of the screen as fractions of a box's width and height; at the nearest edge if it is outside. */
export function fractionsIn(box, { x, y }) {
  return [clamp((x - box.left) / box.width), clamp((y - box.top) / box.height)];
}

/**
 * A region that is moved, but not out of the picture.
 * @returns {Region}
 */
export function moved([x, y, width, height], dx, dy) {
  return [clamp(x + dx, 1 - width), clamp(y + dy, 1 - height), width, height];
}

/**
 * A region that is moved so that its center is at a point, or as near to it as the picture allows.
 * @param {Region} region
 * @param {number[]} center
 */
export function centered([x, y, width, height], [centerX, centerY]) {
  return moved([x, y, width, height], centerX - width / 2 - x, centerY - height / 2 - y);
}

/** A region of which some edges are moved. */
export function stretched([x, y, width, height], edges, dx, dy) {
  let [left, top, right, bottom] = [x, y, x + width, y + height];
  if (edges.includes("w")) left = clamp(left + dx, right - minimumSide);
  if (edges.includes("n")) top = clamp(top + dy, bottom - minimumSide);
  if (edges.includes("e")) right = Math.max(clamp(right + dx), left + minimumSide);
  if (edges.includes("s")) bottom = Math.max(clamp(bottom + dy), top + minimumSide);
  return [left, top, right - left, bottom - top];
}

/**
 * The spot around a point: a square on the picture, not beyond its edges.
 * @param {number[]} point in fractions of the picture.
 * @param {{ width: number, height: number }} size of the picture, in any unit.
 * @param {number} share that of the picture's width.
 * @returns {Region}
 */
export function spotAround([x, y], { width, height }, share = spot) {
  const [w, h] = [share, Math.min(1, (share * width) / height)];
  return [clamp(x - w / 2, 1 - w), clamp(y - h / 2, 1 - h), w, h];
}

/** The directions in which the arrow keys move something: to the right, and down. */
export const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Places an element that lies on the picture where a region is. */
export function place(element, [x, y, width, height]) {
  Object.assign(element.style, { left: `${x * 100}%`, top: `${y * 100}%`, width: `${width * 100}%`, height: `${height * 100}%` });
}

/** The region between two opposite corners. */
export function between([x0, y0], [x1, y1]) {
  const [x, y] = [Math.min(x0, x1, 1 - minimumSide), Math.min(y0, y1, 1 - minimumSide)];
  return [x, y, Math.max(Math.abs(x1 - x0), minimumSide), Math.max(Math.abs(y1 - y0), minimumSide)];
}
