import { Stopwatch } from "./stopwatch.js";

/** The longest delay before the first retry, in milliseconds. It doubles with each failure. */
const firstDelay = 500;
const longestDelay = 5_000;

/**
 * A WebSocket that reconnects by itself after the server restarted, the network failed or the computer slept.
 *
 * It does not read the messages. Its owner calls `checkSilence` regularly.
 */
export class ReadingSocket {
  /** Silence after which a connection counts as dead, although it was not closed, in milliseconds. */
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

  /** Connects now, and replaces the current connection if there is one. */
  connect() {
    this.close();
    this.#quiet.restart();
    const socket = new WebSocket(this.#url);
    socket.onmessage = ({ data }) => {
      this.#quiet.restart();
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
   * Connects without waiting for the next retry, because the network is back or the page has become visible.
   * @param {number} staleness silence, in milliseconds, after which even an open connection is replaced.
   */
  wake(staleness) {
    if (this.#socket && this.#quiet.elapsed <= staleness) return;
    this.#failures = 0;
    this.connect();
  }

  #retryLater() {
    this.close();
    const delay = Math.min(longestDelay, firstDelay * 2 ** this.#failures);
    // Half of the delay is random, so that a hundred kiosks do not reconnect at the same moment.
    this.#retry = setTimeout(() => this.connect(), delay * (0.5 + Math.random() / 2));
    this.#failures = Math.min(this.#failures + 1, 10);
    this.#onDown();
  }
}
