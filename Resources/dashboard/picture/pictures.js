/** The pictures, the area on them that is read, and the sparkles. */

import { element, textSetter } from "../../lib/elements.js";
import { Picture } from "../../lib/picture.js";
import { RegionEditor } from "../../lib/region-editor.js";
import { isFull } from "../../lib/region-geometry.js";
import { computed, effect } from "../../lib/signals.js";
import { changeSettings } from "../controls/settings.js";
import { remark, toast } from "../messages.js";
import { addProbe } from "../probes/probes.js";
import { addChangeCheck, choose, dashboard, isHeld, isLive, live, mayChange, state } from "../state.js";
import { hideLoupe, showLoupe } from "./loupe.js";
import { Sparkles } from "./sparkles.js";

const scene = element("scene");
const livePicture = new Picture(element("live", HTMLCanvasElement), "live", (width, height) => {
  state.size.value = width > 0 ? { width, height } : null;
});
const processed = new Picture(element("processed", HTMLCanvasElement), "processed");
const sparkles = new Sparkles(element("sparkles", HTMLCanvasElement));
const editor = new RegionEditor(
  { surface: element("view"), frame: element("region") },
  {
    isEditable: mayChange,
    onChange: (region, before) => {
      changeSettings({ region });
      if (before) toast("The area was changed", { job: () => changeSettings({ region: before }) });
    },
    onPoint: (point) => {
      if (point) showLoupe(/** @type {HTMLCanvasElement} */ (livePicture.element), point);
      else hideLoupe();
      setHint(hint());
    },
    onPick: addProbe,
    onIdle: () => remark("The area is fixed until you continue"),
    onLongPress: () => {
      navigator.vibrate?.(20);
      state.isSelecting.value = true;
    },
  },
);
addChangeCheck(() => editor.isDragged);

/** What the user can do on the picture. */
function action() {
  if (state.isAddingProbes.value) return `${isTouch.matches ? "Tap" : "Click"} for a probe, or drag one.`;
  if (state.isSelecting.value) return "Drag for another area, tap for a spot.";
  return isTouch.matches ? "Tap for a spot, hold for another area." : "Drag for another area, click for a spot.";
}

/** Says what is read, and how to change it. */
function hint() {
  const size = state.size.value;
  const current = state.region.value;
  const region = editor.isDrawn ? editor.region : current;
  const [width, height] = [region[2], region[3]].map((share, index) => Math.round(share * [size?.width, size?.height][index]));
  if (editor.isDrawn && size && !state.isAddingProbes.value) return `${width} × ${height} px. Let go to read this area${isTouch.matches ? "." : "; Esc keeps the old one."}`;
  const area = editor.isFull ? "Whole picture." : size ? `Area ${width} × ${height} px.` : "Area.";
  if (isHeld.value) return `${area.slice(0, -1)}, fixed until you continue. The picture is live.`;
  return mayChange ? `${area} ${action()}` : `${area} Your token is read-only.`;
}

const isTouch = matchMedia("(pointer: coarse)");
const setHint = textSetter("region-hint");
const setSelectLabel = textSetter("select-area");

const hasPicture = computed(() => state.showsPictures.value && (isLive.value || (isHeld.value && Boolean(state.size.value))));
effect(() => {
  const hasEffect = state.effect.value !== "none";
  // A slow link carries the first reading before the first picture.
  const isWanted = isLive.value && state.isConnected.value && state.showsPictures.value;
  livePicture.isWanted = isWanted;
  processed.isWanted = isWanted && hasEffect;
  dashboard.toggleAttribute("data-picture", hasPicture.value);
  element("processed-view").hidden = !hasPicture.value || !hasEffect;
  scene.toggleAttribute("data-pair", hasPicture.value && hasEffect);
});
effect(() => {
  const isWanted = state.showsPictures.value && state.showsSparkles.value && Boolean(state.size.value);
  sparkles.isOn = isWanted && (isLive.value || isHeld.value);
  sparkles.brightness = live.value?.brightness ?? null;
});
effect(() => {
  const region = state.region.value;
  if (!editor.isDragged) editor.show(region);
});
effect(() => {
  const isSelecting = state.isSelecting.value;
  dashboard.toggleAttribute("data-selecting", isSelecting);
  element("select-area").toggleAttribute("data-on", isSelecting);
  setSelectLabel(isSelecting ? "Done" : "Select area");
  editor.isSelecting = isSelecting;
});
effect(() => {
  dashboard.toggleAttribute("data-adding", state.isAddingProbes.value);
  editor.isPicking = state.isAddingProbes.value;
});
effect(() => {
  editor.isFixed = isHeld.value;
  element("select-area", HTMLButtonElement).disabled = isHeld.value || !mayChange;
});
effect(() => setHint(hint()));

element("select-area").addEventListener("click", () => {
  state.isSelecting.value = !state.isSelecting.value;
  if (state.isSelecting.value) element("region").focus({ preventScroll: true });
});
const isWhole = computed(() => isFull(state.region.value));
effect(() => {
  element("reset-region").hidden = isWhole.value || isHeld.value || !mayChange;
});
element("reset-region").addEventListener("click", () => editor.reset());

for (const [id, key] of [["show-pictures", "showsPictures"], ["show-sparkles", "showsSparkles"]]) {
  const box = element(id, HTMLInputElement);
  box.checked = state[key].value;
  box.addEventListener("change", () => choose(key, box.checked));
}
