/** The controls of the camera, the lock for measuring, and the exposure. */

import { element, textSetter } from "../../lib/elements.js";
import { fetchJSON } from "../../lib/requests.js";
import { Revisioned } from "../../lib/revisioned.js";
import { effect, isSameJSON, signal } from "../../lib/signals.js";
import { tryFetch } from "../messages.js";
import { choose, followReadings, state } from "../state.js";
import { ControlField } from "./control-field.js";
import { Exposure, White } from "./exposure.js";
import { Lock } from "./lock.js";

/** If there are more controls than this, a search field is shown. */
const manyControls = 15;
/** Shown beside the lock, because lamps that flicker with the mains change the colour, too. */
const mainsControl = "power_line_frequency";
const setNoControls = textSetter("no-controls");
/** While the controls are not on the screen, only the lock needs them: this is the least time between requests, in milliseconds. */
const idlePeriod = 5_000;

class Controls {
  #section = element("camera-controls");
  #list = element("control-list");
  #besideLock = element("lock-mains");
  #filter = element("control-filter", HTMLInputElement);
  #lock = new Lock((isLocked, isFromHeader) => {
    // The outcome is among the controls.
    if (isFromHeader && !isLocked) {
      choose("tab", "controls");
      element("controls-tab").scrollIntoView({ block: "nearest" });
    }
    this.#send("api/controls/lock", isLocked ? "DELETE" : "POST");
  });
  #exposure = new Exposure((isSetting) => this.#send("api/controls/exposure", isSetting ? "DELETE" : "POST"));
  #white = new White();
  /** The controls as the server described them last. */
  #document = null;
  #fields = new Map();
  /** What the fields were made for. */
  #layout = [];
  #isLive = signal(false);
  #isTestPattern = signal(false);
  /** Whether the camera is behind libcamera's V4L2 layer, which has no controls. */
  #isUnderLibcamera = signal(false);
  #isOpen = false;
  #controls = new Revisioned("api/controls", (document) => this.#show(document));
  /** The newest revision of the controls. */
  #newest = null;
  #loadedAt = -idlePeriod;

  constructor() {
    this.#controls.begin("controls");
    this.#newest = this.#controls.revision;
    this.#filter.addEventListener("input", () => this.#applyFilter());
    element("reset-controls").addEventListener("click", () => this.#send("api/controls/reset", "POST"));
    effect(() => {
      // The painted scene has neither a lock nor an exposure.
      const isLockable = this.#isLive.value && !this.#isUnderLibcamera.value;
      setNoControls(this.#whyNothingCanBeLocked());
      this.#section.hidden = !isLockable && !this.#isTestPattern.value;
      this.#lock.isAvailable = isLockable;
      element("lock-section").hidden = !isLockable;
      element("no-controls").hidden = isLockable;
    });
  }

  /** Whether the controls are on the screen. */
  set isOpen(isOpen) {
    this.#isOpen = isOpen;
    if (!isOpen) return;
    if (this.#document) this.#showFields(this.#document);
    this.#refresh();
  }

  /** Updates the controls if a reading says that there is another camera, or that they have changed. */
  follow(reading) {
    this.#isTestPattern.value = reading.state === "test-pattern";
    this.#isLive.value = reading.state === "live";
    this.#white.follow(reading);
    this.#newest = reading.revisions.controls;
    this.#refresh();
  }

  #whyNothingCanBeLocked() {
    if (this.#isTestPattern.value) {
      return "The test pattern has no exposure, gain or white balance, so there is nothing to lock. Without Lamp Drift, its light is steady.";
    }
    if (this.#isLive.value) {
      return "libcamera's layer for V4L2 offers no controls. Exposure and white balance adjust themselves, so colours drift with the scene: compare only what is read at the same moment. /usr/share/doc/swatchcam/cameras.md names ways to read this camera with a fixed exposure.";
    }
    return "The camera's controls appear here while it is live.";
  }

  #refresh() {
    if (!(this.#isLive.value || this.#isTestPattern.value) || this.#controls.revision === this.#newest) return;
    if (this.#isOpen || performance.now() - this.#loadedAt > idlePeriod) this.#load();
  }

  #load() {
    this.#loadedAt = performance.now();
    return this.#controls.load(this.#newest);
  }

  #show(document) {
    const { camera, controls, automatics, lock, exposure } = document;
    const labels = new Map(controls.map(({ name, label }) => [name, label]));
    this.#document = document;
    this.#lock.show(lock, automatics.map((name) => labels.get(name)));
    this.#exposure.show(exposure);
    this.#findDriver(camera, controls);
    // Fields that are not on the screen cost nothing.
    if (this.#isOpen) this.#showFields(document);
  }

  /** Finds out whether a camera without controls has none because libcamera is in between. */
  async #findDriver(camera, controls) {
    let isUnderLibcamera = false;
    if (camera && controls.length === 0) {
      try {
        const { cameras } = await fetchJSON("api/cameras");
        isUnderLibcamera =
          this.#document.camera?.id === camera.id && cameras.some(({ id, driver }) => id === camera.id && driver === "libcamera");
      } catch {
        // The next document tries again.
      }
    }
    this.#isUnderLibcamera.value = isUnderLibcamera;
  }

  #showFields({ controls }) {
    const labels = new Map(controls.map(({ name, label }) => [name, label]));
    const layout = controls.map(({ name, type, minimum, maximum, choices }) => [name, type, minimum, maximum, choices]);
    if (!isSameJSON(layout, this.#layout)) {
      this.#layout = layout;
      const set = (name, value) => this.#send(`api/controls/${encodeURIComponent(name)}`, "PUT", { value });
      this.#fields = new Map(controls.map((control) => [control.name, new ControlField(control, set)]));
      const rows = controls.filter(({ name }) => name !== mainsControl);
      const isButton = ({ type }) => type === "button";
      const ordered = [...rows.filter((control) => !isButton(control)), ...rows.filter(isButton)];
      const fields = this.#fields;
      this.#list.replaceChildren(...ordered.map(({ name }) => fields.get(name).element));
      this.#besideLock.replaceChildren(...(fields.has(mainsControl) ? [fields.get(mainsControl).element] : []));
      this.#filter.parentElement.hidden = rows.length <= manyControls;
    }
    for (const control of controls) this.#fields.get(control.name).show(control, labels.get(control.controlledBy));
    this.#applyFilter();
  }

  #applyFilter() {
    const text = this.#filter.parentElement.hidden ? "" : this.#filter.value.trim().toLowerCase();
    for (const field of this.#fields.values()) field.filter(text);
    this.#fields.get(mainsControl)?.filter("");
  }

  /** Requests a change, then loads the controls, whether the change succeeded or not. */
  async #send(path, method, body = {}) {
    await tryFetch(path, { method, body });
    await this.#load();
  }
}

const controls = new Controls();
effect(() => {
  controls.isOpen = state.tab.value === "controls";
});
followReadings((reading) => controls.follow(reading));
