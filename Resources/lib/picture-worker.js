/**
 * Pictures, drawn off the page's main thread: each is requested over a WebSocket, decoded and put on a canvas here.
 *
 * The page sends `{ view, canvas, url }` once for each picture, then `{ view, isRunning }`. It receives
 * `{ view, width, height }` when the size of the pictures changes, and `{ view, isLost }` when the connection is lost.
 */

import { Socket } from "./feed.js";

/** A picture that took longer than this, in milliseconds, came over a slow link. Readings must get through there, too. */
const slow = 500;

const pictures = new Map();

class Picture {
  #view;
  #canvas;
  #context;
  #socket;
  #requestedAt = 0;
  /** Counts the beginnings and ends of connections, so that no picture of an ended one is drawn. */
  #connection = 0;
  /** Whether the page does not know the size of this connection's pictures yet. */
  #isNew = true;

  constructor(view, canvas, url) {
    this.#view = view;
    this.#canvas = canvas;
    this.#context = canvas.getContext("bitmaprenderer");
    this.#socket = new Socket(url, {
      onOpen: () => {
        this.#connection++;
        this.#request();
      },
      onMessage: (data) => this.#show(data),
      onDown: () => {
        this.#connection++;
        this.#isNew = true;
        postMessage({ view, isLost: true });
      },
      firstDelay: 1_000,
      longestDelay: 15_000,
    });
  }

  set isRunning(isRunning) {
    if (isRunning === this.#socket.isOn) return;
    if (isRunning) {
      this.#socket.connect();
    } else {
      this.#connection++;
      this.#socket.close();
    }
  }

  #request() {
    this.#requestedAt = performance.now();
    this.#socket.send("next");
  }

  async #show(data) {
    const connection = this.#connection;
    const took = performance.now() - this.#requestedAt;
    try {
      const picture = await createImageBitmap(data);
      // The page may have stopped the pictures while this one was decoded.
      if (connection !== this.#connection) {
        picture.close();
        return;
      }
      this.#resize(picture);
      this.#context.transferFromImageBitmap(picture);
    } catch {
      // A damaged picture is skipped.
    }
    const next = () => {
      if (connection === this.#connection) this.#request();
    };
    if (took < slow) next();
    else setTimeout(next, Math.min(took, 4 * slow));
  }

  #resize({ width, height }) {
    if (this.#canvas.width === width && this.#canvas.height === height && !this.#isNew) return;
    this.#isNew = false;
    this.#canvas.width = width;
    this.#canvas.height = height;
    postMessage({ view: this.#view, width, height });
  }
}

addEventListener("message", ({ data: { view, canvas, url, isRunning } }) => {
  if (canvas) pictures.set(view, new Picture(view, canvas, url));
  else pictures.get(view).isRunning = isRunning;
});
