/** The shortest time between two jobs, in milliseconds: dragging makes hundreds. */
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
