/** The area of the picture that is read. */

import { between, centered, directions, fractionsIn, full, isFull, moved, place, rounded, spotAround, stretched } from "./region-geometry.js";

/** Movements of the pointer shorter than this, in pixels, are a click. */
const clickTolerance = 6;
/** Clicks as near to the area as this, in pixels, are meant for it and its handles. Handles reach farther out. */
const frameReach = 8;
/** How long a finger rests on the picture before it selects an area, in milliseconds. */
const longPress = 500;
/** The step of an arrow key, and the longest step, which it reaches when pressed many times in a row. */
const step = 0.01;
const longestStep = 0.08;
/** Key presses that follow each other within this time, in milliseconds, are one change. */
const keySeriesTime = 1_500;

/** @typedef {import("./region-geometry.js").Region} Region */

/** The region that is read, as a frame on the picture. It is changed by mouse, touch or keyboard. */
export class RegionEditor {
  #surface;
  #frame;
  #onChange;
  #onIdle;
  #onLongPress;
  #onPoint;
  #onPick;
  /** @type {Region} */
  #region = full;
  #drawn = "";
  #gesture = null;
  #isSelecting = false;
  /** A press that has not selected anything: of a resting finger, or on a fixed area; null once it moves or selects. */
  #press = null;
  #keys = { key: "", count: 0, at: 0, before: full };

  /**
   * @param {object} elements
   * @param {HTMLElement} elements.surface the picture.
   * @param {HTMLElement} elements.frame lies on the picture; its handles have `data-edges`, such as "n w".
   * @param {object} options
   * @param {boolean} options.isEditable
   * @param {(region: Region, before: Region | null) => void} options.onChange `before` is the region before a change that
   *   the user may want to undo; null while a change continues.
   * @param {(point: { x: number, y: number } | null, region: Region) => void} [options.onPoint] gets the place of the pointer on
   *   the picture, in fractions of it, while it draws an area or sets a spot, and then null; and what would be read.
   * @param {(region: Region) => void} [options.onPick] gets an area that the pointer has picked while `isPicking` is true.
   * @param {() => void} [options.onIdle] called for a tap or a click that changes nothing.
   * @param {() => void} [options.onLongPress] called when a finger has rested on the picture, before it sets a spot or draws.
   */
  constructor({ surface, frame }, { isEditable, onChange, onIdle = ignore, onLongPress = ignore, onPick = ignore, onPoint = ignore }) {
    this.#surface = surface;
    this.#frame = frame;
    this.#onChange = onChange;
    this.#onIdle = onIdle;
    this.#onLongPress = onLongPress;
    this.#onPoint = onPoint;
    this.#onPick = onPick;
    this.#draw();
    if (!isEditable) return;
    surface.addEventListener("pointerdown", (event) => this.#begin(event));
    surface.addEventListener("pointermove", (event) => this.#move(event));
    surface.addEventListener("pointerup", (event) => this.#end(event));
    surface.addEventListener("pointercancel", () => this.#cancel());
    frame.addEventListener("keydown", (event) => this.#handleKey(event));
    // The browser must not take over a touch that selects, neither to scroll nor for its menu.
    surface.addEventListener("touchmove", (event) => this.#preventDefaultWhileDragging(event), { passive: false });
    surface.addEventListener("contextmenu", (event) => this.#preventDefaultWhileDragging(event));
  }

  /** Whether the user is changing the region, which readings must not overwrite. */
  get isDragged() {
    return this.#gesture !== null;
  }

  /** Whether the pointer has drawn, moved or resized an area that it has not let go of. */
  get isDrawn() {
    return Boolean(this.#gesture?.isMoved);
  }

  get isFull() {
    return isFull(this.#region);
  }

  get region() {
    return this.#region;
  }

  /** Whether the region cannot be changed for now. */
  isFixed = false;

  /** Whether the pointer picks areas for something else, and leaves the region as it is. */
  isPicking = false;

  /** What a click selects around it: as wide and high as this region, or a spot if it is null. */
  spot = null;

  /** Whether a click moves the area instead of setting a spot, unless the area is the whole picture. */
  keepsSize = false;

  /** Whether touches select an area. Otherwise they scroll and zoom the page. */
  set isSelecting(isSelecting) {
    if (this.#isSelecting && !isSelecting) this.#cancel();
    this.#isSelecting = isSelecting;
  }

  /** Shows a region from a reading. */
  show(region) {
    this.#region = region;
    this.#draw();
  }

  reset() {
    this.#commit(full, this.#region);
  }

  #begin(event) {
    // With a second finger it is a pinch.
    this.#lift();
    if (event.button !== 0 || !event.isPrimary) return;
    if (this.isFixed || (event.pointerType !== "mouse" && !this.#isSelecting && !this.isPicking)) {
      const timer = this.isFixed ? 0 : setTimeout(() => this.#pressLong(event), longPress);
      this.#press = { x: event.clientX, y: event.clientY, timer };
      return;
    }
    // Keeps the browser from selecting text and from scrolling.
    event.preventDefault();
    this.#grab(event, event.target instanceof HTMLElement ? event.target.dataset.edges : undefined);
  }

  #grab({ pointerId, clientX: x, clientY: y }, edges) {
    this.#frame.focus({ preventScroll: true });
    this.#surface.setPointerCapture(pointerId);
    const box = this.#surface.getBoundingClientRect();
    this.#gesture = { box, x, y, edges, before: this.#region, isMoved: false };
    this.#point({ clientX: x, clientY: y });
  }

  #point({ clientX: x, clientY: y }) {
    const gesture = this.#gesture;
    if (gesture.edges !== undefined) return;
    const [left, top] = fractionsIn(gesture.box, { x, y });
    this.#onPoint({ x: left, y: top }, gesture.isMoved ? this.#region : this.#spotAt(gesture, { clientX: x, clientY: y }));
  }

  #pressLong(event) {
    this.#lift();
    this.#onLongPress();
    this.#grab(event, undefined);
  }

  /** Forgets the press. */
  #lift() {
    clearTimeout(this.#press?.timer);
    this.#press = null;
  }

  #preventDefaultWhileDragging(event) {
    if (this.#gesture && event.cancelable) event.preventDefault();
  }

  #move(event) {
    if (this.#press && distance(event, this.#press) >= clickTolerance) this.#lift();
    const gesture = this.#gesture;
    if (!gesture) return;
    gesture.isMoved ||= distance(event, gesture) >= clickTolerance;
    if (gesture.isMoved) this.#drag(event, gesture);
    this.#point(event);
  }

  #drag(event, gesture) {
    const { before, edges } = gesture;
    const [startX, startY] = fractionsIn(gesture.box, gesture);
    const [x, y] = fractionsIn(gesture.box, { x: event.clientX, y: event.clientY });
    if (edges === undefined) this.#region = rounded(between([startX, startY], [x, y]));
    else if (edges === "all") this.#region = rounded(moved(before, x - startX, y - startY));
    else this.#region = rounded(stretched(before, edges, x - startX, y - startY));
    this.#draw();
    // An area is read when it has been drawn completely; one that is moved or resized is read on the way, too.
    if (edges !== undefined) this.#onChange(this.#region, null);
  }

  #end(event) {
    if (this.#press) this.#tap(event);
    this.#lift();
    const gesture = this.#gesture;
    if (!gesture) return;
    this.#gesture = null;
    this.#onPoint(null, this.#region);
    if (this.isPicking && gesture.edges === undefined) {
      const picked = gesture.isMoved ? this.#region : this.#spotAt(gesture, event);
      this.show(gesture.before);
      this.#onPick(rounded(picked));
    } else if (gesture.isMoved) this.#commit(this.#region, gesture.before);
    else if (gesture.edges === undefined || this.#isBeside(event)) this.#commit(this.#spotAt(gesture, event), gesture.before);
  }

  /** A finger that neither moved nor rested, or a click on a fixed area. */
  #tap(event) {
    if (this.isFixed) this.#onIdle();
    else this.#commit(this.#spotAt({ box: this.#surface.getBoundingClientRect(), before: this.#region }, event), this.#region);
  }

  #cancel() {
    this.#lift();
    const gesture = this.#gesture;
    this.#gesture = null;
    this.#onPoint(null, this.#region);
    if (gesture?.isMoved) this.#commit(gesture.before, null);
  }

  /** Whether the pointer is outside of the area and too far from it to be meant for its frame. */
  #isBeside({ clientX: x, clientY: y }) {
    const { left, right, top, bottom } = this.#frame.getBoundingClientRect();
    return Math.max(left - x, x - right, top - y, y - bottom) > frameReach;
  }

  /** @returns {Region} what a click reads: a square around the pointer, or the area with its center there. */
  #spotAt(gesture, event) {
    const point = fractionsIn(gesture.box, { x: event.clientX, y: event.clientY });
    const pattern = this.keepsSize && !isFull(gesture.before) ? gesture.before : this.spot;
    return pattern ? centered(pattern, point) : spotAround(point, gesture.box);
  }

  #handleKey(event) {
    if (this.isFixed) return;
    if ((event.key === "Escape" && this.#gesture) || (event.key === "Home" && !this.isFull)) {
      if (this.#gesture) this.#cancel();
      else this.reset();
      event.preventDefault();
      return;
    }
    const direction = directions[event.key];
    if (!direction || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const { length, before } = this.#step(`${event.shiftKey} ${event.key}`);
    const [x, y] = direction.map((sign) => sign * length);
    /** @type {any} */
    let region = this.#region;
    if (event.shiftKey) region = stretched(region, "e s", x, y);
    // The whole picture cannot be moved: a spot in its middle begins.
    else region = this.isFull ? spotAround([0.5, 0.5], this.#surface.getBoundingClientRect()) : moved(region, x, y);
    this.#commit(region, before);
  }

  /** The step of a key, which doubles with every third press in a row, and the region before the first of these presses. */
  #step(key) {
    const last = this.#keys;
    const now = performance.now();
    const isSeries = now - last.at < keySeriesTime;
    const count = isSeries && key === last.key ? last.count + 1 : 0;
    const before = isSeries ? last.before : this.#region;
    this.#keys = { key, count, at: now, before };
    return { length: Math.min(longestStep, step * 2 ** Math.floor(count / 3)), before };
  }

  #commit(region, before) {
    this.#region = rounded(region);
    this.#draw();
    this.#onChange(this.#region, before);
  }

  #draw() {
    const [x, y, width, height] = this.#region;
    const key = this.#region.join(" ");
    if (key === this.#drawn) return;
    this.#drawn = key;
    place(this.#frame, this.#region);
    this.#frame.toggleAttribute("data-full", this.isFull);
    const percent = (value) => `${Math.round(value * 100)} %`;
    const text = `from ${percent(x)} left and ${percent(y)} top, ${percent(width)} wide, ${percent(height)} high`;
    this.#frame.setAttribute("aria-valuetext", this.isFull ? "the whole picture" : text);
  }
}

const ignore = (..._) => {};

function distance({ clientX, clientY }, { x, y }) {
  return Math.hypot(clientX - x, clientY - y);
}
