/** What every page needs: elements and their text, preferences, and a store for state. */

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

/** Returns a function that calls `write` only when its argument differs from that of the last call. */
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

/** Returns a function that sets the text of an element. Text that stays the same costs nothing, and new text only a layout. */
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

  /** Changes some values, and calls the listeners. */
  update(changes) {
    this.state = { ...this.state, ...changes };
    for (const listener of this.#listeners) listener(this.state);
  }

  /** @param {(state: any) => void} listener is called now, too. */
  follow(listener) {
    this.#listeners.push(listener);
    listener(this.state);
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

/** The JSON document that came with the page in `<script id="…">`; null if there is none. */
export function embedded(id) {
  try {
    return JSON.parse(document.getElementById(id)?.textContent ?? "null");
  } catch {
    return null;
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
