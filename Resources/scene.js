/** The pictures, the area on them that is read, and the sparkles. */

import { element, ifChanged, textSetter } from "./elements.js";
import { toast } from "./messages.js";
import { Picture } from "./picture.js";
import { RegionEditor } from "./region-editor.js";
import { changeSettings } from "./settings.js";
import { Sparkles } from "./sparkles.js";
import { addChangeCheck, dashboard, mayChange, setPreference, store } from "./state.js";

const scene = element("scene");
const live = new Picture(element("live", HTMLCanvasElement), "live", (width, height) => {
  store.update({ size: width > 0 ? { width, height } : null });
});
const processed = new Picture(element("processed", HTMLCanvasElement), "processed");
const sparkles = new Sparkles(element("sparkles", HTMLCanvasElement));
const editor = new RegionEditor(
  { surface: element("view"), frame: element("region"), shade: element("shade", SVGElement) },
  {
    isEditable: mayChange,
    onChange: (region, before) => {
      changeSettings({ region });
      if (before) toast("The area was changed", () => changeSettings({ region: before }));
    },
    onLongPress: () => {
      navigator.vibrate?.(20);
      store.update({ isSelecting: true });
    },
  },
);
addChangeCheck(() => editor.isDragged);

const hints = {
  mouse: "Drag on the picture to read an area, or click for a spot.",
  touch: "To read only a part of the picture, press and hold it.",
  selecting: "Drag on the picture to read an area, or tap for a spot.",
};
const isTouch = matchMedia("(pointer: coarse)");
const setHint = textSetter("region-hint");
const setSelectLabel = textSetter("select-area");

const showRegion = ifChanged((region) => {
  if (!editor.isDragged) editor.show(region);
  element("reset-region").hidden = editor.isFull || !mayChange;
});
const showSelecting = ifChanged((isSelecting) => {
  dashboard.toggleAttribute("data-selecting", isSelecting);
  element("select-area").toggleAttribute("data-on", isSelecting);
  setSelectLabel(isSelecting ? "Done" : "Select area");
  editor.isSelecting = isSelecting;
  if (mayChange) setHint(isSelecting ? hints.selecting : isTouch.matches ? hints.touch : hints.mouse);
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
  const isWanted = isCurrent && isConnected && showsPictures && !held;
  live.isWanted = isWanted;
  processed.isWanted = isWanted && hasEffect;
  sparkles.isOn = showsPictures && showsSparkles && Boolean(size) && (isCurrent || Boolean(held));
  if (!held) sparkles.brightness = isCurrent ? reading.brightness : null;
  showLayout(`${hasPicture} ${hasPicture && hasEffect}`);
  showRegion(state.region);
  showSelecting(state.isSelecting);
});

element("select-area").addEventListener("click", () => {
  store.update({ isSelecting: !store.state.isSelecting });
  if (store.state.isSelecting) element("region").focus({ preventScroll: true });
});
element("reset-region").addEventListener("click", () => editor.reset());

for (const [id, key] of [["show-pictures", "showsPictures"], ["show-sparkles", "showsSparkles"]]) {
  const box = element(id, HTMLInputElement);
  box.checked = store.state[key];
  box.addEventListener("change", () => setPreference(id, key, box.checked));
}
