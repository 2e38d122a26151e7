/** The tab of the probes: further parts of the picture that are measured. */

import { attributeSetter, element, make, makeChip, textSetter, textSetterOf } from "../../lib/elements.js";
import { doubtAbout, withUnit } from "../../lib/concentration.js";
import { none } from "../../lib/formatting.js";
import { fetchJSON } from "../../lib/requests.js";
import { computed, effect, signal, untracked } from "../../lib/signals.js";
import { verdictLabel } from "../../lib/verdict.js";
import { copyText, tryFetch } from "../messages.js";
import { makeMoreButton } from "../rows.js";
import { followReadings, mayChange, state } from "../state.js";
import "./adding.js";
import { addProbe, addressOf, change, probes, replace } from "./list.js";

const rows = element("probe-list");
const menu = /** @type {any} */ (element("probe-menu"));

/** What shows a probe's colour and verdict in the list, in the order of the probes. */
const cells = computed(() => probes.value.map(makeRow));
/** The probe whose menu is open. */
let chosen = null;

effect(() => {
  rows.replaceChildren(...cells.value.map(({ row }) => row));
  const isEmpty = probes.value.length === 0;
  element("probes-table").hidden = isEmpty;
  element("no-probes").hidden = !isEmpty;
  if (mayChange) element("delete-probes").hidden = element("teach-state").hidden = isEmpty;
});

function makeRow(probe) {
  const row = make("tr", { className: "sample" });
  const chip = makeChip();
  const [swatch, name, hex, calibrated, concentration, verdict, last] = [
    make("td", { className: "swatch-cell" }),
    make("td", { className: "sample-name", text: probe.reference ? `${probe.name} (reference)` : probe.name }),
    make("td", { className: "hex-cell" }),
    make("td", { className: "hex-cell calibrated" }),
    make("td", { className: "concentration" }),
    make("td", { className: "verdict" }),
    make("td"),
  ];
  swatch.append(chip);
  last.append(makeMoreButton((button) => openMenu(probe, button), `More about ${probe.name}`));
  row.append(swatch, name, hex, calibrated, concentration, verdict, last);
  return {
    row, setFill: attributeSetter(chip.firstElementChild, "fill"), setHex: textSetterOf(hex), setVerdict: textSetterOf(verdict),
    measured: { calibrated, concentration },
  };
}

const lightLabels = { off: "Off", on: "On", blinking: "Blinking", unknown: "Cannot tell" };

/** What a probe shows, in words: its light, and the target that it matches, or else the verdict. */
function stateOf({ lightHz, lightState, state: name, verdict }) {
  const match = name ?? (verdict ? verdictLabel(verdict) : null);
  const rate = typeof lightHz === "number" ? ` ${lightHz.toFixed(1)} Hz` : "";
  return [lightState && lightLabels[lightState] + rate, match].filter(Boolean).join(", ");
}

const isOnTab = computed(() => state.tab.value === "probes");
// The colours cost nothing while the list is not on the screen.
effect(() => {
  if (!isOnTab.value) return;
  const found = (!state.silence.value && state.reading.value?.probes) || [];
  for (const [index, { setFill, setHex, setVerdict }] of cells.value.entries()) {
    // A reading may still have the probes from before a change.
    const probe = found[index]?.name === probes.value[index].name ? found[index] : null;
    setHex(probe?.hex ?? none);
    setFill(probe?.hex ?? "none");
    setVerdict(probe ? stateOf(probe) : "");
  }
});

// What else was measured: it is not in each reading

/** The time between two requests for it, in milliseconds. */
const measuredPeriod = 2_000;
/** The probes with all their figures; empty while nothing is known but their colours. */
const measured = signal([]);
let measuredAt = -measuredPeriod;
const isMeasured = computed(() => isOnTab.value && probes.value.length > 0 && !state.silence.value
  && Boolean(state.reading.value?.calibrated || state.reading.value?.blank));
effect(() => {
  if (isMeasured.value) untracked(() => { measuredAt = -measuredPeriod; });
  else measured.value = [];
});
followReadings(async () => {
  if (!isMeasured.value || performance.now() < measuredAt + measuredPeriod) return;
  measuredAt = performance.now();
  try {
    const answer = await fetchJSON("api/reading?probes=all");
    if (isMeasured.value) measured.value = answer.probes;
  } catch {
    // The next reading tries again.
  }
});
effect(() => {
  const found = new Map(measured.value.map((probe) => [probe.name, probe]));
  const table = element("probes-table");
  table.toggleAttribute("data-calibrated", measured.value.some(({ calibrated }) => calibrated));
  table.toggleAttribute("data-concentration", measured.value.some(({ concentration }) => concentration));
  for (const [index, { measured: { calibrated, concentration } }] of cells.value.entries()) {
    const probe = found.get(probes.value[index].name);
    calibrated.textContent = probe?.calibrated?.hex ?? none;
    const doubt = doubtAbout(probe?.concentration);
    concentration.textContent = withUnit(probe?.concentration);
    concentration.title = doubt;
    concentration.toggleAttribute("data-doubt", doubt !== "");
  }
});

// The reference

const setReference = textSetter("reference-status");

/** Says how the light has changed. */
function describeReference({ name, correction, deltaE, hex, reason }) {
  if (!correction) return reason;
  const percent = (factor) => {
    const text = ((1 / factor - 1) * 100).toFixed(1);
    return `${Number(text) > 0 ? "+" : ""}${text.replace("-", "−")} %`;
  };
  const changes = `red ${percent(correction.r)}, green ${percent(correction.g)}, blue ${percent(correction.b)}`;
  return `Light on ${name} since it was set: ${changes}. In that light, the area would be ${hex}, ΔE ${deltaE.toFixed(1)} from now.`;
}

effect(() => {
  if (!isOnTab.value) return;
  const reference = state.silence.value ? null : state.reading.value?.reference;
  element("reference").toggleAttribute("hidden", !reference);
  if (reference) setReference(describeReference(reference));
});

// Changes

/** Says what is known of the light of a probe. */
async function describeLight({ name, light: isLight }) {
  const line = element("probe-light");
  line.hidden = !isLight;
  line.textContent = "";
  if (!isLight) return;
  const reading = await tryFetch("api/reading?probes=all");
  const light = reading?.probes?.find((probe) => probe.name === name)?.light;
  if (!light || chosen.name !== name) return;
  const rate = light.hz === null ? "" : `${light.hz.toFixed(2)} Hz, on ${Math.round(light.duty * 100)} % of the time.`;
  const glow = light.hex === null ? "" : `Its glow is ${light.hex}.`;
  line.textContent = [rate, glow, light.reason].filter(Boolean).join(" ");
}

/** Changes some keys of the probe whose menu is open. */
function alter(changes, done) {
  const { name, problem: _, ...others } = chosen;
  return change(addressOf(name), { method: "PUT", body: { ...others, ...changes } }, done);
}

function openMenu(probe, button) {
  chosen = probe;
  describeLight(probe);
  if (mayChange) {
    element("reference-probe").setAttribute("aria-pressed", String(probe.reference));
    element("light-probe").setAttribute("aria-pressed", String(probe.light));
    element("round-probe").setAttribute("aria-pressed", String(probe.shape === "ellipse"));
    element("probe-name", HTMLInputElement).value = probe.name;
  }
  menu.showPopover({ source: button });
}

element("copy-probe").addEventListener("click", () => {
  menu.hidePopover();
  const hex = state.reading.value?.probes?.find(({ name }) => name === chosen.name)?.hex;
  if (hex) copyText(hex);
});

if (mayChange) {
  effect(() => {
    if (!isOnTab.value) state.isAddingProbes.value = false;
  });
  element("reset-reference").addEventListener("click", () => tryFetch("api/reference", { method: "POST" }));
  element("add-area").addEventListener("click", () => addProbe(state.region.value));
  element("reference-probe").addEventListener("click", () => {
    menu.hidePopover();
    const { name, reference } = chosen;
    alter({ reference: !reference }, reference ? `${name} is not the reference any more` : `${name} is the reference`);
  });
  element("light-probe").addEventListener("click", () => {
    menu.hidePopover();
    const { name, light } = chosen;
    alter({ light: !light }, light ? `${name} is not a light any more` : `${name} is a light`);
  });
  element("round-probe").addEventListener("click", () => {
    menu.hidePopover();
    const isRound = chosen.shape === "ellipse";
    alter({ shape: isRound ? "rectangle" : "ellipse" }, isRound ? `${chosen.name} is a rectangle` : `${chosen.name} is round`);
  });
  element("teach-state").addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = element("state-name", HTMLInputElement).value.trim();
    element("taught").textContent = "Measuring…";
    const taught = await tryFetch(`api/states/${encodeURIComponent(name)}`, { method: "POST" });
    element("taught").textContent = taught?.description ?? "";
    if (!taught) return;
    // The next state is another one.
    const field = element("state-name", HTMLInputElement);
    field.value = "";
    field.focus();
  });
  element("delete-probe").addEventListener("click", async () => {
    menu.hidePopover();
    const index = probes.value.indexOf(chosen);
    await change(addressOf(chosen.name), { method: "DELETE" }, `“${chosen.name}” deleted`);
    // The focus moves to the next row, or to the one before it.
    const next = rows.children[Math.min(index, rows.children.length - 1)];
    /** @type {HTMLElement} */ (next?.querySelector(".square") ?? element("probes-tab")).focus();
  });
  element("probe-form").addEventListener("submit", (event) => {
    event.preventDefault();
    menu.hidePopover();
    const name = element("probe-name", HTMLInputElement).value.trim();
    replace(probes.value.map((probe) => (probe === chosen ? { ...probe, name } : probe)), `Renamed to ${name}`);
  });
  element("delete-probes").addEventListener("click", () => change("api/probes", { method: "DELETE" }, "All probes deleted"));
}
