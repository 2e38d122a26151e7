/** Taking a sample, which needs several readings, and how far it is. */

import { fetchJSON } from "../../lib/requests.js";
import { computed, signal } from "../../lib/signals.js";
import { toast } from "../messages.js";
import { followReadings } from "../state.js";

export class Sampling {
  /** The sample under way: how many readings it needs, how many have come, and what cancels it; null if there is none. */
  #present = signal(null);
  /** How far it is, such as "2 of 16"; empty if there is none. */
  progress = computed(() => {
    const present = this.#present.value;
    return present ? `${Math.min(present.count, present.wanted)} of ${present.wanted}` : "";
  });

  constructor() {
    followReadings(({ frame }) => {
      const present = this.#present.value;
      if (present && frame) this.#present.value = { ...present, count: present.count + 1 };
    });
  }

  /** Takes a sample. Returns null, and a message says why, if there is none. */
  async take(name, wanted) {
    const controller = new AbortController();
    this.#present.value = { controller, count: 0, wanted };
    try {
      return await fetchJSON("api/samples", { method: "POST", body: { name, readings: wanted }, signal: controller.signal });
    } catch (problem) {
      toast(controller.signal.aborted ? "The sample was cancelled" : problem.message);
      return null;
    } finally {
      this.#present.value = null;
    }
  }

  /** Cancels the sample under way. Returns whether there was one. */
  cancel() {
    this.#present.value?.controller.abort();
    return this.#present.value !== null;
  }
}
