/** The history strip, which the dashboard and the kiosk share: what it shows, and when it is drawn. */

import { HistoryLoader } from "./loader.js";
import { Plot } from "./plot.js";
import { Series } from "./series.js";

/** The spans that a strip can show, in milliseconds, by their names in the API. */
export const spans = {
  "1m": 60_000,
  "10m": 600_000,
  "1h": 3_600_000,
  "24h": 86_400_000,
  "7d": 604_800_000,
  "31d": 2_678_400_000,
};
/** The desired width of an interval, in CSS pixels, and the bounds of the number of intervals. */
const intervalWidth = 2;
const fewestIntervals = 150;
const mostIntervals = 600;
/** The number of intervals up to now that are requested for a part of a span, and the least length of a part, in milliseconds. */
const mostPartIntervals = 2_000;
const leastPart = 2_000;
/**
 * The least time between two drawings that readings cause, in milliseconds, and the least movement, in CSS pixels: a drawing
 * costs more than everything else that a reading causes. For people who want less motion, the time is longer.
 */
const drawingPeriod = 500;
const calmPeriod = 2_000;
const leastMovement = 2;
/** Changes of these media features change the colours. */
const appearances = ["(prefers-color-scheme: dark)", "(forced-colors: active)", "(prefers-contrast: more)"];

/** A canvas with the history of the colour. It is drawn, and data are requested, only while it can be seen. */
export class HistoryStrip {
  series = new Series();
  /** @type {"rgb" | "lightness" | "probes"} */
  #kind = "rgb";
  #plot;
  #canvas;
  #loader;
  #onDraw;
  #isOnScreen = false;
  #isPaused = false;
  #isStale = false;
  #isSized = false;
  #ratio = 0;
  #frame = 0;
  #drawnEnd = 0;
  #span = "10m";
  /** The part of the span that is shown alone; null if all of it is. */
  #part = null;
  /** Whether the part has been loaded, in finer intervals. */
  #hasPart = false;
  /** When the newest reading was captured, in milliseconds since 1970. */
  #now = 0;
  #calm = matchMedia("(prefers-reduced-motion: reduce)");
  #revision;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {object} handlers
   * @param {(problem: string) => void} handlers.onProblem gets a sentence, or an empty text when the problem is gone.
   * @param {() => void} [handlers.onLoad] called when data have been loaded.
   * @param {() => void} [handlers.onDraw] called after each drawing, which may have moved the times.
   */
  constructor(canvas, { onProblem, onLoad = () => {}, onDraw = () => {} }) {
    this.#canvas = canvas;
    this.#plot = new Plot(canvas);
    this.#onDraw = onDraw;
    this.#loader = new HistoryLoader(this.series, {
      onProblem,
      onLoad: () => {
        onLoad();
        this.#hasPart = this.#part !== null;
        this.#update();
      },
    });
    new IntersectionObserver((entries) => {
      this.#isOnScreen = entries.at(-1).isIntersecting;
      this.#update();
    }).observe(canvas);
    document.addEventListener("visibilitychange", () => this.#update());
    const restyle = () => this.#restyle();
    new ResizeObserver(restyle).observe(canvas);
    new MutationObserver(restyle).observe(document.documentElement, { attributeFilter: ["data-appearance"] });
    for (const query of appearances) matchMedia(query).addEventListener("change", restyle);
    restyle();
  }

  /** Chooses a span, one of `spans`, shows all of it, and ends a pause. */
  set span(span) {
    this.#span = span;
    this.#isPaused = false;
    this.#part = null;
    const points = this.#pointCount;
    this.series.begin(spans[span], spans[span] / points);
    this.#loader.load(span, points);
    this.#update();
    this.#schedule();
  }

  /**
   * Shows a part of the span alone, as fine as the server can resolve it. It stays until a span is chosen.
   * @param {number} from in milliseconds since 1970.
   * @param {number} to
   */
  showPart(from, to) {
    const missing = Math.max(0, leastPart - (to - from)) / 2;
    this.#part = { from: from - missing, to: to + missing };
    this.#hasPart = false;
    // The API knows spans up to now.
    const seconds = Math.ceil((Math.max(this.#now, this.series.end) - this.#part.from) / 1_000) + 2;
    this.#loader.load(`${Math.min(Math.max(10, seconds), spans["31d"] / 1_000)}s`, mostPartIntervals);
    this.#update();
  }

  /** The times at both ends, in milliseconds since 1970. */
  get view() {
    const { end, span } = this.series;
    return this.#part ?? { from: end - span, to: end };
  }

  /** Whether only a part of the span is shown. */
  get isPart() {
    return this.#part !== null;
  }

  /** Chooses the lines. */
  set kind(kind) {
    this.#kind = kind;
    this.series.hasProbes = this.#loader.withProbes = kind === "probes";
    this.#schedule();
  }

  /** While it is paused, the strip stays as it is. */
  set isPaused(isPaused) {
    this.#isPaused = isPaused;
    if (!isPaused && !this.#part) this.#loader.load(this.#span, this.#pointCount);
    this.#update();
  }

  get isPaused() {
    return this.#isPaused;
  }

  /** The plot, which knows the place of each time, in CSS pixels from the left of the canvas. */
  get plot() {
    return this.#plot;
  }

  /** Takes a reading, which may have no colour. */
  add(reading) {
    this.#now = Date.parse(reading.time);
    if (this.#isPaused || this.#part) return;
    const isValid = this.series.add(reading);
    // The server has readings that the series lacks, or a clock was set.
    if (this.#isStale || !isValid) this.#loader.reload();
    this.#isStale = false;
    const revision = reading.revisions?.history;
    if (this.#revision !== undefined && revision !== this.#revision) this.#loader.reloadSoon();
    this.#revision = revision;
    const period = Math.max(this.#calm.matches ? calmPeriod : drawingPeriod, leastMovement * this.#plot.resolution);
    const isLater = this.series.end < this.#drawnEnd || this.series.end - this.#drawnEnd >= period;
    if (this.series.isLive && isLater) this.#schedule();
  }

  /** Takes note that readings are missing: the server may have had some. */
  miss() {
    this.#isStale = true;
  }

  /** Shows a mark that was just set. */
  addMark(mark) {
    this.series.addMark(mark);
    this.#schedule();
  }

  /** Removes a mark that was deleted. */
  removeMark(mark) {
    this.series.removeMark(mark);
    this.#schedule();
  }

  get #pointCount() {
    const wanted = this.#isSized ? Math.round(this.#plot.width / intervalWidth / 50) * 50 : 300;
    return Math.min(mostIntervals, Math.max(fewestIntervals, wanted));
  }

  get #isVisible() {
    return this.#isOnScreen && document.visibilityState === "visible";
  }

  #update() {
    this.#loader.isActive = this.#isVisible && (this.#part ? !this.#hasPart : !this.#isPaused);
    this.#schedule();
  }

  #restyle() {
    this.#adoptStyle();
    // The new size has emptied the canvas. Drawing in the next frame would be too late.
    if (this.#isVisible) this.#draw();
  }

  #adoptStyle() {
    this.#ratio = devicePixelRatio;
    this.#plot.adoptStyle();
    this.#isSized = this.#canvas.width > 0;
  }

  #schedule() {
    if (!this.#frame && this.#isVisible) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#drawnEnd = this.series.end;
    // Zooming, or another screen, may change the ratio of pixels and nothing else.
    if (devicePixelRatio !== this.#ratio) this.#adoptStyle();
    this.#plot.draw(this.series, this.#kind, this.view);
    this.#onDraw();
  }
}
