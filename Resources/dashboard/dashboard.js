/** The dashboard. What the first reading needs comes first; `deferred.js` is loaded after it, for slow links. */

import { effect } from "../lib/signals.js";
import { startFeed } from "./feed.js";
import "./readout/readout.js";
import { dashboard, isHeld, shownTarget, state } from "./state.js";

/** The time after which scripts that could not be loaded are requested again, in milliseconds. */
const retryPeriod = 5_000;

// What this browser remembers of the layout
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

startFeed(loadDeferred);
