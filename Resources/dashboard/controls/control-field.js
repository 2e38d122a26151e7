/** The fields of the camera's controls. */

import { make } from "../../lib/elements.js";
import { Throttle } from "../../lib/requests.js";

/** A slider with more positions than this is too fine to aim at, so the control has only a number field. */
const mostPositions = 100_000;
let count = 0;

/** One control of the camera: its name, the inputs that set it, and why it cannot be set. */
export class ControlField {
  /** The row. */
  element = make("div", { className: "control" });

  #control;
  #setControl;
  #inputs;
  #reset = make("button", { className: "reset", text: "Reset" });
  #why = make("p", { className: "why" });
  #throttle = new Throttle(() => this.#showCurrent());
  /** Whether the user is changing the value, which values from the server must not overwrite. */
  #isHeld = false;

  /**
   * @param {any} control as the server describes it.
   * @param {(name: string, value: unknown) => Promise<void>} setControl sets the control, and never throws.
   */
  constructor(control, setControl) {
    this.#setControl = setControl;
    const id = `control-${count++}`;
    const label = make("label", { text: control.label });
    label.htmlFor = id;
    this.#inputs = inputMakers[control.type](control, (value, isDone) => this.#change(value, isDone));
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
    this.#throttle.push(() => this.#setControl(this.#control.name, value));
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
const inputMakers = {
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
