/** A sample in the list of samples. */

import { make } from "./elements.js";
import { clockTime } from "./formatting.js";
import { copyText, toast } from "./messages.js";
import { fetchJSON } from "./requests.js";

/** How long "Really delete?" waits for the second click, in milliseconds. */
const confirmationTime = 4_000;

const svg = "http://www.w3.org/2000/svg";

/** The swatch, name and figures of a sample, with buttons to copy, rename and delete it. */
export class SampleItem {
  #sample;
  #color = document.createElementNS(svg, "rect");
  #name = make("span", { className: "sample-name" });
  #figures = make("span", { className: "sample-figures" });
  #copy = action("Copy", () => copyText(this.#sample.hex));
  #rename = action("Rename", () => this.#edit());
  #delete = action("Delete", () => this.#confirmDeletion());
  #timer = 0;

  constructor(sample) {
    this.element = make("li", { className: "sample" });
    const chip = document.createElementNS(svg, "svg");
    chip.setAttribute("class", "sample-chip");
    chip.setAttribute("aria-hidden", "true");
    this.#color.setAttribute("width", "100%");
    this.#color.setAttribute("height", "100%");
    chip.append(this.#color);
    const buttons = make("span", { className: "sample-buttons" });
    buttons.append(this.#copy, this.#rename, this.#delete);
    this.element.append(chip, this.#name, this.#figures, buttons);
    this.show(sample);
  }

  show(sample) {
    this.#sample = sample;
    const { name, hex, standardError, quality, time, readings } = sample;
    this.#color.setAttribute("fill", hex);
    // While the name is being edited, its field stays.
    if (!this.#name.querySelector("input")) this.#name.textContent = name;
    const error = standardError ? `±${standardError.deltaE.toFixed(2)} ΔE` : `${readings} reading${readings === 1 ? "" : "s"}`;
    this.#figures.textContent = [hex, error, quality?.grade, moment(new Date(time))].filter(Boolean).join(" · ");
    for (const [button, verb] of [[this.#copy, "Copy"], [this.#rename, "Rename"], [this.#delete, "Delete"]]) {
      button.setAttribute("aria-label", `${verb} ${name}`);
    }
  }

  #edit() {
    const field = make("input");
    field.type = "text";
    field.value = this.#sample.name;
    field.setAttribute("aria-label", "Name of the sample");
    this.#name.replaceChildren(field);
    field.focus();
    field.select();
    let isDone = false;
    const finish = async (isSaved) => {
      if (isDone) return;
      isDone = true;
      const name = field.value;
      const hadFocus = document.activeElement === field;
      this.#name.textContent = this.#sample.name;
      if (hadFocus) this.#rename.focus();
      if (isSaved && name !== this.#sample.name) await this.#send("PATCH", { name });
    };
    field.addEventListener("blur", () => finish(true));
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      // The focus moves to a button, which the same key would press.
      event.preventDefault();
      finish(event.key === "Enter");
    });
  }

  /** A deleted sample cannot be restored, so the first click only asks. */
  #confirmDeletion() {
    const isSure = this.#delete.hasAttribute("data-on");
    clearTimeout(this.#timer);
    this.#showQuestion(!isSure);
    if (isSure) this.#send("DELETE");
    else this.#timer = setTimeout(() => this.#showQuestion(false), confirmationTime);
  }

  #showQuestion(isAsking) {
    this.#delete.toggleAttribute("data-on", isAsking);
    this.#delete.textContent = isAsking ? "Really delete?" : "Delete";
    this.#delete.setAttribute("aria-label", `${isAsking ? "Really delete" : "Delete"} ${this.#sample.name}`);
  }

  /** Changes the sample on the server. The next reading says that the list has changed. */
  async #send(method, body) {
    try {
      await fetchJSON(`/api/samples/${this.#sample.id}`, { method, body });
    } catch (problem) {
      toast(problem.message);
    }
  }
}

function action(label, job) {
  const button = make("button", { className: "plain", text: label });
  button.type = "button";
  button.addEventListener("click", job);
  return button;
}

/** When a sample was taken: the time of day, and the date unless that is today. */
function moment(date) {
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? clockTime(date) : `${date.toLocaleDateString()} ${clockTime(date)}`;
}
