"""The controls as a test sees them, and a fake camera in the page that has controls."""

import json

# JavaScript that runs before the page's own, because the test pattern has only two controls. This camera
# immediately does what it is asked to do. A delayed answer describes the state at the time of the request.
FAKE_CAMERA = """
const control = (name, type, value) => ({
  name, label: name, type, value, minimum: 0, maximum: 255, step: 1, default: 0, readOnly: false, inactive: false,
  controlledBy: null,
});
const camera = window.camera = {
  inUse: null,
  controls: [
    control("brightness", "integer", 10),
    control("bitmask", "bitmask", 1),
    control("string", "string", "abc"),
    control("flip", "boolean", 0),
  ],
  // The server does not get so far.
  revision: 1000,
  slowMethod: null,
  // What the readings of this camera have in place of the test pattern's, and documents in place of the server's.
  changes: {},
  answers: {},
  unanswered: [],
  // Values that the page has set.
  valuesSet: [],
  exposure: { phase: "idle", step: null, level: null, message: null, values: [], config: null },
  change(name, changes) {
    Object.assign(this.controls.find((control) => control.name === name), changes);
    this.revision++;
    this.tell();
  },
  // Passes each reading to the page, and the last one again when a control changes.
  tell() {
    const reading = JSON.parse(this.reading);
    reading.revisions.controls = this.revision;
    this.receive({ data: JSON.stringify({ ...reading, state: "live", ...this.changes }) });
  },
  answer(name, method, body) {
    if (name === "exposure" && method === "POST") {
      this.exposure = { ...this.exposure, phase: "setting", step: 0 };
      this.revision++;
    } else if (name === "exposure" && method === "DELETE") {
      this.exposure = { ...this.exposure, phase: "failed", step: null, message: "It was cancelled." };
      this.revision++;
    } else if (method === "PUT") {
      const { value } = JSON.parse(body);
      if (value > 255) return { ok: false, status: 400, document: { error: { message: `${name} takes 0...255.` } } };
      this.valuesSet.push(value);
      this.change(name, { value });
    } else if (method === "POST") {
      // Resetting and locking change values, too.
      this.change("brightness", { value: 0 });
    }
    const document = { camera: this.inUse, controls: structuredClone(this.controls), automatics: [], lock: null, exposure: this.exposure };
    return { ok: true, status: 200, document };
  },
};

const fetchFromServer = window.fetch;
window.fetch = async (path, options = {}) => {
  if (camera.answers?.[path]) return { ok: true, status: 200, json: async () => camera.answers[path] };
  if (!path.startsWith("api/controls")) return fetchFromServer(path, options);
  const { method = "GET", body } = options;
  const { document, ...status } = camera.answer(path.split("/").at(-1), method, body);
  return new Promise((resolve) => {
    const answer = () => resolve({ ...status, json: async () => document });
    if (method === camera.slowMethod) camera.unanswered.push(answer);
    else answer();
  });
};

window.WebSocket = class extends WebSocket {
  set onmessage(receive) {
    super.onmessage = receive && (({ data }) => {
      Object.assign(camera, { receive, reading: data });
      camera.tell();
    });
  }
};
"""

SLIDER = ".control[data-type=integer] input[type=range]"
NUMBER = ".control[data-type=integer] input[type=number]"
BITMASK = ".control[data-type=bitmask] input"
STRING = ".control[data-type=string] input"
FLIP = ".control[data-type=boolean] input"


class Panel:
    """The controls on the page, and the camera behind them."""

    def __init__(self, page):
        self.page = page

    def run(self, script, *arguments):
        return self.page.driver.execute_script(script, *arguments)

    def field(self, selector):
        return self.page.driver.find_element("css selector", selector)

    def value(self, selector):
        return self.field(selector).get_property("value")

    def wait_for_value(self, selector, value):
        self.page.wait_until(f"document.querySelector({json.dumps(selector)}).value === {json.dumps(value)}")

    def change(self, name, **changes):
        """Changes a control as another program does, and waits until the page shows the new list."""
        self.run("camera.change(...arguments)", name, changes)
        self.run("camera.change('flip', { value: 1 })")
        self.page.wait_until(f"document.querySelector({json.dumps(FLIP)}).checked")

    def values_set(self):
        """The values that the page has set."""
        return self.run("return camera.valuesSet")

    def delay_answers(self, method):
        """Delays all further answers to requests of this method."""
        self.run("camera.slowMethod = arguments[0]", method)

    def wait_for_unanswered(self, count=1):
        """Waits until this many requests have no answer."""
        self.page.wait_until(f"camera.unanswered.length === {count}")

    def answer(self, which=0):
        """Sends a delayed answer. The page has handled it when this returns: only promises are in between."""
        self.run("camera.unanswered.splice(arguments[0], 1)[0]()", which)
