import { RegionFrame } from "./region.js";
import { Choice, Settings } from "./settings.js";
import { Sparkles } from "./sparkles.js";
import { Stream } from "./stream.js";
import { toast } from "./view.js";

const element = (id) => document.getElementById(id);
const dashboard = element("dashboard");
const effect = element("effect");
const summaries = new Map([...effect.options].map((option) => [option.value, option.dataset.summary]));

const settings = new Settings({ onProblem: toast });
const live = new Stream(element("live"), "live");
const processed = new Stream(element("processed"), "processed");
const sparkles = new Sparkles(element("sparkles"));
const region = new RegionFrame(element("region"), (value) => {
  settings.change({ region: value });
  showRegion();
});

let hasPicture = false;

function showRegion() {
  element("reset-region").hidden = region.isFull;
  // The colour lies over the lower left.
  const { center, bottom } = region;
  dashboard.toggleAttribute("data-dodges", !region.isFull && center < 0.5 && bottom > 0.6);
}

function update() {
  const isOn = element("show-pictures").checked;
  const isSeen = hasPicture && isOn;
  dashboard.toggleAttribute("data-picture", isSeen);
  live.isWanted = isSeen;
  processed.isWanted = isSeen && effect.value !== "none";
  sparkles.isOn = isSeen && element("show-sparkles").checked;
}

function showEffect(name) {
  effect.value = name;
  dashboard.dataset.effect = name;
  element("effect-summary").textContent = summaries.get(name) ?? "";
  update();
}

/**
 * Follows a reading: what it was made with, and whether there is a picture.
 * @param {object | null} reading null: there is no current one.
 */
export function followReading(reading) {
  hasPicture = Boolean(reading?.rgb);
  sparkles.brightness = reading?.brightness ?? null;
  // What the person is changing right now stands above what a reading says of before.
  if (reading && !settings.isChanging) {
    if (reading.region && !region.isDragged) region.show(reading.region);
    if (reading.effect && reading.effect !== effect.value) showEffect(reading.effect);
  }
  showRegion();
  fit();
  update();
}

/** The picture's own shape, as soon as it is known. */
function fit() {
  const { naturalWidth, naturalHeight } = element("live");
  if (naturalWidth > 0) dashboard.style.setProperty("--ratio", String(naturalWidth / naturalHeight));
}

for (const [id, fallback] of [["show-pictures", true], ["show-sparkles", false]]) {
  const choice = new Choice(id);
  element(id).checked = choice.read(fallback);
  element(id).addEventListener("change", () => {
    choice.write(element(id).checked);
    update();
  });
}

effect.addEventListener("change", () => {
  settings.change({ effect: effect.value });
  showEffect(effect.value);
});
element("reset-region").addEventListener("click", () => region.reset());
showEffect(dashboard.dataset.effect);
