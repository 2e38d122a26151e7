/**
 * Pictures, drawn away from the page's main thread: each is requested over a WebSocket, decoded and put on a canvas here.
 *
 * The page sends `{ view, canvas, url }` once for each picture, then `{ view, runs }`. It gets `{ view, width, height }`
 * when the size of the pictures changes, and `{ view, isLost }` when the connection is lost.
 */

/** The delay before the first retry of a connection that failed, in milliseconds. It doubles with each failure. */
const firstDelay = 1_000;
const longestDelay = 15_000;
/** A picture that took longer than this, in milliseconds, came over a slow link. Readings must get through there, too. */
const slow = 500;

const pictures = new Map();

class Picture {
  #view;
  #canvas;
  #context;
  #url;
  #socket = null;
  #retry = 0;
  #failures = 0;
  #requestedAt = 0;
  /** Whether the page has not been told the size of this connection's pictures. */
  #isNew = true;

  constructor(view, canvas, url) {
    this.#view = view;
    this.#canvas = canvas;
    this.#context = canvas.getContext("bitmaprenderer");
    this.#url = url;
  }

  set runs(runs) {
    if (!runs) this.#close();
    else if (!this.#socket) this.#connect();
  }

  #connect() {
    this.#close();
    const socket = new WebSocket(this.#url);
    socket.binaryType = "blob";
    socket.onopen = () => this.#request(socket);
    socket.onmessage = ({ data }) => this.#show(socket, data);
    socket.onclose = () => this.#retryLater();
    this.#socket = socket;
  }

  #request(socket) {
    if (socket !== this.#socket || socket.readyState !== WebSocket.OPEN) return;
    this.#requestedAt = performance.now();
    socket.send("next");
  }

  async #show(socket, data) {
    const took = performance.now() - this.#requestedAt;
    try {
      const picture = await createImageBitmap(data);
      // The page may have stopped the pictures while this one was decoded.
      if (socket !== this.#socket) {
        picture.close();
        return;
      }
      this.#resize(picture);
      this.#context.transferFromImageBitmap(picture);
      this.#failures = 0;
    } catch {
      // A damaged picture is skipped.
    }
    if (took < slow) this.#request(socket);
    else setTimeout(() => this.#request(socket), Math.min(took, 4 * slow));
  }

  #resize({ width, height }) {
    if (this.#canvas.width === width && this.#canvas.height === height && !this.#isNew) return;
    this.#isNew = false;
    this.#canvas.width = width;
    this.#canvas.height = height;
    postMessage({ view: this.#view, width, height });
  }

  #close() {
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onclose = null;
    socket.onmessage = null;
    socket.close();
  }

  #retryLater() {
    this.#close();
    this.#isNew = true;
    postMessage({ view: this.#view, isLost: true });
    const delay = Math.min(longestDelay, firstDelay * 2 ** this.#failures);
    this.#retry = setTimeout(() => this.#connect(), delay * (0.5 + Math.random() / 2));
    this.#failures = Math.min(this.#failures + 1, 10);
  }
}

addEventListener("message", ({ data: { view, canvas, url, runs } }) => {
  if (canvas) pictures.set(view, new Picture(view, canvas, url));
  else pictures.get(view).runs = runs;
});
