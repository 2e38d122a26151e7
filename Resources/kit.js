/** What every page needs: elements and their text, requests, the clipboard, preferences, and a store for state. */

/** The label of each `state` of a reading, the same as in the pages that the server renders. */
export const labels = {
  "live": "Live",
  "test-pattern": "Test pattern",
  "starting": "Starting",
  "no-camera": "No camera",
  "denied": "No permission",
  "busy": "Camera in use",
  "no-signal": "No signal",
  "lost": "Camera lost",
  "unsupported": "Format not supported",
  "failed": "Camera failed",
};

/**
 * An element of the page.
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [type] its class, if a property of that class is needed.
 * @returns {T}
 * @throws {Error} if the page, whose template a user may have changed, lacks the element.
 */
export function element(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof (type ?? Element))) throw new Error(`The template has no ${type?.name ?? "element"} "${id}"`);
  return /** @type {any} */ (found);
}

/**
 * Makes an element.
 * @param {string} tag
 * @param {{ className?: string, text?: string }} options
 * @returns {any}
 */
export function make(tag, options = {}) {
  const { className, text } = options;
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/** A function that calls another one only when its argument is not that of the last call. */
export function onChange(write) {
  let last;
  let wasCalled = false;
  return (value) => {
    if (wasCalled && value === last) return;
    wasCalled = true;
    last = value;
    write(value);
  };
}

/** A function that sets the text of an element. Text that stays the same costs nothing, and new text only a layout. */
export function textOf(id) {
  const owner = element(id);
  if (owner.childNodes.length !== 1 || !(owner.firstChild instanceof Text)) owner.replaceChildren(owner.textContent);
  if (!owner.firstChild) owner.append(document.createTextNode(""));
  const node = /** @type {Text} */ (owner.firstChild);
  return onChange((text) => {
    node.data = text;
  });
}

/** The state of a page, in one object. Listeners run once for each change. */
export class Store {
  #listeners = [];

  /** @param {any} state */
  constructor(state) {
    this.state = state;
  }

  /** Changes some values, and tells the listeners. */
  update(changes) {
    this.state = { ...this.state, ...changes };
    for (const listener of this.#listeners) listener(this.state);
  }

  /** @param {(state: any) => void} listener */
  follow(listener) {
    this.#listeners.push(listener);
  }
}

/** The time between two jobs of a `Throttle`, in milliseconds: dragging makes hundreds. */
const interval = 125;

/** Runs the newest of many jobs, one at a time and not too often. The last one is always run. */
export class Throttle {
  #next = null;
  #isRunning = false;
  #onIdle;

  /** @param {() => void} onIdle called when no job is left. */
  constructor(onIdle = () => {}) {
    this.#onIdle = onIdle;
  }

  /** Whether a job is pending, so that what the server sends may be outdated. */
  get isBusy() {
    return this.#isRunning;
  }

  /** @param {() => Promise<void>} job replaces one that has not started. */
  push(job) {
    this.#next = job;
    if (!this.#isRunning) this.#run();
  }

  async #run() {
    this.#isRunning = true;
    while (this.#next) {
      const job = this.#next;
      this.#next = null;
      const pause = new Promise((resolve) => setTimeout(resolve, interval));
      await job();
      await pause;
    }
    this.#isRunning = false;
    this.#onIdle();
  }
}

/** A choice that this browser remembers, if it lets the page store anything. */
export class Preference {
  #key;

  constructor(name) {
    this.#key = `swatchcam.${name}`;
  }

  /** @param {string} fallback */
  read(fallback) {
    try {
      return localStorage.getItem(this.#key) ?? fallback;
    } catch {
      return fallback;
    }
  }

  write(value) {
    try {
      localStorage.setItem(this.#key, String(value));
    } catch {
      // The preference then lasts until the page is closed.
    }
  }
}

/**
 * Sends a request to the server and returns the JSON document of its response.
 * @param {string} path
 * @param {{ method?: string, body?: unknown }} options the body is sent as JSON.
 * @returns {Promise<any>}
 * @throws {Error} with a sentence for the user.
 */
export async function fetchJSON(path, { method = "GET", body } = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      ...(body !== undefined && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new Error("Swatchcam cannot be reached");
  }
  let document;
  try {
    document = await response.json();
  } catch {
    throw new Error(`Swatchcam sent an unexpected response (status ${response.status})`);
  }
  if (!response.ok) throw new Error(document?.error?.message ?? `Swatchcam responded with status ${response.status}`);
  return document;
}

/** The JSON document that came with the page in `<script id="…">`; null if there is none. */
export function embedded(id) {
  try {
    return JSON.parse(document.getElementById(id)?.textContent ?? "null");
  } catch {
    return null;
  }
}

/**
 * Copies text to the clipboard.
 * @param {string} text
 * @returns {Promise<boolean>} whether it succeeded.
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The clipboard is missing on pages that another machine serves by plain HTTP, and may be denied.
    return copyBySelection(text);
  }
}

function copyBySelection(text) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const field = make("textarea", { className: "visually-hidden" });
  field.value = text;
  field.readOnly = true;
  document.body.append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    focused?.focus({ preventScroll: true });
  }
}

/** The time of day, such as 12:04:31. */
export function clockTime(date) {
  return date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
}

/** A time span, such as 1 h 20 min. */
export function duration(seconds) {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Words as in "a, b and c". */
export function list(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/**
 * The icon of a browser's tab in a colour; a grey ring without one.
 *
 * The colour is a GIF of one pixel: browsers make a document of their own for every SVG, which takes them 4 ms.
 */
export function icon(hex) {
  if (!hex) {
    const ring = '<circle cx="8" cy="8" r="6" fill="none" stroke="#808080" stroke-width="2"/>';
    return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${ring}</svg>`)}`;
  }
  const [r, g, b] = [1, 3, 5].map((index) => parseInt(hex.slice(index, index + 2), 16));
  const screen = [1, 0, 1, 0, 0x80, 0, 0];
  const palette = [r, g, b, 0, 0, 0];
  const pixel = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
  return `data:image/gif;base64,${btoa(`GIF89a${String.fromCharCode(...screen, ...palette, ...pixel)};`)}`;
}
