/** The choice of the camera in the page's header. */

import { element, embedded } from "../../lib/elements.js";
import { fetchJSON, Throttle } from "../../lib/requests.js";
import { toast } from "../messages.js";
import { followReadings } from "../state.js";

const testPattern = { id: "test-pattern", name: "Test pattern", problem: null };

class CameraChoice {
  #switcher = element("switcher");
  #choice = element("camera-choice", HTMLSelectElement);
  #next = element("next-camera");
  #revision = null;
  #hasCameras = false;
  /** The camera in use, or the one that Swatchcam waits for. */
  #current = null;
  /** The option for a camera that is not connected. */
  #gone = document.createElement("option");
  /** One request at a time: of two under way, the server may take the older one last. */
  #changes = new Throttle();

  constructor() {
    const document = embedded("cameras");
    if (document) {
      this.#revision = embedded("reading")?.revisions?.cameras;
      this.#show(document);
    }
    this.#choice.addEventListener("change", () => this.#change("/api/camera", { id: this.#choice.value }));
  }

  /** Updates the list if a reading says that the camera or the list has changed. */
  follow({ camera, revisions }) {
    if (camera?.id !== this.#current?.id) {
      this.#current = camera;
      this.#select();
    }
    if (revisions.cameras === this.#revision) return;
    this.#revision = revisions.cameras;
    this.#load(this.#revision);
  }

  switchToNext() {
    if (!this.#next.hidden) this.#change("/api/camera/toggle");
  }

  async #load(wanted) {
    try {
      const document = await fetchJSON("/api/cameras");
      if (this.#revision === wanted) this.#show(document);
    } catch {
      // The next reading tries again.
      this.#revision = null;
    }
  }

  #show({ cameras }) {
    const names = cameras.map((camera) => camera.name);
    const options = [...cameras, testPattern].map((camera) => {
      // The device node distinguishes cameras of the same name.
      const isTwin = names.indexOf(camera.name) !== names.lastIndexOf(camera.name);
      const name = isTwin ? `${camera.name} (${camera.device})` : camera.name;
      return new Option(camera.problem ? `${name}: cannot be opened` : name, camera.id);
    });
    this.#choice.replaceChildren(...options);
    this.#hasCameras = cameras.length > 0;
    this.#next.hidden = cameras.length < 2;
    this.#select();
  }

  /** Selects the camera in use. */
  #select() {
    const current = this.#current;
    // There is nothing to choose from while the only choice is in use.
    this.#switcher.hidden = !this.#hasCameras && current?.id === testPattern.id;
    this.#gone.remove();
    this.#choice.value = current?.id ?? "";
    if (this.#choice.selectedIndex < 0) {
      this.#gone.value = current?.id ?? "";
      this.#gone.textContent = current ? `${current.name}: not connected` : "Choose a camera";
      this.#choice.prepend(this.#gone);
      this.#choice.value = this.#gone.value;
    }
    this.#choice.title = current?.name ?? "";
  }

  #change(path, body) {
    this.#changes.push(async () => {
      try {
        const { camera } = await fetchJSON(path, { method: "POST", body });
        toast(camera ? camera.name : "The camera has not answered yet");
      } catch (problem) {
        toast(problem.message);
        this.#select();
      }
    });
  }
}

const cameras = new CameraChoice();
followReadings((reading) => cameras.follow(reading));

/** Switches to the next camera if there is another one. */
export function switchToNextCamera() {
  cameras.switchToNext();
}
