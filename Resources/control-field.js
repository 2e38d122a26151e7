import { Pacer } from "./pacer.js";

/** A slider with more places than that cannot be aimed at: a number field alone is better. */
const mostPlaces = 100_000;
let count = 0;

/** One control of the camera: its name, whatever sets it, and why it cannot be set. */
export class ControlField {
  /** The row. */
  element = make("div", "control");

  #control;
  #send;
  #inputs;
  #reset = make("button", "reset");
  #why = make("p", "why");
  #pacer = new Pacer(() => this.#showCurrent());
  /** Whether the person is at it, from the first key on: what comes from the server must not get in the way. */
  #isHeld = false;

  /**
   * @param {object} control as the server describes it.
   * @param {(name: string, value: unknown) => Promise<void>} send sets it; fails quietly.
   */
  constructor(control, send) {
    this.#send = send;
    const id = `control-${count++}`;
    const label = make("label");
    label.textContent = control.label;
    label.htmlFor = id;
    this.#inputs = makers[control.type](control, (value, isDone) => this.#change(value, isDone));
    this.#inputs.at(-1).id = id;
    for (const input of this.#inputs.slice(0, -1)) input.setAttribute("aria-label", control.label);
    this.#reset.type = "button";
    this.#reset.textContent = "Reset";
    this.#reset.addEventListener("click", () => this.#change(null, true));
    const inputs = make("div", "inputs");
    inputs.append(...this.#inputs);
    inputs.addEventListener("input", () => (this.#isHeld = true));
    inputs.addEventListener("focusout", () => this.#letGo());
    inputs.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#letGo();
    });
    this.element.dataset.type = control.type;
    this.element.append(label, this.#reset, inputs, this.#why);
    this.show(control);
  }

  /** Shows the control as it is now. */
  show(control, controllerLabel = control.controlledBy) {
    this.#control = control;
    const isOff = control.readOnly || control.inactive;
    for (const input of this.#inputs) input.disabled = isOff;
    // A field that is switched off may lose the focus without a word.
    if (isOff) this.#isHeld = false;
    this.#showCurrent();
    const hasDefault = control.default !== null && control.type !== "button" && !isOff;
    this.#reset.hidden = !hasDefault || control.value === control.default;
    this.#reset.title = `To ${control.default}`;
    this.#reset.setAttribute("aria-label", `Reset ${control.label}`);
    let why = "";
    if (control.readOnly) why = "Read-only";
    else if (control.inactive) why = controllerLabel ? `${controllerLabel} has taken it over` : "Has no effect now";
    this.#why.textContent = why;
  }

  /** Whether the row is about what the person looks for. */
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

  /** Shows what the server says, unless the person has said something newer. */
  #showCurrent() {
    const { value } = this.#control;
    const isSet = value !== null && value !== undefined;
    if (isSet && !this.#isHeld && !this.#pacer.isBusy) this.#show(value);
  }

  #letGo() {
    this.#isHeld = false;
    this.#showCurrent();
  }

  #change(value, isDone) {
    this.#isHeld = !isDone;
    if (value !== null && value !== true) this.#show(value);
    this.#pacer.push(() => this.#send(this.#control.name, value));
  }
}

function make(tag, className = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  return element;
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
  const places = (control.maximum - control.minimum) / (control.step || 1);
  if (places > mostPlaces) return [number];
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

/** What sets each type; the last of them is what the label is for. */
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
    const button = make("button", "plain");
    button.type = "button";
    button.textContent = control.label;
    button.addEventListener("click", () => change(true, true));
    return [button];
  },
  "bitmask": (_, change) => {
    const field = makeInput("text");
    field.spellcheck = false;
    field.pattern = "\\s*(0[xX][0-9A-Fa-f]+|[0-9]+)\\s*";
    // Number() reads 0x as well as plain numbers; what is neither waits to be corrected until the field is left.
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
