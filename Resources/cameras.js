import { ask } from "./api.js";
import { toast } from "./view.js";

const switcher = document.getElementById("switcher");
const choice = document.getElementById("camera-choice");
const next = document.getElementById("next-camera");
const testPattern = { id: "test-pattern", name: "Test pattern", problem: null };

let revision = null;
/** The camera in use, or the one that is waited for. */
let current = null;
/** Stands for a camera that is gone. */
const gone = document.createElement("option");

/** Follows a reading: which camera it is of, and whether others have come or gone. */
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
    const { cameras } = await ask("/api/cameras");
    if (revision !== wanted) return;
    const names = cameras.map((camera) => camera.name);
    const options = [...cameras, testPattern].map((camera) => {
      const option = document.createElement("option");
      option.value = camera.id;
      // Two of a kind are told apart by where they are.
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
    // The next reading asks again.
    revision = null;
  }
}

/** Shows the camera in use as the one that is chosen. */
function show() {
  gone.remove();
  choice.value = current?.id ?? "";
  if (!current || choice.value === current.id) return;
  gone.value = current.id;
  gone.textContent = `${current.name}: gone`;
  choice.prepend(gone);
  choice.value = current.id;
}

async function change(path, body) {
  try {
    const { camera } = await ask(path, { method: "POST", body });
    toast(camera ? camera.name : "The camera takes its time");
  } catch (problem) {
    toast(problem.message);
    show();
  }
}

choice.addEventListener("change", () => change("/api/camera", { id: choice.value }));
next.addEventListener("click", () => change("/api/camera/toggle"));

addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, select, textarea");
  if (event.key.toLowerCase() !== "t" || event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping) {
    return;
  }
  if (!next.hidden) change("/api/camera/toggle");
});
