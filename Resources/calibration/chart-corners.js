/** The four corners of a chart on a picture, and the areas of its patches between them. */

import { make } from "../lib/elements.js";
import { clamp, directions, fractionsIn } from "../lib/region-geometry.js";

/** The part of a patch's width and height that is measured. */
const share = 0.5;
/** The steps of an arrow key, alone and with Shift. */
const [step, longStep] = [0.002, 0.02];
const names = ["first patch", "end of the first row", "last patch", "start of the last row"];

/** The corners before somebody has dragged them. */
export const usualCorners = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]];

/**
 * Returns the areas of the patches of a chart, row by row: the largest upright rectangle of its proportions in the middle half
 * of each. `ChartGrid` (Metrology) does the same for the command line.
 * @param {number[][]} corners those of the first patch, of the last one of its row, and so on, round the chart.
 * @param {number} columns the number of patches in a row.
 * @param {number} count the number of patches.
 * @returns {number[][] | null} x, y, width and height of each; null if the corners are not those of a chart.
 */
export function chartAreas(corners, columns, count) {
  if (!isConvex(corners)) return null;
  const map = projection(corners);
  const rows = Math.ceil(count / columns);
  const areas = Array.from({ length: count }, (_, index) => {
    const [column, row] = [(index % columns) + 0.5, Math.floor(index / columns) + 0.5];
    const middle = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => map((column + (x * share) / 2) / columns, (row + (y * share) / 2) / rows));
    return rectangle(middle, map(column / columns, row / rows));
  });
  return areas.every(([, , width, height]) => Math.min(width, height) > 1e-3) ? areas : null;
}

/** Whether each corner turns the same way. */
function isConvex(corners) {
  const turns = corners.map(([x, y], index) => {
    const [[nextX, nextY], [afterX, afterY]] = [corners[(index + 1) % 4], corners[(index + 2) % 4]];
    return (nextX - x) * (afterY - nextY) - (nextY - y) * (afterX - nextX);
  });
  return turns.every((turn) => turn > 1e-6) || turns.every((turn) => turn < -1e-6);
}

/** The projective mapping of the unit square to a quadrilateral (P. S. Heckbert, Fundamentals of Texture Mapping, 1989, 2.2.3). */
function projection(corners) {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners;
  const [restX, restY] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const determinant = (x1 - x2) * (y3 - y2) - (y1 - y2) * (x3 - x2);
  const g = (restX * (y3 - y2) - restY * (x3 - x2)) / determinant;
  const h = ((x1 - x2) * restY - (y1 - y2) * restX) / determinant;
  return (u, v) => {
    const scale = 1 / (g * u + h * v + 1);
    return [((x1 - x0 + g * x1) * u + (x3 - x0 + h * x3) * v + x0) * scale, ((y1 - y0 + g * y1) * u + (y3 - y0 + h * y3) * v + y0) * scale];
  };
}

/** The largest upright rectangle around a point in a quadrilateral that has the proportions of the quadrilateral's bounds. */
function rectangle(corners, center) {
  const [centerX, centerY] = center;
  const [width, height] = [0, 1].map((axis) => {
    const values = corners.map((corner) => corner[axis]);
    return Math.max(...values) - Math.min(...values);
  });
  const scales = corners.map(([fromX, fromY], index) => {
    const [x, y] = [corners[(index + 1) % 4][0] - fromX, corners[(index + 1) % 4][1] - fromY];
    return (2 * Math.abs(x * (centerY - fromY) - y * (centerX - fromX))) / (Math.abs(y) * width + Math.abs(x) * height);
  });
  const scale = Math.min(...scales);
  return [centerX - (scale * width) / 2, centerY - (scale * height) / 2, scale * width, scale * height];
}

/** The corners as handles on a picture, which are moved by mouse, touch or arrow keys. */
export class CornerEditor {
  #surface;
  #onChange;
  #handles;
  #corners = usualCorners;

  /**
   * @param {HTMLElement} surface the picture's box, to which the handles are added.
   * @param {(corners: number[][], isDone: boolean) => void} onChange gets the corners; `isDone` when a drag has ended.
   */
  constructor(surface, onChange) {
    this.#surface = surface;
    this.#onChange = onChange;
    this.#handles = names.map((name, index) => this.#makeHandle(name, index));
    surface.append(...this.#handles);
  }

  /** Shows the corners; none if they are null. */
  show(corners) {
    this.#corners = corners ?? usualCorners;
    for (const [index, handle] of this.#handles.entries()) {
      handle.hidden = !corners;
      handle.style.left = `${100 * this.#corners[index][0]}%`;
      handle.style.top = `${100 * this.#corners[index][1]}%`;
    }
  }

  #makeHandle(name, index) {
    const handle = make("button", { className: "corner", text: String(index + 1) });
    handle.type = "button";
    handle.setAttribute("aria-label", `Corner ${index + 1}: ${name}`);
    handle.addEventListener("pointerdown", (event) => {
      // A press on a handle is not one on the picture.
      event.stopPropagation();
      if (event.button !== 0) return;
      event.preventDefault();
      handle.focus({ preventScroll: true });
      handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      this.#move(index, fractionsIn(this.#surface.getBoundingClientRect(), { x: event.clientX, y: event.clientY }), false);
    });
    handle.addEventListener("lostpointercapture", () => this.#move(index, this.#corners[index], true));
    handle.addEventListener("keydown", (event) => {
      const direction = directions[event.key];
      if (!direction) return;
      event.preventDefault();
      const length = event.shiftKey ? longStep : step;
      this.#move(index, this.#corners[index].map((value, axis) => value + length * direction[axis]), true);
    });
    return handle;
  }

  #move(index, point, isDone) {
    const moved = point.map((value) => Math.round(1e5 * clamp(value)) / 1e5);
    this.#corners = this.#corners.map((corner, other) => (other === index ? moved : corner));
    this.#onChange(this.#corners, isDone);
  }
}
