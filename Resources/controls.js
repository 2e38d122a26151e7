/** The controls of the camera, and the lock for measuring. */

import { ControlField } from "./control-field.js";
import { element, embedded, ifChanged, textSetter } from "./elements.js";
import { Lock } from "./lock.js";
import { toast } from "./messages.js";
import { fetchJSON } from "./requests.js";
import { followReadings, setPreference, store } from "./state.js";

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
  #lock = new Lock({
    onMessage: toast,
    onToggle: (isLocked, isFromHeader) => {
      // The outcome is among the controls.
      if (isFromHeader && !isLocked) {
        setPreference("tab", "tab", "controls");
        element("controls-tab").scrollIntoView({ block: "nearest" });
      }
      this.#send("/api/controls/lock", isLocked ? "DELETE" : "POST");
    },
  });
  /** The controls as the server described them last. */
  #document = null;
  #fields = new Map();
  #layoutKey = "";
  #isLive = false;
  #isOpen = false;
  /** The revision of the controls on the page, and the newest one. */
  #revision = null;
  #newest = null;
  #loadedAt = -idlePeriod;
  /** Requests are numbered, because responses may arrive in another order. */
  #lastRequest = 0;
  #shownRequest = 0;

  constructor() {
    const document = embedded("controls");
    if (document) {
      this.#revision = this.#newest = embedded("reading")?.revisions?.controls;
      this.#show(document);
    }
    this.#filter.addEventListener("input", () => this.#applyFilter());
    element("reset-controls").addEventListener("click", () => this.#send("/api/controls/reset", "POST"));
  }

  /** Whether the controls are on the screen. */
  set isOpen(isOpen) {
    this.#isOpen = isOpen;
    if (!isOpen) return;
    if (this.#document) this.#showFields(this.#document);
    this.#refresh();
  }

  /** Updates the controls if a reading says that there is another camera, or that they have changed. */
  follow({ state, revisions }) {
    const isLive = state === "live";
    setNoControls(
      state === "test-pattern"
        ? "The test pattern has no controls. Those of a camera appear here while it is live."
        : "The camera's controls appear here while it is live.",
    );
    if (isLive !== this.#isLive) {
      this.#isLive = isLive;
      this.#section.hidden = !isLive;
      element("no-controls").hidden = isLive;
      this.#lock.isAvailable = isLive;
    }
    this.#newest = revisions.controls;
    this.#refresh();
  }

  #refresh() {
    if (!this.#isLive || this.#revision === this.#newest) return;
    if (this.#isOpen || performance.now() - this.#loadedAt > idlePeriod) this.#load();
  }

  async #load() {
    this.#revision = this.#newest;
    this.#loadedAt = performance.now();
    const request = ++this.#lastRequest;
    try {
      const document = await fetchJSON("/api/controls");
      if (request < this.#shownRequest) return;
      this.#shownRequest = request;
      this.#show(document);
    } catch {
      // The next reading tries again.
      this.#revision = null;
    }
  }

  #show(document) {
    const { controls, automatics, lock } = document;
    const labels = new Map(controls.map(({ name, label }) => [name, label]));
    this.#document = document;
    this.#lock.show(lock, automatics.map((name) => labels.get(name)));
    // Fields that are not on the screen cost nothing.
    if (this.#isOpen) this.#showFields(document);
  }

  #showFields({ controls }) {
    const labels = new Map(controls.map(({ name, label }) => [name, label]));
    const now = JSON.stringify(controls.map(({ name, type, minimum, maximum, choices }) => [name, type, minimum, maximum, choices]));
    if (now !== this.#layoutKey) {
      this.#layoutKey = now;
      const set = (name, value) => this.#send(`/api/controls/${encodeURIComponent(name)}`, "PUT", { value });
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
    try {
      await fetchJSON(path, { method, body });
    } catch (problem) {
      toast(problem.message);
    }
    await this.#load();
  }
}

const controls = new Controls();
const setOpen = ifChanged((isOpen) => {
  controls.isOpen = isOpen;
});
store.follow(({ tab }) => setOpen(tab === "controls"));
followReadings((reading) => controls.follow(reading));
