/** The dashboard. What the first reading needs comes first; `deferred.js` is loaded after it, for slow links. */

import "../lib/appearance.js";
import { element } from "../lib/elements.js";
import { ReadingFeed } from "../lib/feed.js";
import { computed, effect } from "../lib/signals.js";
import "./readout/readout.js";
import { dashboard, isHeld, isUserChanging, shownTarget, state, update } from "./state.js";

/** The time after which scripts that could not be loaded are requested again, in milliseconds. */
const retryPeriod = 5_000;

// What this browser remembers of the layout, and the shape of the picture, so that nothing jumps when pictures begin.
const ratio = computed(() => {
  const picture = state.size.value ?? state.reading.value?.frame?.picture;
  return picture ? picture.width / picture.height : null;
});
effect(() => {
  if (ratio.value !== null) dashboard.style.setProperty("--ratio", String(ratio.value));
});
effect(() => {
  const [showsPictures, isOverlay] = [state.showsPictures.value, state.isOverlay.value];
  dashboard.toggleAttribute("data-overlay", isOverlay && showsPictures);
  dashboard.toggleAttribute("data-expanded", state.isExpanded.value && !isOverlay);
  dashboard.toggleAttribute("data-no-pictures", !showsPictures);
});
effect(() => {
  dashboard.toggleAttribute("data-split", isHeld.value || Boolean(shownTarget.value));
  dashboard.toggleAttribute("data-history", typeof state.reading.value?.revisions?.history === "number");
});

let isLoading = false;

/** Loads everything else, once. */
async function loadDeferred() {
  if (isLoading) return;
  isLoading = true;
  try {
    await import("./deferred.js");
    // For tests: from now on everything on the page works.
    dashboard.dataset.complete = "";
  } catch (problem) {
    reportError(problem);
    setTimeout(() => {
      isLoading = false;
      loadDeferred();
    }, retryPeriod);
  }
}

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
    if (hasStarted) loadDeferred();
  },
  onStale: (silence) => {
    state.silence.value = silence;
  },
  onDown: (status) => {
    // The token has changed while the page was open: the login page comes.
    if (status === 401) location.reload();
    loadDeferred();
  },
});
// The first reading came with the page.
feed.start(element("reading").textContent);
hasStarted = true;
dashboard.dataset.running = "";
