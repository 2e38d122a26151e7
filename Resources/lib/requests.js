/** Requests to the server. */

/** How often a request is sent again because the server asks the client to wait. */
const maxRetries = 3;

/**
 * Returns the time in milliseconds after which the server wants to get a request again, or undefined if it does not. Every
 * client waits a little longer than it says, and not all of them equally long.
 * @param {Response} response
 */
function retryDelay(response) {
  if (response.status !== 503) return undefined;
  const seconds = Number(response.headers.get("Retry-After"));
  return seconds > 0 ? seconds * 1000 * (1 + Math.random() / 2) : undefined;
}

/**
 * Sends a request to the server and returns the JSON document of its response.
 * @param {string} path
 * @param {{ method?: string, body?: unknown, signal?: AbortSignal }} options a file is sent as it is, any other body as JSON; the
 *   signal cancels the request.
 * @returns {Promise<any>}
 * @throws {Error} with a sentence for the user, and the code of the error as its cause.
 */
export async function fetchJSON(path, { method = "GET", body, signal } = {}) {
  let response;
  for (let retries = 0; ; retries += 1) {
    try {
      response = await fetch(path, {
        method,
        signal,
        ...(body instanceof Blob ? { body } : body !== undefined && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
      });
    } catch {
      throw new Error("Swatchcam cannot be reached");
    }
    const delay = method === "GET" && retries < maxRetries ? retryDelay(response) : undefined;
    if (delay === undefined) break;
    await new Promise((resolve) => setTimeout(resolve, delay));
  }
  let document;
  try {
    document = await response.json();
  } catch {
    throw new Error(`Swatchcam sent an unexpected response (status ${response.status})`);
  }
  if (!response.ok) throw new Error(document?.error?.message ?? `Swatchcam responded with status ${response.status}`, { cause: document?.error?.code });
  return document;
}

/** The time between two jobs of a `Throttle`, in milliseconds: dragging makes hundreds. */
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
