/** The dashboard. What the first reading needs comes first; `deferred.js` is loaded after it, for slow links. */

import { element, ifChanged } from "../lib/elements.js";
import { ReadingFeed } from "../lib/feed.js";
import { showReadout } from "./readout/readout.js";
import { dashboard, isUserChanging, shownTarget, store } from "./state.js";

/** The time after which scripts that could not be loaded are requested again, in milliseconds. */
const retryPeriod = 5_000;

store.follow(showReadout);

// What this browser remembers of the layout, and the shape of the picture, so that nothing jumps when pictures begin.
const setRatio = ifChanged((ratio) => dashboard.style.setProperty("--ratio", ratio));
store.follow((state) => {
  const { reading, size, held, showsPictures, isOverlay, isExpanded } = state;
  const ratio = size ?? reading?.frame?.picture;
  if (ratio) setRatio(String(ratio.width / ratio.height));
  dashboard.toggleAttribute("data-overlay", isOverlay && showsPictures);
  dashboard.toggleAttribute("data-expanded", isExpanded && !isOverlay);
  dashboard.toggleAttribute("data-split", Boolean(held || shownTarget(state)));
  dashboard.toggleAttribute("data-no-pictures", !showsPictures);
  dashboard.toggleAttribute("data-history", typeof reading?.revisions?.history === "number");
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

/** Shows the login page if the token has changed while the page was open. */
async function loginIfNeeded() {
  try {
    const { status } = await fetch("/api/reading", { method: "HEAD" });
    if (status === 401) location.reload();
  } catch {
    // The server is not running. The feed keeps trying.
  }
}

let hasStarted = false;
const feed = new ReadingFeed(
  {
    onReading: (reading, time) => {
      store.update({
        reading,
        time,
        silence: null,
        isConnected: hasStarted,
        // While the user is changing a setting, readings still have the old value.
        ...(!isUserChanging() && { effect: reading.effect ?? "none", region: reading.region ?? store.state.region }),
      });
      // For tests and scripts that watch the page.
      dashboard.dataset.time = reading.time;
      dashboard.dataset.sequence = reading.sequence;
      if (hasStarted) loadDeferred();
    },
    onStale: (silence) => {
      store.update({ silence });
    },
    onDown: () => {
      loginIfNeeded();
      loadDeferred();
    },
  },
  Number(dashboard.dataset.rate) || 0,
);
// The first reading came with the page.
feed.start(element("reading").textContent);
hasStarted = true;
dashboard.dataset.running = "";
