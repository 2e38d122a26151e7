import { Stopwatch } from "./stopwatch.js";

/** The longest wait before the first retry, in milliseconds; it doubles with each failure. At least half of it is waited. */
const firstDelay = 500;
const longestDelay = 5_000;

/**
 * A WebSocket that comes back by itself: after the server restarted, the network went away or the computer slept.
 *
 * It knows nothing of what the messages say. Whoever owns it calls `checkSilence` now and then.
 */
export class ReadingSocket {
  /** Silence after which a connection counts as dead, though nobody has closed it; in milliseconds. */
  silenceLimit = 10_000;

  #url;
  #onMessage;
  #onDown;
  #socket = null;
  #retry = 0;
  #failures = 0;
  #quiet = new Stopwatch();

  /**
   * @param {string | URL} url
   * @param {{ onMessage: (text: string) => void, onDown: () => void }} handlers
   *   `onDown` is called each time a connection is lost or cannot be made.
   */
  constructor(url, { onMessage, onDown }) {
    this.#url = url;
    this.#onMessage = onMessage;
    this.#onDown = onDown;
  }

  /** Connects now, in place of whatever connection there is. */
  connect() {
    this.close();
    this.#quiet.restart();
    const socket = new WebSocket(this.#url);
    socket.onmessage = ({ data }) => {
      this.#quiet.restart();
      // Only a message proves that the server is well: one that accepts and hangs up must not be hammered.
      this.#failures = 0;
      this.#onMessage(data);
    };
    socket.onclose = () => this.#retryLater();
    this.#socket = socket;
  }

  /** Lets go of the connection and stays away until `connect` or `wake`. */
  close() {
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  /** Gives up a connection that has been silent for too long. */
  checkSilence() {
    if (this.#socket && this.#quiet.elapsed > this.silenceLimit) this.#retryLater();
  }

  /**
   * There is reason to hope (the network is back, somebody looks): does not wait out the delay.
   * @param {number} patience silence, in milliseconds, after which even an open connection is replaced.
   */
  wake(patience) {
    if (this.#socket && this.#quiet.elapsed <= patience) return;
    this.#failures = 0;
    this.connect();
  }

  #retryLater() {
    this.close();
    const delay = Math.min(longestDelay, firstDelay * 2 ** this.#failures);
    // Half of the delay is chance, so that a hundred kiosks do not come back in the same instant.
    this.#retry = setTimeout(() => this.connect(), delay * (0.5 + Math.random() / 2));
    this.#failures = Math.min(this.#failures + 1, 10);
    this.#onDown();
  }
}
