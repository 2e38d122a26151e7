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
