/**
 * The time since an event, in milliseconds, including the time that the computer slept.
 *
 * On Linux the monotonic clock stops during suspend. The wall clock continues, but may be set. The longer time counts, so
 * that a reading may be called stale too early, but never too late.
 */
export class Stopwatch {
  #monotonic = 0;
  #wall = 0;

  constructor() {
    this.restart();
  }

  /** @param {number} age the time since the event, in milliseconds. */
  restart(age = 0) {
    this.#monotonic = performance.now() - age;
    this.#wall = Date.now() - age;
  }

  get elapsed() {
    return Math.max(performance.now() - this.#monotonic, Date.now() - this.#wall);
  }

  /** The time of the event, by the wall clock. */
  get startedAt() {
    return new Date(this.#wall);
  }
}
