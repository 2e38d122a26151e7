/** The delay before the first retry of a stream that failed, in milliseconds. It doubles with each failure. */
const firstDelay = 1_000;
const longestDelay = 15_000;

/** A stream of pictures in an image. It runs only while it is wanted and the page is visible. */
export class Stream {
  #image;
  #view;
  #isWanted = false;
  #failures = 0;
  #retry = 0;

  /**
   * @param {HTMLImageElement} image
   * @param {"live" | "processed"} view
   */
  constructor(image, view) {
    this.#image = image;
    this.#view = view;
    image.addEventListener("load", () => {
      this.#failures = 0;
      image.dataset.shown = "";
    });
    image.addEventListener("error", () => this.#fail());
    document.addEventListener("visibilitychange", () => this.#update());
  }

  /** Whether the stream should run. */
  set isWanted(isWanted) {
    if (isWanted === this.#isWanted) return;
    this.#isWanted = isWanted;
    this.#failures = 0;
    this.#update();
  }

  #update() {
    clearTimeout(this.#retry);
    const runs = this.#image.hasAttribute("src");
    const shouldRun = this.#isWanted && document.visibilityState === "visible";
    // The address is new each time, or the browser would show the last image from its cache.
    if (shouldRun && !runs) this.#image.src = `/stream.mjpg?view=${this.#view}&at=${Date.now()}`;
    if (!shouldRun && runs) this.#stop();
  }

  #fail() {
    this.#stop();
    const delay = Math.min(longestDelay, firstDelay * 2 ** this.#failures);
    this.#failures = Math.min(this.#failures + 1, 10);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#update(), delay);
  }

  #stop() {
    this.#image.removeAttribute("src");
    delete this.#image.dataset.shown;
  }
}
