/** A yes or no that this browser remembers, if it lets the page store anything. */
export class Preference {
  #key;

  constructor(name) {
    this.#key = `swatchcam.${name}`;
  }

  read(fallback) {
    try {
      const text = localStorage.getItem(this.#key);
      return text === null ? fallback : text === "true";
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
