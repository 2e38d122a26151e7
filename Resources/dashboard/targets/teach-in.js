/** Teaching a target by samples of good and bad parts. */

import { element, make, makeChip, textSetter } from "../../lib/elements.js";
import { Preference } from "../../lib/preference.js";
import { fetchJSON } from "../../lib/requests.js";
import { effect, signal } from "../../lib/signals.js";
import { Sampling } from "../samples/sampling.js";
import { mayChange } from "../state.js";
import { freeName, setTarget } from "./targets.js";

/** The minimum number of good parts. */
const minCount = 5;
/** The number of readings of each sample. */
const readings = 16;
const kinds = { good: "Good part", bad: "Bad part" };

if (mayChange) {
  // This browser remembers the parts, so that a reload does not end the lesson; the server has their samples.
  const memory = new Preference("teach-in");
  const parts = signal(recalled());
  const sampling = new Sampling();
  const sampledKind = signal("");
  /** What the server makes of the parts; null if they are too few. */
  const lesson = signal(null);
  const components = element("lesson-components", HTMLInputElement);
  const nameField = element("lesson-name", HTMLInputElement);
  const setLesson = textSetter("lesson");
  const setLabel = { good: textSetter("good-part"), bad: textSetter("bad-part") };

  function recalled() {
    try {
      const { good, bad } = JSON.parse(memory.read("{}"));
      return { good: Array.isArray(good) ? good : [], bad: Array.isArray(bad) ? bad : [] };
    } catch {
      return { good: [], bad: [] };
    }
  }

  effect(() => {
    for (const [kind, label] of Object.entries(kinds)) setLabel[kind]((sampledKind.value === kind && sampling.progress.value) || label);
  });

  /** Samples the part in view, or cancels the sample under way. */
  const take = async (kind) => {
    if (sampling.cancel()) return;
    sampledKind.value = kind;
    const sample = await sampling.take(`${kinds[kind]} ${parts.value[kind].length + 1}`, readings);
    if (sample) setParts(kind, [...parts.value[kind], { id: sample.id, hex: sample.hex }]);
  };

  const setParts = (kind, list) => {
    parts.value = { ...parts.value, [kind]: list };
  };

  const row = (kind, part, index) => {
    const item = make("li");
    const chip = makeChip(part.hex);
    const button = make("button", { className: "quiet square", text: "×" });
    button.type = "button";
    button.setAttribute("aria-label", `Leave out ${kinds[kind].toLowerCase()} ${index + 1}`);
    button.addEventListener("click", () => {
      setParts(kind, parts.value[kind].filter((other) => other !== part));
      /** @type {HTMLElement} */ (element(`${kind}-parts`).querySelectorAll("button")[index] ?? element(`${kind}-part`)).focus();
    });
    const passes = lesson.value?.passingBad.includes(part.id) ? " would pass" : "";
    item.append(chip, make("span", { text: `${kinds[kind].split(" ")[0]} ${index + 1}${passes}` }), button);
    return item;
  };

  effect(() => {
    for (const kind of Object.keys(kinds)) {
      element(`${kind}-parts`).replaceChildren(...parts.value[kind].map((part, index) => row(kind, part, index)));
    }
    element("lesson-form").hidden = !lesson.value;
  });

  /** Asks the server what the parts teach, and says it. */
  const teach = async ({ good, bad }) => {
    const missing = minCount - good.length;
    if (missing > 0) {
      lesson.value = null;
      setLesson(good.length + bad.length > 0 ? `${missing} more good ${missing === 1 ? "part is" : "parts are"} needed.` : "");
      return;
    }
    try {
      const ids = (list) => list.map(({ id }) => id);
      lesson.value = await fetchJSON("api/teach-in", { method: "POST", body: { good: ids(good), bad: ids(bad), components: components.checked } });
      const { deltaE, lightness, chroma, hue } = lesson.value.tolerance;
      const own = lightness === null ? "" : `, ΔL′ ${lightness.toFixed(2)}, ΔC′ ${chroma.toFixed(2)}, ΔH′ ${hue.toFixed(2)}`;
      setLesson(`Tolerance: ΔE ${deltaE.toFixed(2)}${own}. ${[lesson.value.description, ...lesson.value.warnings].join(" ")}`);
    } catch (problem) {
      lesson.value = null;
      setLesson(problem.message);
    }
  };
  effect(() => {
    memory.write(JSON.stringify(parts.value));
    teach(parts.value);
  });

  const forget = () => {
    parts.value = { good: [], bad: [] };
  };

  for (const kind of Object.keys(kinds)) element(`${kind}-part`).addEventListener("click", () => take(kind));
  components.addEventListener("change", () => teach(parts.value));
  element("forget-lesson").addEventListener("click", forget);
  element("lesson-save").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!lesson.value) return;
    const { color, tolerance: { deltaE, ...own } } = lesson.value;
    const tolerances = Object.fromEntries(Object.entries({ tolerance: deltaE, ...own }).filter(([, value]) => value !== null));
    if (await setTarget(nameField.value || freeName("Target"), { color, ...tolerances })) {
      nameField.value = "";
      forget();
    }
  });
}
