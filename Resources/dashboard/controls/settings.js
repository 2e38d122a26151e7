/** Settings that all pages share: the effect, and the changes that are remembered. */

import { element, textSetter } from "../../lib/elements.js";
import { dateAndTime } from "../../lib/formatting.js";
import { Revisioned } from "../../lib/revisioned.js";
import { effect } from "../../lib/signals.js";
import { copyText, toast, tryFetch } from "../messages.js";
import { dashboard, followReadings, state } from "../state.js";
import { changeSettings } from "./change.js";

// The effect

const choice = element("effect", HTMLSelectElement);
const effects = new Map([...choice.options].map((option) => [option.value, { title: option.text, summary: option.dataset.summary }]));
const setSummary = textSetter("effect-summary");
const setCaption = textSetter("processed-caption");
effect(() => {
  const name = state.effect.value;
  choice.value = name;
  dashboard.dataset.effect = name;
  setSummary(effects.get(name)?.summary ?? "");
  setCaption(effects.get(name)?.title ?? name);
});

choice.addEventListener("change", () => changeSettings({ effect: choice.value }));

// Settings that were changed on a page and take precedence over config.toml

const setProblem = textSetter("remembered-problem");
const settings = new Revisioned("api/settings", showRemembered);
settings.begin("settings");
followReadings(({ revisions }) => settings.follow(revisions.settings));

function showRemembered({ remembered, problem }) {
  setProblem(problem ?? "");
  element("remembered").hidden = !remembered;
  if (!remembered) return;
  const since = element("remembered-since", HTMLTimeElement);
  since.dateTime = remembered.since;
  since.textContent = dateAndTime(remembered.since);
  element("remembered-lines").textContent = remembered.lines;
}

element("copy-remembered").addEventListener("click", () => copyText(element("remembered-lines").textContent, "the lines"));
element("forget").addEventListener("click", async () => {
  if (await tryFetch("api/settings", { method: "DELETE" })) toast("The settings of config.toml apply again");
});
