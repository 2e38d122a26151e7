import { element } from "./element.js";
import { Preference } from "./preference.js";
import { RegionFrame } from "./region.js";
import { Settings } from "./settings.js";
import { Sparkles } from "./sparkles.js";
import { Stream } from "./stream.js";
import { toast } from "./view.js";

const dashboard = element("dashboard");
const effect = element("effect", HTMLSelectElement);
const liveImage = element("live", HTMLImageElement);
const showPictures = element("show-pictures", HTMLInputElement);
const showSparkles = element("show-sparkles", HTMLInputElement);
const summaries = new Map([...effect.options].map((option) => [option.value, option.dataset.summary]));

const settings = new Settings({ onProblem: toast });
const live = new Stream(liveImage, "live");
const processed = new Stream(element("processed", HTMLImageElement), "processed");
const sparkles = new Sparkles(element("sparkles", HTMLCanvasElement));
const region = new RegionFrame(element("region"), (value) => {
  settings.change({ region: value });
  showRegion();
});

let hasPicture = false;

function showRegion() {
  element("reset-region").hidden = region.isFull;
  // The swatch covers the lower left of the picture.
  const { center, bottom } = region;
  dashboard.toggleAttribute("data-dodges", !region.isFull && center < 0.5 && bottom > 0.6);
}

function update() {
  const isVisible = hasPicture && showPictures.checked;
  dashboard.toggleAttribute("data-picture", isVisible);
  live.isWanted = isVisible;
  processed.isWanted = isVisible && effect.value !== "none";
  sparkles.isOn = isVisible && showSparkles.checked;
}

function showEffect(name) {
  effect.value = name;
  dashboard.dataset.effect = name;
  element("effect-summary").textContent = summaries.get(name) ?? "";
  update();
}

/**
 * Updates the pictures, the region and the effect from a reading.
 * @param {any} reading null if there is no current one.
 */
export function followReading(reading) {
  hasPicture = Boolean(reading?.rgb);
  sparkles.brightness = reading?.brightness ?? null;
  // While the user is changing a setting, readings still have the old value.
  if (reading && !settings.isChanging) {
    if (reading.region && !region.isDragged) region.show(reading.region);
    if (reading.effect && reading.effect !== effect.value) showEffect(reading.effect);
  }
  showRegion();
  fit();
  update();
}

/** Gives the page the aspect ratio of the picture, once it is known. */
function fit() {
  const { naturalWidth, naturalHeight } = liveImage;
  if (naturalWidth > 0) dashboard.style.setProperty("--ratio", String(naturalWidth / naturalHeight));
}

function remember(checkbox, fallback) {
  const preference = new Preference(checkbox.id);
  checkbox.checked = preference.read(fallback);
  checkbox.addEventListener("change", () => {
    preference.write(checkbox.checked);
    update();
  });
}

remember(showPictures, true);
remember(showSparkles, false);

effect.addEventListener("change", () => {
  settings.change({ effect: effect.value });
  showEffect(effect.value);
});
element("reset-region").addEventListener("click", () => region.reset());
showEffect(dashboard.dataset.effect);
