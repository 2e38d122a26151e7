/** At most one job in so many milliseconds: a drag makes hundreds. */
const interval = 125;

/** Does the newest of many jobs, one after another and not too often; the last one is always done. */
export class Pacer {
  #next = null;
  #isRunning = false;
  #onRest;

  /** @param {() => void} onRest is called when nothing is left to do. */
  constructor(onRest = () => {}) {
    this.#onRest = onRest;
  }

  /** Whether something is on its way: what the server says may be older. */
  get isBusy() {
    return this.#isRunning;
  }

  /** @param {() => Promise<void>} job takes the place of one that has not begun. */
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
    this.#onRest();
  }
}
