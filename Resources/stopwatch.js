/**
 * Time since something happened, in milliseconds, that also counts the time during which the computer slept.
 *
 * The monotonic clock is right while the computer is awake, but stands still in suspend on Linux; the wall clock goes on
 * then, but may be set. Whichever says more is believed: a reading may be called old too soon, never too late.
 */
export class Stopwatch {
  #monotonic = 0;
  #wall = 0;

  constructor() {
    this.restart();
  }

  /** @param {number} age how long ago it happened already, in milliseconds. */
  restart(age = 0) {
    this.#monotonic = performance.now() - age;
    this.#wall = Date.now() - age;
  }

  get elapsed() {
    return Math.max(performance.now() - this.#monotonic, Date.now() - this.#wall);
  }

  /** When it happened, by the clock on the wall. */
  get startedAt() {
    return new Date(this.#wall);
  }
}
