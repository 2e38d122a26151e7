/** The choice of the camera in the page's header. */

import { element } from "../../lib/elements.js";
import { Throttle } from "../../lib/requests.js";
import { Revisioned } from "../../lib/revisioned.js";
import { toast, tryFetch } from "../messages.js";
import { followReadings } from "../state.js";

const testPattern = { id: "test-pattern", name: "Test pattern", problem: null };

class CameraChoice {
  #switcher = element("switcher");
  #choice = element("camera-choice", HTMLSelectElement);
  #next = element("next-camera");
  #cameras = new Revisioned("api/cameras", (document) => this.#show(document));
  #hasCameras = false;
  /** The camera in use, or the one that Swatchcam waits for. */
  #current = null;
  /** The option for a camera that is not connected. */
  #gone = document.createElement("option");
  /** One request at a time: of two under way, the server may take the older one last. */
  #changes = new Throttle();

  constructor() {
    this.#cameras.begin("cameras");
    this.#choice.addEventListener("change", () => this.#change("api/camera", { id: this.#choice.value }));
  }

  /** Updates the list if a reading says that the camera or the list has changed. */
  follow({ camera, revisions }) {
    if (camera?.id !== this.#current?.id) {
      this.#current = camera;
      this.#select();
    }
    this.#cameras.follow(revisions.cameras);
  }

  switchToNext() {
    if (!this.#next.hidden) this.#change("api/camera/toggle");
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
      const answer = await tryFetch(path, { method: "POST", body });
      if (answer) toast(answer.camera ? answer.camera.name : "The camera has not answered yet");
      else this.#select();
    });
  }
}

const cameras = new CameraChoice();
followReadings((reading) => cameras.follow(reading));

/** Switches to the next camera if there is another one. */
export function switchToNextCamera() {
  cameras.switchToNext();
}
