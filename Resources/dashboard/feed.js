/** The readings as they come, and the shape of the picture, on the dashboard and on the pages that measure with its picture and readout. */

import { element } from "../lib/elements.js";
import { ReadingFeed } from "../lib/feed.js";
import { computed, effect } from "../lib/signals.js";
import { dashboard, isUserChanging, state, update } from "./state.js";

// The shape of the picture, so that nothing jumps when pictures begin.
const ratio = computed(() => {
  const picture = state.size.value ?? state.reading.value?.frame?.picture;
  return picture ? picture.width / picture.height : null;
});
effect(() => {
  if (ratio.value !== null) dashboard.style.setProperty("--ratio", String(ratio.value));
});

/**
 * Shows the reading that came with the page, and then each one that comes over the connection.
 * @param {() => void} [onReady] called after each of the latter, and when there is no connection.
 */
export function startFeed(onReady = () => {}) {
  let hasStarted = false;
  const feed = new ReadingFeed({
    onReading: (reading, time) => {
      update({
        reading,
        time,
        silence: null,
        isConnected: hasStarted,
        // While the user is changing a setting, readings still have the old value.
        ...(!isUserChanging() && { effect: reading.effect ?? "none", region: reading.region ?? state.region.value }),
      });
      // For tests and scripts that watch the page.
      dashboard.dataset.time = reading.time;
      dashboard.dataset.sequence = reading.sequence;
      if (hasStarted) onReady();
    },
    onStale: (silence) => {
      state.silence.value = silence;
    },
    onDown: (status) => {
      // The token has changed while the page was open: the login page comes.
      if (status === 401) location.reload();
      onReady();
    },
  });
  // The first reading came with the page.
  feed.start(element("reading").textContent);
  hasStarted = true;
  dashboard.dataset.running = "";
}
