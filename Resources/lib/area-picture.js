/** The picture of the camera on the pages that measure step by step, with the area, which a click or the arrow keys move. */

import { element } from "./elements.js";
import { directions, full, moved, spotAround } from "./region-geometry.js";
import { fetchJSON } from "./requests.js";

/** How far an arrow key moves the area, as a share of the picture; with Shift, five times as far. */
const step = 0.01;
/** The time between two pictures, in milliseconds. */
const picturePeriod = 500;

/**
 * Loads the newest picture, again and again while it is wanted and the page is visible.
 * @param {HTMLImageElement} picture
 */
export async function followPicture(picture, isWanted = () => true) {
  if (isWanted() && !document.hidden) {
    const response = await fetch("snapshot.jpg").catch(() => null);
    if (response?.ok) {
      URL.revokeObjectURL(picture.src);
      picture.src = URL.createObjectURL(await response.blob());
    }
  }
  setTimeout(() => followPicture(picture, isWanted), picturePeriod);
}

/** The spot that a click on a picture chooses; null if there is no picture. */
export async function spotAt(picture, { offsetX, offsetY }) {
  // In Chromium, an image has no size while its next picture is loading.
  await picture.decode().catch(() => {});
  const { naturalWidth, naturalHeight, clientWidth, clientHeight } = picture;
  if (!naturalWidth) return null;
  return spotAround([offsetX / clientWidth, offsetY / clientHeight], { width: naturalWidth, height: naturalHeight });
}

export class AreaPicture {
  #picture = element("picture", HTMLImageElement);
  #area = element("area", SVGElement);
  #region = full;
  #onProblem;

  /**
   * @param {boolean} mayChange whether the area can be moved.
   * @param {(message: string) => void} onProblem called with a sentence if it was not.
   */
  constructor(mayChange, onProblem) {
    this.#onProblem = onProblem;
    if (mayChange) {
      this.#picture.tabIndex = 0;
      this.#picture.addEventListener("click", (event) => this.#choose(event));
      this.#picture.addEventListener("keydown", (event) => this.#step(event));
    }
    followPicture(this.#picture);
  }

  /** Shows the area of a reading. */
  show(region) {
    this.#region = region;
    const [x, y, width, height] = region;
    for (const rect of this.#area.children) {
      for (const [name, value] of Object.entries({ x, y, width, height })) rect.setAttribute(name, String(value));
    }
  }

  async #choose(event) {
    const region = await spotAt(this.#picture, event);
    if (region) this.#move(region);
  }

  #step(event) {
    const direction = directions[event.key];
    if (!direction) return;
    event.preventDefault();
    const length = event.shiftKey ? 5 * step : step;
    this.#move(moved(this.#region, length * direction[0], length * direction[1]));
  }

  async #move(region) {
    this.show(region);
    try {
      await fetchJSON("api/settings", { method: "PUT", body: { region } });
    } catch (problem) {
      this.#onProblem(problem.message);
    }
  }
}
