import { element } from "./element.js";
import { fetchJSON } from "./fetch-json.js";
import { toast } from "./view.js";

const switcher = element("switcher");
const choice = element("camera-choice", HTMLSelectElement);
const next = element("next-camera");
const testPattern = { id: "test-pattern", name: "Test pattern", problem: null };

let revision = null;
/** The camera in use, or the one that Swatchcam waits for. */
let current = null;
/** The option for a camera that is not connected. */
const gone = document.createElement("option");

/** Updates the list of cameras if a reading says that the camera or the list has changed. */
export function followCamera(reading) {
  if (reading.camera?.id !== current?.id) {
    current = reading.camera;
    show();
  }
  if (reading.revisions.cameras === revision) return;
  revision = reading.revisions.cameras;
  load(revision);
}

async function load(wanted) {
  try {
    const { cameras } = await fetchJSON("/api/cameras");
    if (revision !== wanted) return;
    const names = cameras.map((camera) => camera.name);
    const options = [...cameras, testPattern].map((camera) => {
      const option = document.createElement("option");
      option.value = camera.id;
      // The device node distinguishes cameras of the same name.
      const isTwin = names.indexOf(camera.name) !== names.lastIndexOf(camera.name);
      option.textContent = isTwin ? `${camera.name} (${camera.device})` : camera.name;
      if (camera.problem) option.textContent += ": cannot be opened";
      return option;
    });
    choice.replaceChildren(...options);
    switcher.hidden = cameras.length === 0;
    next.hidden = cameras.length < 2;
    show();
  } catch {
    // The next reading tries again.
    revision = null;
  }
}

/** Selects the camera in use. */
function show() {
  gone.remove();
  choice.value = current?.id ?? "";
  if (!current || choice.value === current.id) return;
  gone.value = current.id;
  gone.textContent = `${current.name}: not connected`;
  choice.prepend(gone);
  choice.value = current.id;
}

async function change(path, body) {
  try {
    const { camera } = await fetchJSON(path, { method: "POST", body });
    toast(camera ? camera.name : "The camera has not answered yet");
  } catch (problem) {
    toast(problem.message);
    show();
  }
}

choice.addEventListener("change", () => change("/api/camera", { id: choice.value }));
next.addEventListener("click", () => change("/api/camera/toggle"));

addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea");
  if (event.key.toLowerCase() !== "t" || event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping) {
    return;
  }
  if (!next.hidden) change("/api/camera/toggle");
});
