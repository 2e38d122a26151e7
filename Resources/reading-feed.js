import { ReadingSocket } from "./reading-socket.js";
import { leastStaleness, silenceLimit, stalenessAt } from "./staleness.js";
import { Stopwatch } from "./stopwatch.js";

/** The time between checks of the age of readings, in milliseconds. */
const checkPeriod = 250;

/**
 * @typedef {object} Silence
 * @property {boolean} isConnected whether the connection is up, though it delivers no reading.
 * @property {Date} since the time of the last reading.
 * @property {number} seconds since then.
 */

/**
 * Readings from the server for one page: delivers each new reading, and reports when the last one is stale.
 *
 * A stale reading is reported again and again until a new one arrives, so that a page can count the seconds.
 */
export class ReadingFeed {
  #onReading;
  #onStale;
  #onDown;
  #socket;
  #sinceReading = new Stopwatch();
  #staleness = leastStaleness;
  #isConnected = true;
  #configuredRate;

  /**
   * @param {object} handlers
   * @param {(reading: any, time: Date) => void} handlers.onReading
   * @param {(silence: Silence) => void} handlers.onStale
   * @param {() => void} [handlers.onDown] called each time a connection is lost or cannot be made.
   * @param {number} [configuredRate] readings per second, for readings that do not say.
   */
  constructor({ onReading, onStale, onDown = () => {} }, configuredRate = 0) {
    this.#onReading = onReading;
    this.#onStale = onStale;
    this.#onDown = onDown;
    this.#configuredRate = configuredRate;
    const address = new URL("/ws", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    this.#socket = new ReadingSocket(address, {
      onMessage: (text) => this.#receive(text),
      onDown: () => {
        this.#isConnected = false;
        this.#check();
        this.#onDown();
      },
    });
  }

  /**
   * Delivers the reading that came with the page, then those of the server.
   * @param {string} [text] the reading as JSON.
   */
  start(text) {
    // It is as old as the page.
    const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
    if (text) this.#receive(text, performance.now() - (navigation?.responseStart ?? 0));
    setInterval(() => {
      this.#socket.checkSilence();
      this.#check();
    }, checkPeriod);
    addEventListener("online", () => this.#wake());
    addEventListener("pageshow", () => this.#wake());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#wake();
    });
    // Browsers do not keep a page with an open connection for the back button. One that is kept must not return as live.
    addEventListener("pagehide", () => {
      this.#socket.close();
      this.#isConnected = false;
      this.#check();
    });
    this.#socket.connect();
  }

  /** Accepts any reading of the current connection, whatever its number: a restarted server counts from 1. */
  #receive(text, age = 0) {
    const reading = parsed(text);
    if (!reading) return;
    const { rate, frame } = reading;
    this.#isConnected = true;
    this.#sinceReading.restart(age + Math.max(0, frame?.ageMs ?? 0));
    this.#staleness = stalenessAt({ wanted: rate.wanted || this.#configuredRate, reading: rate.reading });
    this.#socket.silenceLimit = silenceLimit(this.#staleness);
    if (this.#isCurrent) this.#onReading(reading, this.#sinceReading.startedAt);
    else this.#check();
  }

  get #isCurrent() {
    return this.#isConnected && this.#sinceReading.elapsed <= this.#staleness;
  }

  #check() {
    if (this.#isCurrent) return;
    const { startedAt, elapsed } = this.#sinceReading;
    this.#onStale({ isConnected: this.#isConnected, since: startedAt, seconds: Math.floor(elapsed / 1_000) });
  }

  #wake() {
    this.#check();
    this.#socket.wake(this.#staleness);
  }
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return value?.state && value.rate ? value : null;
  } catch {
    return null;
  }
}
