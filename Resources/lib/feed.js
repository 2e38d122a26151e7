/** The feed of readings that every page shares, and the WebSocket that readings and pictures use. */

/** The time between checks of the age of readings while none comes, in milliseconds. */
const checkPeriod = 100;
/** The longest time until the first check after a reading. The next reading, if it is in time, comes first. */
const longestRest = 400;
/** A reading is stale after this many of its periods, but not before `leastStaleness` milliseconds. */
const stalePeriods = 3;
const leastStaleness = 2_000;
/** A connection is given up after at least this much silence, in milliseconds. */
const leastSilence = 10_000;
/** The delay of a reading is compared with those of at least this many others. */
const comparedMessages = 100;
/** `readings.rate` is at least 0.1. A lower measured rate means that the measurement has only begun. */
const longestPeriod = 10_000;

/**
 * The time since an event, in milliseconds, including the time during which the computer slept.
 *
 * On Linux the monotonic clock stops during suspend. The wall clock continues, but may be set. The longer time counts, so
 * that a reading may be called stale too early, but never too late.
 */
class Stopwatch {
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

/**
 * How much longer a message took than others.
 *
 * A message that waits in a socket while the computer sleeps looks new when it is read. The clocks of both computers may
 * differ, so its delay is compared with the shortest of the recent ones.
 */
class DelayMeter {
  #least = Infinity;
  #recent = Infinity;
  #count = 0;

  /** Forgets earlier messages. */
  restart() {
    this.#least = this.#recent = Infinity;
    this.#count = 0;
  }

  /** @returns {number} how many milliseconds longer a message sent at this time took than the fastest one. */
  excess(sentAt) {
    const delay = Date.now() - sentAt;
    if (Number.isNaN(delay)) return 0;
    this.#recent = Math.min(this.#recent, delay);
    this.#least = Math.min(this.#least, delay);
    const excess = delay - this.#least;
    this.#count++;
    if (this.#count % comparedMessages === 0) {
      // The two clocks drift apart, by seconds a day.
      this.#least = this.#recent;
      this.#recent = Infinity;
    }
    return excess;
  }
}

/** What to do if the server answers requests, but not the WebSocket. */
export const refusedSocket =
  "Swatchcam answers, but its WebSocket does not get through. A proxy in front of it must pass on WebSockets, the host name and X-Forwarded-Proto.";

/**
 * A WebSocket that reconnects by itself after the server restarted, the network failed or the computer slept.
 *
 * It does not read the messages. Its owner has to call `checkSilence` regularly.
 */
export class Socket {
  /** Silence after which a connection counts as dead, although it was not closed, in milliseconds. */
  silenceLimit = leastSilence;

  #url;
  #onOpen;
  #onMessage;
  #onDown;
  #firstDelay;
  #longestDelay;
  #socket = null;
  #retry = 0;
  #failures = 0;
  #sinceMessage = new Stopwatch();

  /**
   * @param {string | URL} url
   * @param {object} options
   * @param {() => void} [options.onOpen]
   * @param {(data: any) => void} options.onMessage gets a text, or a Blob.
   * @param {() => void} options.onDown called each time a connection is lost or cannot be made.
   * @param {number} [options.firstDelay] the longest delay before the first retry, in milliseconds. It doubles with each
   *   failure.
   * @param {number} [options.longestDelay]
   */
  constructor(url, { onOpen = () => {}, onMessage, onDown, firstDelay = 500, longestDelay = 5_000 }) {
    this.#url = url;
    this.#onOpen = onOpen;
    this.#onMessage = onMessage;
    this.#onDown = onDown;
    this.#firstDelay = firstDelay;
    this.#longestDelay = longestDelay;
  }

  /** Whether the socket is connected, or will connect by itself. */
  get isOn() {
    return Boolean(this.#socket || this.#retry);
  }

  /** Connects now, and replaces the current connection if there is one. */
  connect() {
    this.close();
    this.#sinceMessage.restart();
    const socket = new WebSocket(this.#url);
    socket.binaryType = "blob";
    socket.onopen = () => this.#onOpen();
    socket.onmessage = ({ data }) => {
      this.#sinceMessage.restart();
      // Only a message proves that the server works. One that accepts and closes connections must not be flooded.
      this.#failures = 0;
      this.#onMessage(data);
    };
    socket.onclose = () => this.#retryLater();
    this.#socket = socket;
  }

  /** Closes the connection until `connect` or `wake` is called. */
  close() {
    clearTimeout(this.#retry);
    this.#retry = 0;
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  /** Sends a text if the connection is open. */
  send(text) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  /** Gives up a connection that has been silent for too long. */
  checkSilence() {
    if (this.#socket && this.#sinceMessage.elapsed > this.silenceLimit) this.#retryLater();
  }

  /**
   * Connects without waiting for the next retry, because the network is back or the page has become visible.
   * @param {number} staleness silence, in milliseconds, after which even an open connection is replaced.
   */
  wake(staleness) {
    if (this.#socket && this.#sinceMessage.elapsed <= staleness) return;
    this.#failures = 0;
    this.connect();
  }

  #retryLater() {
    this.close();
    const delay = Math.min(this.#longestDelay, this.#firstDelay * 2 ** this.#failures);
    // Half of the delay is random, so that a hundred kiosks do not reconnect at the same moment.
    this.#retry = setTimeout(() => this.connect(), delay * (0.5 + Math.random() / 2));
    this.#failures = Math.min(this.#failures + 1, 10);
    this.#onDown();
  }
}

/** The address of a WebSocket of the server. */
export function socketAddress(path) {
  const address = new URL(path, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  return address;
}

/**
 * @typedef {object} Silence
 * @property {boolean} isConnected whether the connection is up, though it delivers no reading.
 * @property {boolean} isRefused whether the server answers requests, but not the WebSocket.
 * @property {Date} since the time of the last reading.
 * @property {number} seconds since then.
 */

/**
 * Readings from the server for one page: delivers each new reading, and reports when the last one is stale.
 *
 * A stale reading is reported again each second until a new one arrives, so that a page can count the seconds.
 */
export class ReadingFeed {
  #onReading;
  #onStale;
  #onDown;
  #socket;
  #sinceReading = new Stopwatch();
  #delayMeter = new DelayMeter();
  #staleness = leastStaleness;
  #isConnected = true;
  /** How often the server has answered a request, but not the WebSocket, since the last reading. */
  #answers = 0;
  #timer = 0;
  /** What was last reported; empty while readings are current. */
  #reported = "";

  /**
   * @param {object} handlers
   * @param {(reading: any, time: Date) => void} handlers.onReading
   * @param {(silence: Silence) => void} handlers.onStale
   * @param {(status: number) => void} [handlers.onDown] called each time a connection is lost or cannot be made, with the status
   *   of the server's answer to a request; 0 if there is none.
   */
  constructor({ onReading, onStale, onDown = () => {} }) {
    this.#onReading = onReading;
    this.#onStale = onStale;
    this.#onDown = onDown;
    this.#socket = new Socket(socketAddress("ws"), {
      onOpen: () => this.#delayMeter.restart(),
      onMessage: (text) => this.#receiveLive(text),
      onDown: () => {
        this.#isConnected = false;
        this.#check();
        this.#ask();
      },
    });
  }

  /** Asks whether the server answers at all. If it does twice, a proxy in between does not pass on the WebSocket. */
  async #ask() {
    const { status } = await fetch("api/reading", { method: "HEAD" }).catch(() => ({ status: 0 }));
    this.#answers = status === 200 && !this.#isConnected ? this.#answers + 1 : 0;
    this.#check();
    this.#onDown(status);
  }

  /**
   * Delivers the reading that came with the page, then those from the server.
   * @param {string} [text] the reading as JSON.
   */
  start(text) {
    this.#socket.connect();
    // That reading is as old as the page.
    const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
    const reading = parsed(text);
    if (reading) this.#receive(reading, performance.now() - (navigation?.responseStart ?? 0));
    this.#checkLater(checkPeriod);
    // After sleep, the page is on the screen before the first of these events or checks, so each checks the age first.
    for (const name of ["online", "pageshow", "focus"]) addEventListener(name, () => this.#wake());
    for (const name of ["visibilitychange", "resume"]) {
      document.addEventListener(name, () => {
        if (document.visibilityState === "visible") this.#wake();
      });
    }
    // Browsers keep a page for the back button only if it has no open connection. A kept page must not return as live.
    addEventListener("pagehide", () => {
      this.#socket.close();
      this.#isConnected = false;
      this.#check();
    });
  }

  #receiveLive(text) {
    const reading = parsed(text);
    if (!reading) return;
    const excess = this.#delayMeter.excess(Date.parse(reading.time));
    this.#receive(reading, excess);
    // More old readings may follow, or a clock was set. A new connection begins with the newest reading.
    if (excess > this.#staleness) this.#socket.connect();
  }

  /** Accepts any reading of the current connection, whatever its number: a restarted server counts from 1. */
  #receive(reading, age) {
    const { rate, frame } = reading;
    this.#isConnected = true;
    this.#answers = 0;
    this.#sinceReading.restart(age + Math.max(0, frame?.ageMs ?? 0));
    this.#staleness = Math.max(leastStaleness, stalePeriods * periodOf(rate));
    this.#socket.silenceLimit = Math.max(leastSilence, this.#staleness + leastStaleness);
    this.#checkLater(Math.min(longestRest, checkPeriod + 1_000 / rate.wanted));
    if (this.#isCurrent) {
      this.#reported = "";
      this.#onReading(reading, this.#sinceReading.startedAt);
    } else {
      this.#check();
    }
  }

  /** Checks the age after this time and then regularly, unless a reading comes before. Every timer costs the browser work. */
  #checkLater(delay) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#check();
      this.#socket.checkSilence();
      this.#checkLater(checkPeriod);
    }, delay);
  }

  get #isCurrent() {
    return this.#isConnected && this.#sinceReading.elapsed <= this.#staleness;
  }

  #check() {
    if (this.#isCurrent) return;
    const { startedAt, elapsed } = this.#sinceReading;
    const isRefused = this.#answers >= 2;
    const silence = { isConnected: this.#isConnected, isRefused, since: startedAt, seconds: Math.floor(elapsed / 1_000) };
    const report = `${silence.isConnected} ${isRefused} ${silence.seconds}`;
    if (report === this.#reported) return;
    this.#reported = report;
    this.#onStale(silence);
  }

  #wake() {
    this.#check();
    this.#socket.wake(this.#staleness);
  }
}

/**
 * The time from one reading to the next, in milliseconds, by the rate that a reading states; 0 if it states none.
 *
 * The rate may change while the page is open, and the measured rate follows with a delay: the slower of both counts.
 */
export function periodOf({ wanted, reading: measured }) {
  const rates = [wanted, measured].filter((rate) => rate > 0);
  return Math.min(longestPeriod, 1_000 / Math.min(...rates));
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return value?.state && value.rate ? value : null;
  } catch {
    return null;
  }
}
