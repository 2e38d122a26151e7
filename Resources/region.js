/** The smallest width and height of a region, as fractions of the picture. A smaller one would be hard to grab. */
const least = 0.02;
const step = 0.01;
/** @type {Region} */
const full = [0, 0, 1, 1];

/**
 * The region that is read, as a frame on the picture. It is changed by mouse, touch or keyboard.
 * @typedef {[number, number, number, number]} Region x, y, width and height as fractions of the picture.
 */
export class RegionFrame {
  #frame;
  #picture;
  #onChange;
  /** @type {Region} */
  #region = full;
  #drag = null;

  /**
   * @param {HTMLElement} frame lies in the picture; its handles have `data-edges`, such as "n w".
   * @param {(region: Region) => void} onChange
   */
  constructor(frame, onChange) {
    this.#frame = frame;
    this.#picture = frame.parentElement;
    this.#onChange = onChange;
    frame.addEventListener("pointerdown", (event) => this.#begin(event));
    frame.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) {
      frame.addEventListener(end, () => {
        this.#drag = null;
      });
    }
    frame.addEventListener("dblclick", () => this.reset());
    frame.addEventListener("keydown", (event) => this.#press(event));
    this.#draw();
  }

  get isDragged() {
    return this.#drag !== null;
  }

  get isFull() {
    return this.#region.every((value, index) => value === full[index]);
  }

  /** The distance of its centre from the left, as a fraction of the picture. */
  get center() {
    return this.#region[0] + this.#region[2] / 2;
  }

  /** The distance of its lower edge from the top, as a fraction of the picture. */
  get bottom() {
    return this.#region[1] + this.#region[3];
  }

  /** Shows a region from a reading. */
  show(region) {
    this.#region = region;
    this.#draw();
  }

  reset() {
    this.#set(full);
  }

  #begin(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.#frame.focus({ preventScroll: true });
    this.#frame.setPointerCapture(event.pointerId);
    const [x, y] = this.#position(event);
    // A region that is the whole picture cannot be moved: dragging draws a new one.
    this.#drag = { x, y, region: this.#region, edges: event.target.dataset.edges ?? (this.isFull ? "new" : "") };
  }

  #move(event) {
    if (!this.#drag) return;
    const [x, y] = this.#position(event);
    const { x: startX, y: startY, region, edges } = this.#drag;
    if (edges === "new") {
      this.#set(between([startX, startY], [x, y]));
    } else {
      this.#set(edges === "" ? moved(region, x - startX, y - startY) : stretched(region, edges, x - startX, y - startY));
    }
  }

  #press(event) {
    const directions = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    const direction = directions[event.key];
    if (direction) {
      const [x, y] = direction;
      this.#set(event.shiftKey ? stretched(this.#region, "e s", x, y) : moved(this.#region, x, y));
    } else if (event.key === "Home" || event.key === "Escape") {
      this.reset();
    } else {
      return;
    }
    event.preventDefault();
  }

  #position(event) {
    const { left, top, width, height } = this.#picture.getBoundingClientRect();
    return [clamp((event.clientX - left) / width), clamp((event.clientY - top) / height)];
  }

  #set(region) {
    this.#region = /** @type {Region} */ (region.map((value) => Math.round(value * 10_000) / 10_000));
    this.#draw();
    this.#onChange(this.#region);
  }

  #draw() {
    const [x, y, width, height] = this.#region;
    Object.assign(this.#frame.style, {
      left: `${x * 100}%`,
      top: `${y * 100}%`,
      width: `${width * 100}%`,
      height: `${height * 100}%`,
    });
    this.#frame.toggleAttribute("data-full", this.isFull);
    const percent = (value) => `${Math.round(value * 100)} %`;
    const place = `from ${percent(x)} left and ${percent(y)} top, ${percent(width)} wide, ${percent(height)} high`;
    this.#frame.setAttribute("aria-valuetext", this.isFull ? "the whole picture" : place);
  }
}

function clamp(value, most = 1) {
  return Math.min(Math.max(value, 0), most);
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
