/** Teaching a target by samples of good and bad parts. */

import { element, make, makeChip, textSetter } from "../../lib/elements.js";
import { Preference } from "../../lib/preference.js";
import { fetchJSON } from "../../lib/requests.js";
import { toast } from "../messages.js";
import { followReadings, mayChange } from "../state.js";
import { freeName, setTarget } from "./targets.js";

/** The minimum number of good parts. */
const minCount = 5;
/** The number of readings of each sample. */
const readings = 16;
const kinds = { good: "Good part", bad: "Bad part" };

if (mayChange) {
  // This browser remembers the parts, so that a reload does not end the lesson; the server has their samples.
  const memory = new Preference("teach-in");
  const parts = recalled();
  const components = element("lesson-components", HTMLInputElement);
  const nameField = element("lesson-name", HTMLInputElement);
  const setLesson = textSetter("lesson");
  const setLabel = { good: textSetter("good-part"), bad: textSetter("bad-part") };
  let lesson = null;
  /** The sample under way: its kind, how many readings have come, and what cancels it; null if there is none. */
  let sampling = null;

  function recalled() {
    try {
      const { good, bad } = JSON.parse(memory.read("{}"));
      return { good: Array.isArray(good) ? good : [], bad: Array.isArray(bad) ? bad : [] };
    } catch {
      return { good: [], bad: [] };
    }
  }

  const showProgress = () => {
    for (const kind of Object.keys(kinds)) {
      setLabel[kind](sampling?.kind === kind ? `${Math.min(sampling.count, readings)} of ${readings}` : kinds[kind]);
    }
  };

  /** Samples the part in view, or cancels the sample under way. */
  const take = async (kind) => {
    if (sampling) {
      sampling.controller.abort();
      return;
    }
    const controller = new AbortController();
    sampling = { kind, controller, count: 0 };
    showProgress();
    try {
      const name = `${kinds[kind]} ${parts[kind].length + 1}`;
      const { id, hex } = await fetchJSON("/api/samples", { method: "POST", body: { name, readings }, signal: controller.signal });
      parts[kind].push({ id, hex });
      update();
    } catch (problem) {
      toast(controller.signal.aborted ? "The sample was cancelled" : problem.message);
    } finally {
      sampling = null;
      showProgress();
    }
  };

  const row = (kind, part, index) => {
    const item = make("li");
    const chip = makeChip(part.hex);
    const button = make("button", { className: "quiet square", text: "×" });
    button.type = "button";
    button.setAttribute("aria-label", `Leave out ${kinds[kind].toLowerCase()} ${index + 1}`);
    button.addEventListener("click", () => {
      parts[kind].splice(index, 1);
      update();
      /** @type {HTMLElement} */ (element(`${kind}-parts`).querySelectorAll("button")[index] ?? element(`${kind}-part`)).focus();
    });
    const passes = lesson?.passingBad.includes(part.id) ? " would pass" : "";
    item.append(chip, make("span", { text: `${kinds[kind].split(" ")[0]} ${index + 1}${passes}` }), button);
    return item;
  };

  const show = () => {
    for (const kind of Object.keys(kinds)) {
      element(`${kind}-parts`).replaceChildren(...parts[kind].map((part, index) => row(kind, part, index)));
    }
    element("lesson-form").hidden = !lesson;
  };

  /** Asks the server what the parts teach, and shows it. */
  const update = async () => {
    memory.write(JSON.stringify(parts));
    const missing = minCount - parts.good.length;
    if (missing > 0) {
      lesson = null;
      const isBegun = parts.good.length + parts.bad.length > 0;
      setLesson(isBegun ? `${missing} more good ${missing === 1 ? "part is" : "parts are"} needed.` : "");
      show();
      return;
    }
    show();
    try {
      const ids = (kind) => parts[kind].map(({ id }) => id);
      lesson = await fetchJSON("/api/teach-in", { method: "POST", body: { good: ids("good"), bad: ids("bad"), components: components.checked } });
      const { deltaE, lightness, chroma, hue } = lesson.tolerance;
      const own = lightness === null ? "" : `, ΔL′ ${lightness.toFixed(2)}, ΔC′ ${chroma.toFixed(2)}, ΔH′ ${hue.toFixed(2)}`;
      setLesson(`Tolerance: ΔE ${deltaE.toFixed(2)}${own}. ${[lesson.description, ...lesson.warnings].join(" ")}`);
    } catch (problem) {
      lesson = null;
      setLesson(problem.message);
    }
    show();
  };

  const forget = () => {
    [parts.good, parts.bad] = [[], []];
    update();
  };

  for (const kind of Object.keys(kinds)) element(`${kind}-part`).addEventListener("click", () => take(kind));
  components.addEventListener("change", update);
  element("forget-lesson").addEventListener("click", forget);
  element("lesson-save").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!lesson) return;
    const { deltaE, ...own } = lesson.tolerance;
    const tolerances = Object.fromEntries(Object.entries({ tolerance: deltaE, ...own }).filter(([, value]) => value !== null));
    if (await setTarget(nameField.value || freeName("Target"), { color: lesson.color, ...tolerances })) {
      nameField.value = "";
      forget();
    }
  });
  followReadings(({ frame }) => {
    if (!sampling || !frame) return;
    sampling.count += 1;
    showProgress();
  });
  update();
}
