/** The picture of the camera, and the area on it that is read. */

import { element, textSetter } from "../../lib/elements.js";
import { Picture } from "../../lib/picture.js";
import { RegionEditor } from "../../lib/region-editor.js";
import { isFull } from "../../lib/region-geometry.js";
import { computed, effect } from "../../lib/signals.js";
import { changeSettings } from "../controls/change.js";
import { remark, toast } from "../messages.js";
import { addProbe } from "../probes/list.js";
import { addChangeCheck, dashboard, isHeld, isLive, mayChange, state } from "../state.js";
import { hideLoupe, showLoupe } from "./loupe.js";

const livePicture = new Picture(element("live", HTMLCanvasElement), "live", (width, height) => {
  state.size.value = width > 0 ? { width, height } : null;
});
/** Draws the area, and changes it. */
export const editor = new RegionEditor(
  { surface: element("view"), frame: element("region") },
  {
    isEditable: mayChange,
    onChange: (region, before) => {
      changeSettings({ region });
      if (before) toast("The area was changed", { job: () => changeSettings({ region: before }) });
    },
    onPoint: (point, region) => {
      if (point) showLoupe(/** @type {HTMLCanvasElement} */ (livePicture.element), point, region);
      else hideLoupe();
      setHint(hint());
    },
    onPick: addProbe,
    onIdle: () => {
      if (isHeld.value) remark("The area is fixed until you continue");
    },
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
  if (state.isSelecting.value) return `Drag for another area, tap ${editor.keepsSize && !editor.isFull ? "to move it" : "for a spot"}.`;
  if (editor.keepsSize && !editor.isFull) return isTouch.matches ? "Tap to move it, hold for another area." : "Drag for another area, click to move it.";
  return isTouch.matches ? "Tap for a spot, hold for another area." : "Drag for another area, click for a spot.";
}

/** Says what is read, and how to change it. */
function hint() {
  if (!hasPicture.value) return mayChange ? "" : "Your token is read-only.";
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

/** Whether a picture is shown. */
export const hasPicture = computed(() => state.showsPictures.value && (isLive.value || (isHeld.value && Boolean(state.size.value))));
/** Whether new pictures are wanted. A slow link carries the first reading before the first picture. */
export const wantsPictures = computed(() => isLive.value && state.isConnected.value && state.showsPictures.value);
effect(() => {
  livePicture.isWanted = wantsPictures.value;
  dashboard.toggleAttribute("data-picture", hasPicture.value);
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
  element("select-area", HTMLButtonElement).disabled = isHeld.value || !mayChange || !hasPicture.value;
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
