/** The picture of the camera on the pages that measure step by step, with the area. */

import { element } from "./elements.js";
import { ProbeFrames } from "./probe-frames.js";
import { RegionEditor } from "./region-editor.js";
import { centered, isFull, spotAround } from "./region-geometry.js";
import { fetchJSON } from "./requests.js";

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

/** The area of the same size that a click on a picture chooses, or a spot if all of it was read; null if there is no picture. */
export async function areaAt(picture, region, { offsetX, offsetY }) {
  // In Chromium, an image has no size while its next picture is loading.
  await picture.decode().catch(() => {});
  const { naturalWidth, naturalHeight, clientWidth, clientHeight } = picture;
  if (!naturalWidth) return null;
  const point = [offsetX / clientWidth, offsetY / clientHeight];
  return isFull(region) ? spotAround(point, { width: naturalWidth, height: naturalHeight }) : centered(region, point);
}

/** The picture with the area, which is drawn, moved and resized as on the dashboard, and the probes. */
export class AreaPicture {
  #editor;
  #probes = new ProbeFrames(element("probe-frames"));
  #onProblem;

  /**
   * @param {boolean} mayChange whether the area can be changed.
   * @param {(message: string) => void} onProblem called with a sentence if it was not.
   */
  constructor(mayChange, onProblem) {
    this.#onProblem = onProblem;
    this.#editor = new RegionEditor({ surface: element("view"), frame: element("region") }, {
      isEditable: mayChange,
      onChange: (region) => this.#send(region),
    });
    this.#editor.keepsSize = true;
    followPicture(element("picture", HTMLImageElement));
  }

  /** Shows the area of a reading. */
  show(region) {
    if (!this.#editor.isDragged) this.#editor.show(region);
  }

  /** Shows the probes, as the API lists them. */
  showProbes(probes) {
    this.#probes.show(probes);
  }

  async #send(region) {
    try {
      await fetchJSON("api/settings", { method: "PUT", body: { region } });
    } catch (problem) {
      this.#onProblem(problem.message);
    }
  }
}
