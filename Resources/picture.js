/** The camera's picture, the region on it that is read, and the sparkles. */

let worker = null;
/** The functions that get the messages of the worker, by view. */
const receivers = new Map();

/**
 * Pictures on a canvas, or in an image where a browser cannot draw away from its main thread.
 *
 * They are requested only while they are wanted and the page is visible. The last one stays when they stop.
 */
export class Picture {
  /** @type {HTMLElement} */
  #element;
  #view;
  #onSize;
  #isWanted = false;
  #runs = false;
  #start;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {"live" | "processed"} view
   * @param {(width: number, height: number) => void} onSize called when the first picture is shown, and when their size
   *   changes; with zeros when there is none any more.
   */
  constructor(canvas, view, onSize = () => {}) {
    this.#element = canvas;
    this.#view = view;
    this.#onSize = onSize;
    this.#start = "transferControlToOffscreen" in canvas ? this.#startOnCanvas(canvas) : this.#startInImage(canvas);
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
    const runs = this.#isWanted && document.visibilityState === "visible";
    if (runs === this.#runs) return;
    this.#runs = runs;
    this.#start(runs);
  }

  #show(width, height) {
    if (width > 0) this.#element.dataset.shown = `${width}x${height}`;
    else delete this.#element.dataset.shown;
    this.#onSize(width, height);
  }

  #startOnCanvas(canvas) {
    const view = this.#view;
    let isReady = false;
    return (runs) => {
      worker ??= makeWorker();
      if (!isReady) {
        isReady = true;
        receivers.set(view, ({ isLost, width, height }) => this.#show(isLost ? 0 : width, isLost ? 0 : height));
        const url = new URL(`/ws/picture?view=${view}`, location.href);
        url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
        const offscreen = canvas.transferControlToOffscreen();
        worker.postMessage({ view, canvas: offscreen, url: url.href }, [offscreen]);
      }
      worker.postMessage({ view, runs });
    };
  }

  #startInImage(canvas) {
    const image = new Image();
    image.id = canvas.id;
    image.className = canvas.className;
    image.alt = canvas.getAttribute("aria-label");
    image.draggable = false;
    canvas.replaceWith(image);
    this.#element = image;
    image.addEventListener("load", () => this.#show(image.naturalWidth, image.naturalHeight));
    let retry = 0;
    const start = (runs) => {
      clearTimeout(retry);
      // The address is new each time, or the browser would show the last image from its cache.
      if (runs) image.src = `/stream.mjpg?view=${this.#view}&at=${Date.now()}`;
      else image.removeAttribute("src");
    };
    image.addEventListener("error", () => {
      start(false);
      this.#show(0, 0);
      retry = setTimeout(() => start(this.#runs), 5_000);
    });
    return start;
  }
}

function makeWorker() {
  const made = new Worker(new URL("./picture-worker.js", import.meta.url), { type: "module" });
  made.onmessage = ({ data }) => receivers.get(data.view)(data);
  return made;
}

/** The smallest width and height of a region, as fractions of the picture. A smaller one would be hard to grab. */
const least = 0.02;
/** The width of the spot that a click selects. */
const spot = 0.05;
/** Movements of the pointer shorter than this, in pixels, are a click. */
const slip = 6;
/** The step of an arrow key, and the longest one, which it has after the key was pressed many times in a row. */
const step = 0.01;
const longestStep = 0.08;
/** Key presses that follow each other within this time, in milliseconds, are one change. */
const series = 1_500;
/** @type {Region} */
const full = [0, 0, 1, 1];

/**
 * The region that is read, as a frame on the picture. It is changed by mouse, touch or keyboard.
 * @typedef {[number, number, number, number]} Region x, y, width and height as fractions of the picture.
 */
export class RegionEditor {
  #surface;
  #frame;
  #shade;
  #onChange;
  /** @type {Region} */
  #region = full;
  #drawn = "";
  #gesture = null;
  #isSelecting = false;
  #keys = { key: "", count: 0, at: 0, before: full };

  /**
   * @param {object} elements
   * @param {HTMLElement} elements.surface the picture.
   * @param {HTMLElement} elements.frame lies on the picture; its handles have `data-edges`, such as "n w".
   * @param {Element} elements.shade the path that darkens the rest of the picture, in fractions of it.
   * @param {{ onChange: (region: Region, before: Region | null) => void, isEditable: boolean }} options
   *   `before` is the region before a change that the user may want to undo; null while a change continues.
   */
  constructor({ surface, frame, shade }, { onChange, isEditable }) {
    this.#surface = surface;
    this.#frame = frame;
    this.#shade = shade;
    this.#onChange = onChange;
    this.#draw();
    if (!isEditable) return;
    surface.addEventListener("pointerdown", (event) => this.#begin(event));
    surface.addEventListener("pointermove", (event) => this.#move(event));
    surface.addEventListener("pointerup", (event) => this.#end(event));
    surface.addEventListener("pointercancel", () => this.#cancel());
    frame.addEventListener("keydown", (event) => this.#press(event));
  }

  /** Whether the user is changing the region, which readings must not overwrite. */
  get isDragged() {
    return this.#gesture !== null;
  }

  get isFull() {
    return isFull(this.#region);
  }

  get region() {
    return this.#region;
  }

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
    if (event.button !== 0 || !event.isPrimary || (event.pointerType !== "mouse" && !this.#isSelecting)) return;
    // Neither selects text nor scrolls.
    event.preventDefault();
    this.#frame.focus({ preventScroll: true });
    this.#surface.setPointerCapture(event.pointerId);
    const box = this.#surface.getBoundingClientRect();
    const edges = event.target instanceof HTMLElement ? event.target.dataset.edges : undefined;
    this.#gesture = { box, x: event.clientX, y: event.clientY, edges, before: this.#region, isMoved: false };
  }

  #move(event) {
    const gesture = this.#gesture;
    if (!gesture) return;
    gesture.isMoved ||= Math.hypot(event.clientX - gesture.x, event.clientY - gesture.y) >= slip;
    if (!gesture.isMoved) return;
    const { before, edges } = gesture;
    const [startX, startY] = place(gesture, gesture);
    const [x, y] = place(gesture, { x: event.clientX, y: event.clientY });
    if (edges === undefined) this.#region = rounded(between([startX, startY], [x, y]));
    else if (edges === "all") this.#region = rounded(moved(before, x - startX, y - startY));
    else this.#region = rounded(stretched(before, edges, x - startX, y - startY));
    this.#draw();
    // A frame that is drawn is read when it is complete. One that is moved is read on the way.
    if (edges !== undefined) this.#onChange(this.#region, null);
  }

  #end(event) {
    const gesture = this.#gesture;
    if (!gesture) return;
    this.#gesture = null;
    if (gesture.isMoved) this.#commit(this.#region, gesture.before);
    else if (gesture.edges === undefined) this.#commit(this.#spotAt(gesture, event), gesture.before);
  }

  #cancel() {
    const gesture = this.#gesture;
    this.#gesture = null;
    if (gesture?.isMoved) this.#commit(gesture.before, null);
  }

  /** @returns {Region} a square around the pointer. */
  #spotAt(gesture, event) {
    const { width, height } = gesture.box;
    const [x, y] = place(gesture, { x: event.clientX, y: event.clientY });
    const [w, h] = [spot, Math.min(1, (spot * width) / height)];
    return [clamp(x - w / 2, 1 - w), clamp(y - h / 2, 1 - h), w, h];
  }

  #press(event) {
    if (event.key === "Home" || event.key === "Escape") {
      if (this.#gesture) this.#cancel();
      else if (!this.isFull) this.reset();
      else return;
      event.preventDefault();
      return;
    }
    const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const direction = directions[event.key];
    if (!direction || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const { length, before } = this.#step(`${event.shiftKey} ${event.key}`);
    const [x, y] = direction.map((sign) => sign * length);
    /** @type {any} */
    let region = this.#region;
    if (event.shiftKey) region = stretched(region, "e s", x, y);
    // The whole picture cannot be moved: the middle half of it can.
    else region = moved(this.isFull ? [0.25, 0.25, 0.5, 0.5] : region, x, y);
    this.#commit(region, before);
  }

  /** The step of a key: it doubles with every third press in a row. And the region before the first of these presses. */
  #step(key) {
    const last = this.#keys;
    const now = performance.now();
    const isSeries = now - last.at < series;
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
    Object.assign(this.#frame.style, {
      left: `${x * 100}%`,
      top: `${y * 100}%`,
      width: `${width * 100}%`,
      height: `${height * 100}%`,
    });
    this.#frame.toggleAttribute("data-full", this.isFull);
    this.#shade.setAttribute("d", `M0 0H1V1H0Z M${x} ${y}v${height}h${width}v${-height}z`);
    const percent = (value) => `${Math.round(value * 100)} %`;
    const text = `from ${percent(x)} left and ${percent(y)} top, ${percent(width)} wide, ${percent(height)} high`;
    this.#frame.setAttribute("aria-valuetext", this.isFull ? "the whole picture" : text);
  }
}

function isFull(region) {
  return region.every((value, index) => value === full[index]);
}

function clamp(value, most = 1) {
  return Math.min(Math.max(value, 0), most);
}

/** @returns {Region} */
function rounded(region) {
  return /** @type {any} */ (region.map((value) => Math.round(value * 10_000) / 10_000));
}

function place({ box }, { x, y }) {
  return [clamp((x - box.left) / box.width), clamp((y - box.top) / box.height)];
}

function moved([x, y, width, height], dx, dy) {
  return [clamp(x + dx, 1 - width), clamp(y + dy, 1 - height), width, height];
}

function stretched([x, y, width, height], edges, dx, dy) {
  let [left, top, right, bottom] = [x, y, x + width, y + height];
  if (edges.includes("w")) left = clamp(left + dx, right - least);
  if (edges.includes("n")) top = clamp(top + dy, bottom - least);
  if (edges.includes("e")) right = Math.max(clamp(right + dx), left + least);
  if (edges.includes("s")) bottom = Math.max(clamp(bottom + dy), top + least);
  return [left, top, right - left, bottom - top];
}

function between([x0, y0], [x1, y1]) {
  const [x, y] = [Math.min(x0, x1, 1 - least), Math.min(y0, y1, 1 - least)];
  return [x, y, Math.max(Math.abs(x1 - x0), least), Math.max(Math.abs(y1 - y0), least)];
}

/** The number of sparkles on a white picture. */
const maxSparkles = 120;
/** The lifetime of a sparkle, in milliseconds. */
const shortest = 700;
const longest = 1_900;

/**
 * Sparkles over the live picture: the brighter the scene, the more of them, as on a vampire in the sun.
 *
 * Nothing runs while they are off. They stand still for users who prefer reduced motion.
 */
export class Sparkles {
  #canvas;
  #brightness = 0;
  #isOn = false;
  #sparkles = [];
  #request = 0;
  #stillness = matchMedia("(prefers-reduced-motion: reduce)");

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.#canvas = canvas;
    document.addEventListener("visibilitychange", () => this.#update());
    this.#stillness.addEventListener("change", () => this.#update());
  }

  /** The number of sparkles on the canvas. */
  get count() {
    return this.#sparkles.length;
  }

  set isOn(isOn) {
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    this.#update();
  }

  /** @param {number | null} brightness 0...1; null if there is no reading, and so no sparkle. */
  set brightness(brightness) {
    this.#brightness = brightness ?? 0;
    if (this.#isOn && this.#stillness.matches) this.#update();
  }

  #update() {
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    this.#canvas.hidden = !this.#isOn;
    if (!this.#isOn) {
      this.#sparkles = [];
    } else if (this.#stillness.matches) {
      this.#drawStill();
    } else if (document.visibilityState === "visible") {
      this.#request = requestAnimationFrame((now) => this.#animate(now));
    }
    this.#canvas.dataset.count = String(this.count);
  }

  #animate(now) {
    this.#sparkles = this.#sparkles.filter((sparkle) => now < sparkle.end);
    const wanted = Math.round(maxSparkles * this.#brightness);
    // A few are added at a time, so that they do not glitter in step.
    for (let left = Math.min(wanted - this.count, 6); left > 0; left--) this.#sparkles.push(made(now));
    if (this.count > wanted) this.#sparkles.length = wanted;
    this.#draw((sparkle) => Math.sin((Math.PI * (now - sparkle.start)) / (sparkle.end - sparkle.start)));
    this.#canvas.dataset.count = String(this.count);
    this.#request = requestAnimationFrame((next) => this.#animate(next));
  }

  #drawStill() {
    const wanted = Math.round(maxSparkles * this.#brightness);
    this.#sparkles.length = Math.min(this.count, wanted);
    while (this.count < wanted) this.#sparkles.push(made(0));
    this.#draw(() => 0.8);
  }

  #draw(glow) {
    const scale = devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (this.#canvas.width !== width * scale) this.#canvas.width = width * scale;
    if (this.#canvas.height !== height * scale) this.#canvas.height = height * scale;
    const context = this.#canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.fillStyle = "#FFFFFF";
    context.shadowColor = "#FFF2B0";
    context.shadowBlur = 6;
    for (const sparkle of this.#sparkles) {
      const size = sparkle.size * Math.min(width, height) * glow(sparkle);
      star(context, sparkle.x * width, sparkle.y * height, size);
    }
  }
}

function made(now) {
  const life = shortest + Math.random() * (longest - shortest);
  return { x: Math.random(), y: Math.random(), size: 0.012 + Math.random() * 0.03, start: now, end: now + life };
}

/** Draws a star with four slender points. */
function star(context, x, y, size) {
  context.beginPath();
  for (let corner = 0; corner < 8; corner++) {
    const radius = corner % 2 === 0 ? size : size * 0.16;
    const angle = (corner * Math.PI) / 4;
    context.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  }
  context.fill();
}
