/** The picture with the effect, and the sparkles. */

import { element } from "../../lib/elements.js";
import { Picture } from "../../lib/picture.js";
import { effect } from "../../lib/signals.js";
import { choose, isHeld, isLive, live, state } from "../state.js";
import { hasPicture, wantsPictures } from "./area.js";
import { Sparkles } from "./sparkles.js";

const processed = new Picture(element("processed", HTMLCanvasElement), "processed");
const sparkles = new Sparkles(element("sparkles", HTMLCanvasElement));

effect(() => {
  const hasEffect = state.effect.value !== "none";
  processed.isWanted = wantsPictures.value && hasEffect;
  element("processed-view").hidden = !hasPicture.value || !hasEffect;
  element("scene").toggleAttribute("data-pair", hasPicture.value && hasEffect);
});
effect(() => {
  const isWanted = state.showsPictures.value && state.showsSparkles.value && Boolean(state.size.value);
  sparkles.isOn = isWanted && (isLive.value || isHeld.value);
  sparkles.brightness = live.value?.brightness ?? null;
});

for (const [id, key] of [["show-pictures", "showsPictures"], ["show-sparkles", "showsSparkles"]]) {
  const box = element(id, HTMLInputElement);
  box.checked = state[key].value;
  box.addEventListener("change", () => choose(key, box.checked));
}
