/** The camera: the list of cameras, the controls of the one in use, and the lock for measuring. */

import { copy, element, embedded, fetchJSON, list, make, onChange, textOf, Throttle } from "./kit.js";

/** The versions of the documents that came with the page. */
const embeddedRevisions = embedded("reading")?.revisions ?? {};
const testPattern = { id: "test-pattern", name: "Test pattern", problem: null };

/** The choice of the camera in the page's header. */
export class CameraChoice {
  #switcher = element("switcher");
  #choice = element("camera-choice", HTMLSelectElement);
  #next = element("next-camera");
  #onMessage;
  #revision = null;
  /** The camera in use, or the one that Swatchcam waits for. */
  #current = null;
  /** The option for a camera that is not connected. */
  #gone = document.createElement("option");

  /** @param {{ onMessage: (message: string) => void }} handlers */
  constructor({ onMessage }) {
    this.#onMessage = onMessage;
    const document = embedded("cameras");
    if (document) {
      this.#revision = embeddedRevisions.cameras;
      this.#show(document);
    }
    this.#choice.addEventListener("change", () => this.#change("/api/camera", { id: this.#choice.value }));
    this.#next.addEventListener("click", () => this.switchToNext());
  }

  /** Updates the list if a reading says that the camera or the list has changed. */
  follow({ camera, revisions }) {
    if (camera?.id !== this.#current?.id) {
      this.#current = camera;
      this.#select();
    }
    if (revisions.cameras === this.#revision) return;
    this.#revision = revisions.cameras;
    this.#load(this.#revision);
  }

  switchToNext() {
    if (!this.#next.hidden) this.#change("/api/camera/toggle");
  }

  async #load(wanted) {
    try {
      const document = await fetchJSON("/api/cameras");
      if (this.#revision === wanted) this.#show(document);
    } catch {
      // The next reading tries again.
      this.#revision = null;
    }
  }

  #show({ cameras }) {
    const names = cameras.map((camera) => camera.name);
    const options = [...cameras, testPattern].map((camera) => {
      // The device node distinguishes cameras of the same name.
      const isTwin = names.indexOf(camera.name) !== names.lastIndexOf(camera.name);
      const name = isTwin ? `${camera.name} (${camera.device})` : camera.name;
      return new Option(camera.problem ? `${name}: cannot be opened` : name, camera.id);
    });
    this.#choice.replaceChildren(...options);
    this.#switcher.hidden = cameras.length === 0;
    this.#next.hidden = cameras.length < 2;
    this.#select();
  }

  /** Selects the camera in use. */
  #select() {
    const current = this.#current;
    this.#gone.remove();
    this.#choice.value = current?.id ?? "";
    if (current && this.#choice.value !== current.id) {
      this.#gone.value = current.id;
      this.#gone.textContent = `${current.name}: not connected`;
      this.#choice.prepend(this.#gone);
      this.#choice.value = current.id;
    }
    this.#choice.title = current?.name ?? "";
  }

  async #change(path, body) {
    try {
      const { camera } = await fetchJSON(path, { method: "POST", body });
      this.#onMessage(camera ? camera.name : "The camera has not answered yet");
    } catch (problem) {
      this.#onMessage(problem.message);
      this.#select();
    }
  }
}

/** If there are more controls than this, a search field is shown. */
const manyControls = 15;
/** Shown beside the lock, because lamps that flicker with the mains change the colour, too. */
const mains = "power_line_frequency";
/** While the controls are not on the screen, they are requested at most once in so many milliseconds, for the lock. */
const idlePeriod = 5_000;

/** The controls of the camera, and the lock. */
export class Controls {
  #section = element("camera-controls");
  #list = element("control-list");
  #besideLock = element("lock-mains");
  #filter = element("control-filter", HTMLInputElement);
  #lock;
  #onMessage;
  /** The controls as the server described them last. */
  #document = null;
  #fields = new Map();
  #shape = "";
  #isLive = false;
  #isOpen = false;
  /** The revision of the controls on the page, and the newest one. */
  #revision = null;
  #newest = null;
  #loadedAt = -idlePeriod;
  /** Requests are numbered, because responses may arrive in another order. */
  #lastRequest = 0;
  #shownRequest = 0;

  /** @param {{ onMessage: (message: string) => void, onLock: () => void }} handlers */
  constructor({ onMessage, onLock }) {
    this.#onMessage = onMessage;
    this.#lock = new Lock({
      onMessage,
      onToggle: (isLocked, isFromHeader) => {
        if (isFromHeader && !isLocked) onLock();
        this.#send("/api/controls/lock", isLocked ? "DELETE" : "POST");
      },
    });
    const document = embedded("controls");
    if (document) {
      this.#revision = this.#newest = embeddedRevisions.controls;
      this.#show(document);
    }
    this.#filter.addEventListener("input", () => this.#applyFilter());
    element("reset-controls").addEventListener("click", () => this.#send("/api/controls/reset", "POST"));
  }

  /** Whether the controls are on the screen. */
  set isOpen(isOpen) {
    this.#isOpen = isOpen;
    if (!isOpen) return;
    if (this.#document) this.#showFields(this.#document);
    this.#refresh();
  }

  /** Updates the controls if a reading says that there is another camera, or that they have changed. */
  follow({ state, revisions }) {
    const isLive = state === "live";
    if (isLive !== this.#isLive) {
      this.#isLive = isLive;
      this.#section.hidden = !isLive;
      element("no-controls").hidden = isLive;
      this.#lock.isAvailable = isLive;
    }
    this.#newest = revisions.controls;
    this.#refresh();
  }

  #refresh() {
    if (!this.#isLive || this.#revision === this.#newest) return;
    if (this.#isOpen || performance.now() - this.#loadedAt > idlePeriod) this.#load();
  }

  async #load() {
    this.#revision = this.#newest;
    this.#loadedAt = performance.now();
    const request = ++this.#lastRequest;
    try {
      const document = await fetchJSON("/api/controls");
      if (request < this.#shownRequest) return;
      this.#shownRequest = request;
      this.#show(document);
    } catch {
      // The next reading tries again.
      this.#revision = null;
    }
  }

  #show(document) {
    const { controls, automatics, lock } = document;
    const labels = new Map(controls.map(({ name, label }) => [name, label]));
    this.#document = document;
    this.#lock.show(lock, automatics.map((name) => labels.get(name)));
    // Fields that are not on the screen cost nothing.
    if (this.#isOpen) this.#showFields(document);
  }

  #showFields({ controls }) {
    const labels = new Map(controls.map(({ name, label }) => [name, label]));
    const now = JSON.stringify(controls.map(({ name, type, minimum, maximum, choices }) => [name, type, minimum, maximum, choices]));
    if (now !== this.#shape) {
      this.#shape = now;
      const set = (name, value) => this.#send(`/api/controls/${encodeURIComponent(name)}`, "PUT", { value });
      this.#fields = new Map(controls.map((control) => [control.name, new ControlField(control, set)]));
      const rows = controls.filter(({ name }) => name !== mains);
      const isButton = ({ type }) => type === "button";
      const ordered = [...rows.filter((control) => !isButton(control)), ...rows.filter(isButton)];
      const fields = this.#fields;
      this.#list.replaceChildren(...ordered.map(({ name }) => fields.get(name).element));
      this.#besideLock.replaceChildren(...(fields.has(mains) ? [fields.get(mains).element] : []));
      this.#filter.parentElement.hidden = rows.length <= manyControls;
    }
    for (const control of controls) this.#fields.get(control.name).show(control, labels.get(control.controlledBy));
    this.#applyFilter();
  }

  #applyFilter() {
    const text = this.#filter.parentElement.hidden ? "" : this.#filter.value.trim().toLowerCase();
    for (const field of this.#fields.values()) field.filter(text);
    this.#fields.get(mains)?.filter("");
  }

  /** Requests a change, then loads the controls, whether the change succeeded or not. */
  async #send(path, method, body = {}) {
    try {
      await fetchJSON(path, { method, body });
    } catch (problem) {
      this.#onMessage(problem.message);
    }
    await this.#load();
  }
}

/** The lock for measuring: a button in the header, and another one with the outcome among the controls. */
class Lock {
  #header = element("lock-now", HTMLButtonElement);
  #button = element("lock", HTMLButtonElement);
  #result = element("lock-result");
  #lines = element("lock-lines");
  #setStatus = textOf("lock-status");
  #setLabel = textOf("lock");
  #setHeaderLabel = textOf("lock-now");
  #phase = onChange((phase) => {
    const isLocked = phase === "locked";
    const isSettling = phase === "settling";
    this.#header.setAttribute("aria-pressed", String(isLocked));
    this.#header.disabled = this.#button.disabled = isSettling;
    this.#setHeaderLabel(isSettling ? "Locking" : "Lock");
    this.#setLabel(isLocked ? "Unlock" : "Lock for measuring");
    this.#result.hidden = !isLocked;
    this.#isLocked = isLocked;
  });
  #isLocked = false;

  /** @param {{ onMessage: (message: string) => void, onToggle: (isLocked: boolean, isFromHeader: boolean) => void }} handlers */
  constructor({ onMessage, onToggle }) {
    this.#header.addEventListener("click", () => onToggle(this.#isLocked, true));
    this.#button.addEventListener("click", () => onToggle(this.#isLocked, false));
    element("copy-lines").addEventListener("click", async () => {
      onMessage((await copy(this.#lines.textContent)) ? "Copied the lines" : "This browser does not allow copying");
    });
  }

  set isAvailable(isAvailable) {
    this.#header.hidden = !isAvailable;
  }

  /**
   * Shows the state of the lock.
   * @param {any} lock as the server describes it; null if nothing is locked.
   * @param {string[]} automatics the labels of the automatic controls that are on.
   */
  show(lock, automatics) {
    this.#phase(lock?.phase ?? "");
    this.#setStatus(sentence(lock, automatics));
    if (!this.#isLocked) return;
    const { locked, missing, refused, config } = lock;
    const items = [
      ...locked.map(({ label, value }) => ["locked", `${label}: ${value}`]),
      ...refused.map(({ name, reason }) => ["refused", `${name} ${reason}`]),
      ...(missing.length > 0 ? [["missing", `This camera cannot lock its ${list(missing)}.`]] : []),
    ].map(([kind, text]) => make("li", { className: kind, text }));
    element("lock-list").replaceChildren(...items);
    this.#lines.textContent = config;
  }
}

function sentence(lock, automatics) {
  if (lock?.phase === "settling") return `Waiting for the automatic controls to settle, ${Math.floor(lock.seconds)} s.`;
  if (lock?.phase === "locked") {
    return lock.settled ? "Locked." : "Locked, but the automatic controls had not settled.";
  }
  if (automatics.length === 0) return "No automatic control is on.";
  return `On: ${list(automatics)}. The colour may drift.`;
}

/** A slider with more positions than this is too fine to aim at, so the control has only a number field. */
const mostPositions = 100_000;
let count = 0;

/** One control of the camera: its name, the inputs that set it, and why it cannot be set. */
class ControlField {
  /** The row. */
  element = make("div", { className: "control" });

  #control;
  #send;
  #inputs;
  #reset = make("button", { className: "reset", text: "Reset" });
  #why = make("p", { className: "why" });
  #throttle = new Throttle(() => this.#showCurrent());
  /** Whether the user is changing the value, which values from the server must not overwrite. */
  #isHeld = false;

  /**
   * @param {any} control as the server describes it.
   * @param {(name: string, value: unknown) => Promise<void>} send sets the control, and never throws.
   */
  constructor(control, send) {
    this.#send = send;
    const id = `control-${count++}`;
    const label = make("label", { text: control.label });
    label.htmlFor = id;
    this.#inputs = makers[control.type](control, (value, isDone) => this.#change(value, isDone));
    this.#inputs.at(-1).id = id;
    for (const input of this.#inputs.slice(0, -1)) input.setAttribute("aria-label", control.label);
    this.#reset.type = "button";
    this.#reset.addEventListener("click", () => this.#change(null, true));
    const inputs = make("div", { className: "inputs" });
    inputs.append(...this.#inputs);
    inputs.addEventListener("input", () => {
      this.#isHeld = true;
    });
    inputs.addEventListener("focusout", () => this.#release());
    inputs.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#release();
    });
    this.element.dataset.type = control.type;
    this.element.append(label, this.#reset, inputs, this.#why);
    this.show(control);
  }

  /** Shows the current state of the control. */
  show(control, controllerLabel = control.controlledBy) {
    this.#control = control;
    const isOff = control.readOnly || control.inactive;
    for (const input of this.#inputs) input.disabled = isOff;
    // A disabled field may lose the focus without an event.
    if (isOff) this.#isHeld = false;
    this.#showCurrent();
    const hasDefault = control.default !== null && control.type !== "button" && !isOff;
    this.#reset.hidden = !hasDefault || control.value === control.default;
    this.#reset.title = `Set to ${control.default}`;
    this.#reset.setAttribute("aria-label", `Reset ${control.label}`);
    let why = "";
    if (control.readOnly) why = "Read-only";
    else if (control.inactive) why = controllerLabel ? `${controllerLabel} has taken it over` : "Has no effect now";
    this.#why.textContent = why;
  }

  /** Hides the row unless the name of its control contains the text. */
  filter(text) {
    const { name, label } = this.#control;
    this.element.hidden = ![name, label.toLowerCase()].some((part) => part.includes(text));
  }

  #show(value) {
    for (const input of this.#inputs) {
      if (input.type === "checkbox") input.checked = value !== 0;
      else if (input.type !== "submit" && input.type !== "button") input.value = display(this.#control, value);
    }
  }

  /** Shows the value from the server, unless the user has entered a newer one. */
  #showCurrent() {
    const { value } = this.#control;
    const isSet = value !== null && value !== undefined;
    if (isSet && !this.#isHeld && !this.#throttle.isBusy) this.#show(value);
  }

  #release() {
    this.#isHeld = false;
    this.#showCurrent();
  }

  #change(value, isDone) {
    this.#isHeld = !isDone;
    if (value !== null && value !== true) this.#show(value);
    this.#throttle.push(() => this.#send(this.#control.name, value));
  }
}

function makeInput(type) {
  const input = make("input");
  input.type = type;
  input.autocomplete = "off";
  return input;
}

function display(control, value) {
  return control.type === "bitmask" ? `0x${value.toString(16).toUpperCase()}` : String(value);
}

function makeNumber(control, change) {
  const number = makeInput("number");
  Object.assign(number, { min: control.minimum, max: control.maximum, step: control.step || 1, inputMode: "numeric" });
  number.addEventListener("change", () => {
    if (Number.isFinite(number.valueAsNumber)) change(number.valueAsNumber, true);
  });
  const positions = (control.maximum - control.minimum) / (control.step || 1);
  if (positions > mostPositions) return [number];
  const slider = makeInput("range");
  Object.assign(slider, { min: control.minimum, max: control.maximum, step: control.step || 1 });
  slider.addEventListener("input", () => change(slider.valueAsNumber, false));
  slider.addEventListener("change", () => change(slider.valueAsNumber, true));
  return [slider, number];
}

function makeSelect(control, change) {
  const select = make("select");
  for (const [value, name] of Object.entries(control.choices ?? {})) select.append(new Option(name, value));
  select.addEventListener("change", () => change(Number(select.value), true));
  return [select];
}

/** The inputs that set a control, by its type. The label belongs to the last of them. */
const makers = {
  "integer": makeNumber,
  "menu": makeSelect,
  "integer-menu": makeSelect,
  "boolean": (_, change) => {
    const box = makeInput("checkbox");
    box.addEventListener("change", () => change(box.checked ? 1 : 0, true));
    return [box];
  },
  "button": (control, change) => {
    const button = make("button", { className: "plain", text: control.label });
    button.type = "button";
    button.addEventListener("click", () => change(true, true));
    return [button];
  },
  "bitmask": (_, change) => {
    const field = makeInput("text");
    field.spellcheck = false;
    field.pattern = "\\s*(0[xX][0-9A-Fa-f]+|[0-9]+)\\s*";
    // Number() reads hexadecimal and decimal numbers. Anything else stays in the field until it is corrected or left.
    field.addEventListener("change", () => {
      if (field.value.trim() !== "" && field.validity.valid) change(Number(field.value), true);
    });
    return [field];
  },
  "string": (control, change) => {
    const field = makeInput("text");
    field.minLength = control.minimum;
    field.maxLength = control.maximum;
    field.addEventListener("change", () => change(field.value, true));
    return [field];
  },
};
