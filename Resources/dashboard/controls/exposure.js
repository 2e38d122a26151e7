/** The exposure that is set once, and the gains that make a card grey. */

import { element, make, textSetter } from "../../lib/elements.js";
import { fetchJSON } from "../../lib/requests.js";
import { copyText, toast } from "../messages.js";
import { state } from "../state.js";
import { whiteGains } from "./white-gains.js";

/** The button that sets the exposure, with its outcome. */
export class Exposure {
  #section = element("exposure");
  #result = element("exposure-result");
  #lines = element("exposure-lines");
  #setStatus = textSetter("exposure-status");
  #setLabel = textSetter("set-exposure");
  #isSetting = false;

  /** @param {(isSetting: boolean) => void} onToggle */
  constructor(onToggle) {
    element("set-exposure").addEventListener("click", () => onToggle(this.#isSetting));
    element("copy-exposure").addEventListener("click", () => copyText(this.#lines.textContent, "the lines"));
  }

  /**
   * Shows the state of the exposure.
   * @param {any} exposure as the server describes it; null if the camera has no control for it.
   */
  show(exposure) {
    this.#section.hidden = !exposure;
    if (!exposure) return;
    this.#isSetting = exposure.phase === "setting";
    this.#setLabel(this.#isSetting ? "Stop" : "Set exposure");
    this.#setStatus(sentence(exposure));
    this.#result.hidden = exposure.values.length === 0;
    const items = exposure.values.map(({ label, value }) => make("li", { className: "locked", text: `${label}: ${value}` }));
    element("exposure-list").replaceChildren(...items);
    this.#lines.textContent = exposure.config ?? "";
  }
}

function sentence({ phase, level, message }) {
  const share = level === null ? "" : level >= 1 ? "The brightest channel is clipped." : `The brightest channel fills ${Math.round(level * 100)} % of the range.`;
  if (phase === "setting") return `Setting the exposure. ${share}`.trim();
  if (phase === "set") return `Set. ${share}`;
  return phase === "failed" ? `Not as wanted. ${message} ${share}`.trim() : "";
}

/** The button that shows the gains which make the present colour of the region grey, for a sensor that is read raw. */
export class White {
  #section = element("white");
  #result = element("white-result");
  #line = element("white-line");

  constructor() {
    element("this-is-white").addEventListener("click", async () => {
      this.#result.hidden = true;
      try {
        const { config } = await fetchJSON("api/config");
        this.#line.textContent = `white_gains = [${whiteGains(state.reading.value, config.camera.white_gains).join(", ")}]`;
        this.#result.hidden = false;
      } catch (problem) {
        toast(problem.message);
      }
    });
    element("copy-white").addEventListener("click", () => copyText(this.#line.textContent, "the line"));
  }

  /** Shows the button for readings of a sensor that is read raw, whose colours are the sensor's own. */
  follow({ state, frame }) {
    const isRaw = state === "live" && (frame?.colorimetry?.startsWith("camera RGB") ?? false);
    this.#section.hidden = !isRaw;
    if (!isRaw) this.#result.hidden = true;
  }
}
