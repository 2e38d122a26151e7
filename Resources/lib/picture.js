/** The camera's picture. */

import { socketAddress } from "./feed.js";

let worker = null;
/** The functions that receive the worker's messages, by view. */
const receivers = new Map();

/**
 * Pictures on a canvas, or in an image element if the browser cannot draw off its main thread.
 *
 * They are requested only while they are wanted and the page is visible. The last one stays when they stop.
 */
export class Picture {
  /** @type {HTMLElement} */
  #element;
  #view;
  #onSize;
  #isWanted = false;
  #isRunning = false;
  #setRunning;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {"live" | "processed"} view
   * @param {(width: number, height: number) => void} onSize called when the first picture is shown, and when their size
   *   changes; with zeros when there is no picture any more.
   */
  constructor(canvas, view, onSize = () => {}) {
    this.#element = canvas;
    this.#view = view;
    this.#onSize = onSize;
    this.#setRunning = "transferControlToOffscreen" in canvas ? this.#setterForCanvas(canvas) : this.#setterForImage(canvas);
    document.addEventListener("visibilitychange", () => this.#update());
  }

  /** Whether there should be pictures. */
  set isWanted(isWanted) {
    if (isWanted === this.#isWanted) return;
    this.#isWanted = isWanted;
    this.#update();
  }

  /** The element that shows the pictures. */
  get element() {
    return this.#element;
  }

  #update() {
    const isRunning = this.#isWanted && document.visibilityState === "visible";
    if (isRunning === this.#isRunning) return;
    this.#isRunning = isRunning;
    this.#setRunning(isRunning);
  }

  #show(width, height) {
    if (width > 0) this.#element.dataset.shown = `${width}x${height}`;
    else delete this.#element.dataset.shown;
    this.#onSize(width, height);
  }

  #setterForCanvas(canvas) {
    const view = this.#view;
    let isReady = false;
    return (isRunning) => {
      worker ??= makeWorker();
      if (!isReady) {
        isReady = true;
        receivers.set(view, ({ isLost, width, height }) => this.#show(isLost ? 0 : width, isLost ? 0 : height));
        const offscreen = canvas.transferControlToOffscreen();
        worker.postMessage({ view, canvas: offscreen, url: socketAddress(`ws/picture?view=${view}`).href }, [offscreen]);
      }
      worker.postMessage({ view, isRunning });
    };
  }

  #setterForImage(canvas) {
    const image = new Image();
    image.id = canvas.id;
    image.className = canvas.className;
    image.alt = canvas.getAttribute("aria-label");
    image.draggable = false;
    canvas.replaceWith(image);
    this.#element = image;
    image.addEventListener("load", () => this.#show(image.naturalWidth, image.naturalHeight));
    let retry = 0;
    const setRunning = (isRunning) => {
      clearTimeout(retry);
      // The address is new each time, or the browser would show the last image from its cache.
      if (isRunning) image.src = `stream.mjpg?view=${this.#view}&at=${Date.now()}`;
      else image.removeAttribute("src");
    };
    image.addEventListener("error", () => {
      setRunning(false);
      this.#show(0, 0);
      retry = setTimeout(() => setRunning(this.#isRunning), 5_000);
    });
    return setRunning;
  }
}

function makeWorker() {
  // Bundles are in the folder of their page, so the path leads from there, too.
  const made = new Worker(new URL("../lib/picture-worker.js", import.meta.url), { type: "module" });
  made.onmessage = ({ data }) => receivers.get(data.view)(data);
  return made;
}
