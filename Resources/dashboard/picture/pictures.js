/** The pictures, the area on them that is read, and the sparkles. */

import { element, ifChanged, textSetter } from "../../lib/elements.js";
import { Picture } from "../../lib/picture.js";
import { changeSettings } from "../controls/settings.js";
import { remark, toast } from "../messages.js";
import { addProbe } from "../probes/probes.js";
import { addChangeCheck, dashboard, mayChange, setPreference, store } from "../state.js";
import { hideLoupe, showLoupe } from "./loupe.js";
import { RegionEditor } from "./region-editor.js";
import { Sparkles } from "./sparkles.js";

const scene = element("scene");
const live = new Picture(element("live", HTMLCanvasElement), "live", (width, height) => {
  store.update({ size: width > 0 ? { width, height } : null });
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
      if (point) showLoupe(/** @type {HTMLCanvasElement} */ (live.element), point);
      else hideLoupe();
      setHint(hint(store.state));
    },
    onPick: addProbe,
    onIdle: () => remark(store.state.held ? "The area is fixed until you continue" : "Press and hold the picture for another area"),
    onLongPress: () => {
      navigator.vibrate?.(20);
      store.update({ isSelecting: true });
    },
  },
);
addChangeCheck(() => editor.isDragged);

/** What the user can do on the picture. */
function action({ isSelecting, isAddingProbes }) {
  if (isAddingProbes) return `${isTouch.matches ? "Tap" : "Click"} for a probe, or drag one.`;
  if (isSelecting) return "Drag for another area, tap for a spot.";
  return isTouch.matches ? "Press and hold the picture for another area." : "Drag for another area, click for a spot.";
}

/** Says what is read, and how to change it. */
function hint(state) {
  const { size, held } = state;
  const region = editor.isDrawn ? editor.region : state.region;
  const [width, height] = [region[2], region[3]].map((share, index) => Math.round(share * [size?.width, size?.height][index]));
  if (editor.isDrawn && size && !state.isAddingProbes) return `${width} × ${height} px. Let go to read this area${isTouch.matches ? "." : "; Esc keeps the old one."}`;
  const area = editor.isFull ? "Whole picture." : size ? `Area ${width} × ${height} px.` : "Area.";
  if (held) return `${area.slice(0, -1)}, fixed until you continue. The picture is live.`;
  return mayChange ? `${area} ${action(state)}` : `${area} Your token is read-only.`;
}

const isTouch = matchMedia("(pointer: coarse)");
const setHint = textSetter("region-hint");
const setSelectLabel = textSetter("select-area");

const showRegion = ifChanged((region) => {
  if (!editor.isDragged) editor.show(region);
});
const showReset = ifChanged((isShown) => {
  element("reset-region").hidden = !isShown;
});
const showSelecting = ifChanged((isSelecting) => {
  dashboard.toggleAttribute("data-selecting", isSelecting);
  element("select-area").toggleAttribute("data-on", isSelecting);
  setSelectLabel(isSelecting ? "Done" : "Select area");
  editor.isSelecting = isSelecting;
});
const showAdding = ifChanged((isAdding) => {
  dashboard.toggleAttribute("data-adding", isAdding);
  editor.isPicking = isAdding;
});
const fixRegion = ifChanged((isFixed) => {
  editor.isFixed = isFixed;
  element("select-area", HTMLButtonElement).disabled = isFixed || !mayChange;
});
const showLayout = ifChanged((key) => {
  const [hasPicture, hasPair] = key.split(" ").map((word) => word === "true");
  dashboard.toggleAttribute("data-picture", hasPicture);
  element("processed-view").hidden = !hasPair;
  scene.toggleAttribute("data-pair", hasPair);
});

store.follow((state) => {
  const { reading, silence, held, isConnected, showsPictures, showsSparkles, size } = state;
  const isCurrent = !silence && Boolean(reading?.rgb);
  const hasPicture = showsPictures && (isCurrent || (Boolean(held) && Boolean(size)));
  const hasEffect = state.effect !== "none";
  // A slow link carries the first reading before the first picture.
  const isWanted = isCurrent && isConnected && showsPictures;
  live.isWanted = isWanted;
  processed.isWanted = isWanted && hasEffect;
  sparkles.isOn = showsPictures && showsSparkles && Boolean(size) && (isCurrent || Boolean(held));
  sparkles.brightness = isCurrent ? reading.brightness : null;
  showLayout(`${hasPicture} ${hasPicture && hasEffect}`);
  showRegion(state.region);
  showSelecting(state.isSelecting);
  showAdding(state.isAddingProbes);
  fixRegion(Boolean(held));
  setHint(hint(state));
});

element("select-area").addEventListener("click", () => {
  store.update({ isSelecting: !store.state.isSelecting });
  if (store.state.isSelecting) element("region").focus({ preventScroll: true });
});
store.follow(({ region, held }) => showReset(region.join() !== "0,0,1,1" && !held && mayChange));
element("reset-region").addEventListener("click", () => editor.reset());

for (const [id, key] of [["show-pictures", "showsPictures"], ["show-sparkles", "showsSparkles"]]) {
  const box = element(id, HTMLInputElement);
  box.checked = store.state[key];
  box.addEventListener("change", () => setPreference(id, key, box.checked));
}
