/** Requests for the history: repeated for long spans, and after a failure until one succeeds. */

import { fetchJSON } from "../lib/requests.js";

/** The least time between two requests for the same span, and from a mark to a request, in milliseconds. */
const leastPause = 10_000;
const markPause = 1_000;
/** The longest time between them. Browsers run a timer of more than 24 days immediately. */
const longestPause = 86_400_000;
/** The time until a failed request is repeated. It doubles up to the longest one. */
const firstRetry = 2_000;
const longestRetry = 60_000;
/** A request that takes longer has failed. */
const timeLimit = 20_000;

/** Loads the span of a series. A late response never replaces that of a newer request. */
export class HistoryLoader {
  #series;
  #onLoad;
  #onProblem;
  #isActive = false;
  /** The path that is requested; empty before the first. */
  #path = "";
  #withProbes = false;
  /** When the next request is due, by the clock of `performance`; Infinity if none is. */
  #due = Infinity;
  #lastSentAt = -Infinity;
  #timer = 0;
  #failures = 0;
  /** Whether something has changed since the request under way was sent. */
  #isOutdated = false;
  /** @type {AbortController | null} */
  #request = null;

  /**
   * @param {import("./series.js").Series} series
   * @param {object} handlers
   * @param {() => void} handlers.onLoad called when the series has changed.
   * @param {(problem: string) => void} handlers.onProblem gets a sentence, or an empty text when a request has succeeded.
   */
  constructor(series, { onLoad, onProblem }) {
    this.#series = series;
    this.#onLoad = onLoad;
    this.#onProblem = onProblem;
  }

  /** Whether requests may be sent. Until then, those that are due wait. */
  set isActive(isActive) {
    if (isActive === this.#isActive) return;
    this.#isActive = isActive;
    this.#schedule();
  }

  /**
   * Loads a span.
   * @param {string} span as the API names it, such as 10m.
   * @param {number} points
   */
  load(span, points) {
    this.#path = `api/history?span=${span}&points=${points}`;
    this.#requestAnew();
  }

  /** Whether the lines of the probes are wanted, too. */
  set withProbes(withProbes) {
    if (withProbes === this.#withProbes) return;
    this.#withProbes = withProbes;
    if (this.#path) this.#requestAnew();
  }

  #requestAnew() {
    // The response to a request for another span would be wrong.
    this.#request?.abort();
    this.#request = null;
    this.#failures = 0;
    this.#requestIn(0);
  }

  /** Loads the span again, because it may lack readings. */
  reload() {
    this.#failures = 0;
    this.#requestIn(0);
  }

  /** Loads the span again soon, because a mark was set. */
  reloadSoon() {
    if (this.#request) this.#isOutdated = true;
    else this.#requestIn(Math.max(0, this.#lastSentAt + markPause - performance.now()));
  }

  #requestIn(delay) {
    this.#due = performance.now() + delay;
    this.#schedule();
  }

  #schedule() {
    clearTimeout(this.#timer);
    if (!this.#isActive || !this.#path || this.#due === Infinity) return;
    const delay = Math.min(Math.max(0, this.#due - performance.now()), longestPause);
    if (delay === 0) this.#send();
    else this.#timer = setTimeout(() => this.#send(), delay);
  }

  async #send() {
    this.#due = Infinity;
    this.#isOutdated = false;
    this.#lastSentAt = performance.now();
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    const limit = setTimeout(() => request.abort(), timeLimit);
    let problem = "";
    try {
      const document = await fetchJSON(this.#path + (this.#withProbes ? "&probes=all" : ""), { signal: request.signal });
      if (request !== this.#request) return;
      this.#series.replace(document);
    } catch (error) {
      if (request !== this.#request) return;
      problem = error.message;
    } finally {
      clearTimeout(limit);
    }
    this.#request = null;
    this.#onProblem(problem);
    if (problem) {
      this.#requestIn(Math.min(longestRetry, firstRetry * 2 ** this.#failures));
      this.#failures = Math.min(this.#failures + 1, 10);
      return;
    }
    this.#failures = 0;
    if (this.#isOutdated) this.#requestIn(markPause);
    else if (!this.#series.isLive) this.#requestIn(Math.max(leastPause, this.#series.step));
    this.#onLoad();
  }
}
