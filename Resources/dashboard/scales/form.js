/** The form in the tab Probes that makes a scale: of the probes in the picture, or of colours that are known. */

import { element, textSetter } from "../../lib/elements.js";
import { effect, signal } from "../../lib/signals.js";
import { toast, tryFetch } from "../messages.js";
import { mayChange, state } from "../state.js";
import { linesOfSamples, linesOfTable, pointsIn, valuesIn } from "./place.js";

if (mayChange) {
  const [name, unit, valuesField] = ["scale-name", "scale-unit", "scale-values"].map((id) => element(id, HTMLInputElement));
  const source = element("scale-source", HTMLSelectElement);
  const read = element("scale-read", HTMLSelectElement);
  const linesField = element("scale-colors", HTMLTextAreaElement);
  const setPairs = textSetter("scale-pairs");
  const values = signal("");
  const isOfProbes = () => source.value === "probes";

  /** The probe that is read; empty for the area. */
  const readName = signal("");
  /** The probes whose colours make the scale: all but the one that is read. */
  const probes = () => (state.reading.value?.probes ?? []).filter((probe) => probe.name !== readName.value);

  /** Says which value each probe gets, before the scale is made. */
  effect(() => {
    const numbers = valuesIn(values.value) ?? [];
    const names = probes().map((probe) => probe.name);
    const pairs = numbers.slice(0, names.length).map((value, index) => `${names[index]} = ${value}`);
    const left = names.length - numbers.length;
    if (pairs.length > 0 && left > 0) pairs.push(left === 1 ? `${names.at(-1)} is not in the scale` : `${left} other probes are not in the scale`);
    setPairs(pairs.join(", "));
  });

  /** The probes that may be read instead of the area. */
  effect(() => {
    const names = (state.reading.value?.probes ?? []).map((probe) => probe.name);
    if (names.length + 1 === read.length && names.every((one, index) => read.options[index + 1].value === one)) return;
    read.replaceChildren(new Option("the area", ""), ...names.map((one) => new Option(one, one)));
    read.value = readName.value;
    if (read.selectedIndex < 0) [read.value, readName.value] = ["", ""];
  });

  valuesField.addEventListener("input", () => {
    values.value = valuesField.value;
  });
  read.addEventListener("change", () => {
    readName.value = read.value;
  });
  source.addEventListener("change", fill);

  /** Shows the field that belongs to the source, with the colours that the source has. */
  async function fill() {
    for (const field of document.querySelectorAll(".of-probes")) /** @type {HTMLElement} */ (field).hidden = !isOfProbes();
    for (const field of document.querySelectorAll(".of-colors")) /** @type {HTMLElement} */ (field).hidden = isOfProbes();
    valuesField.required = isOfProbes();
    linesField.required = !isOfProbes();
    if (source.value === "samples") {
      const list = await tryFetch("api/samples");
      if (list) fillWith(linesOfSamples(list.samples), "No sample has a number as its name. Rename those of the scale to their values.");
    } else if (source.value === "palette") {
      const response = await fetch("palette.txt").catch(() => null);
      if (!response?.ok) toast("There is no palette. Load one on the Samples tab.");
      else fillWith(linesOfTable(await response.text()), "No colour of the palette has a number as its name.");
    }
  }

  function fillWith(text, problem) {
    if (text) linesField.value = text;
    else toast(problem);
  }

  element("scale-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const points = isOfProbes() ? pointsOfProbes() : pointsOfLines();
    if (!points) return;
    const body = { unit: unit.value.trim(), points, ...(readName.value && { probe: readName.value }) };
    const set = await tryFetch(`api/scales/${encodeURIComponent(name.value.trim())}`, { method: "PUT", body });
    if (set) toast(`The scale “${set.name}” has ${set.points.length} colours`);
  });

  function pointsOfProbes() {
    const numbers = valuesIn(valuesField.value);
    const names = probes().map((probe) => probe.name);
    if (!numbers) toast("Type numbers such as 6, 6.5, 7.");
    else if (numbers.length > names.length) toast(`There are ${numbers.length} values and ${names.length} probes.`);
    else return numbers.map((value, index) => ({ value, probe: names[index] }));
    return null;
  }

  function pointsOfLines() {
    const points = pointsIn(linesField.value);
    if (typeof points !== "string") return points;
    toast(`“${points.slice(0, 60)}” is not a value and a colour, such as 6 #E8C34A.`);
    return null;
  }
}
