/** Settings that all pages share: how they are changed, the effect, and the changes that are remembered. */

import { element, embedded, ifChanged, textSetter } from "../../lib/elements.js";
import { fetchJSON, Throttle } from "../../lib/requests.js";
import { copyText, toast } from "../messages.js";
import { addChangeCheck, dashboard, followReadings, store } from "../state.js";

const throttle = new Throttle();
addChangeCheck(() => throttle.isBusy);
let changes = null;

/** Changes some settings on the server soon. The newest change wins. */
export function changeSettings(values) {
  store.update(values);
  changes = { ...changes, ...values };
  throttle.push(async () => {
    const body = changes;
    changes = null;
    try {
      await fetchJSON("/api/settings", { method: "PUT", body });
    } catch (problem) {
      toast(problem.message);
    }
  });
}

// The effect

const effect = element("effect", HTMLSelectElement);
const effects = new Map([...effect.options].map((option) => [option.value, { title: option.text, summary: option.dataset.summary }]));
const setSummary = textSetter("effect-summary");
const setCaption = textSetter("processed-caption");
const showEffect = ifChanged((name) => {
  effect.value = name;
  dashboard.dataset.effect = name;
  setSummary(effects.get(name)?.summary ?? "");
  setCaption(effects.get(name)?.title ?? name);
});

effect.addEventListener("change", () => changeSettings({ effect: effect.value }));
store.follow((state) => showEffect(state.effect));

// Settings that were changed on a page and take precedence over config.toml

const setProblem = textSetter("remembered-problem");
let revision = null;
const embeddedSettings = embedded("settings");
if (embeddedSettings) {
  revision = embedded("reading")?.revisions?.settings ?? null;
  showRemembered(embeddedSettings);
}

followReadings(async ({ revisions }) => {
  if (revisions.settings === undefined || revisions.settings === revision) return;
  revision = revisions.settings;
  try {
    showRemembered(await fetchJSON("/api/settings"));
  } catch {
    // The next reading tries again.
    revision = null;
  }
});

function showRemembered({ remembered, problem }) {
  setProblem(problem ?? "");
  element("remembered").hidden = !remembered;
  if (!remembered) return;
  const since = element("remembered-since", HTMLTimeElement);
  since.dateTime = remembered.since;
  since.textContent = new Date(remembered.since).toLocaleString([], { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
  element("remembered-lines").textContent = remembered.lines;
}

element("copy-remembered").addEventListener("click", () => copyText(element("remembered-lines").textContent, "the lines"));
element("forget").addEventListener("click", async () => {
  try {
    await fetchJSON("/api/settings", { method: "DELETE" });
    toast("The settings of config.toml apply again");
  } catch (problem) {
    toast(problem.message);
  }
});
