/** The probes as frames on the picture, with their names. */

import { make } from "./elements.js";
import { abridged } from "./formatting.js";
import { place } from "./region-geometry.js";

/** The most characters of a name on the picture. The list has all of them. */
const maxLabel = 20;

/** The frames. None of their names covers another. */
export class ProbeFrames {
  #surface;
  #probes = [];

  /** @param {HTMLElement} surface lies on the picture. */
  constructor(surface) {
    this.#surface = surface;
    new ResizeObserver(() => this.#placeLabels()).observe(surface);
  }

  /** Shows probes as the API lists them. */
  show(probes) {
    this.#probes = probes;
    this.#surface.replaceChildren(
      ...probes.map(({ name, region, reference, shape }) => {
        const frame = make("div", { className: "probe" });
        frame.toggleAttribute("data-reference", reference);
        frame.dataset.shape = shape;
        place(frame, region);
        frame.append(make("span", { text: abridged(name, maxLabel) }));
        return frame;
      }),
    );
    this.#placeLabels();
  }

  #placeLabels() {
    const { clientWidth: width, clientHeight: height } = this.#surface;
    const boxes = this.#probes.map(({ region: [x, y, w, h] }) => ({ left: x * width, top: y * height, width: w * width, height: h * height }));
    const labels = [...this.#surface.children].map(({ firstElementChild }) => /** @type {HTMLElement} */ (firstElementChild));
    const sizes = labels.map(({ offsetWidth, offsetHeight }) => ({ width: offsetWidth, height: offsetHeight }));
    for (const [index, found] of placeLabels(boxes, sizes, { width, height }).entries()) {
      labels[index].style.visibility = found ? "" : "hidden";
      if (found) Object.assign(labels[index].style, { left: `${found.left - boxes[index].left}px`, top: `${found.top - boxes[index].top}px` });
    }
  }
}

/**
 * Places labels above their frames, or below them where there is no room. One that has none there either is left out.
 * @typedef {{ left: number, top: number, width: number, height: number }} Box
 * @param {Box[]} frames
 * @param {{ width: number, height: number }[]} labels their sizes, in the order of the frames.
 * @param {{ width: number, height: number }} picture
 * @returns {(Box | null)[]} the place of each label, on the picture.
 */
export function placeLabels(frames, labels, picture) {
  /** @type {Box[]} */
  const taken = [];
  return frames.map((frame, index) => {
    const { width, height } = labels[index];
    if (width > picture.width) return null;
    const left = Math.max(0, Math.min(frame.left, picture.width - width));
    const place = [frame.top - height, frame.top + frame.height]
      .map((top) => ({ left, top, width, height }))
      .find((box) => box.top >= 0 && box.top + height <= picture.height && !taken.some((other) => areOverlapping(box, other)));
    if (place) taken.push(place);
    return place ?? null;
  });
}

function areOverlapping(one, other) {
  return one.left < other.left + other.width && other.left < one.left + one.width
    && one.top < other.top + other.height && other.top < one.top + one.height;
}
