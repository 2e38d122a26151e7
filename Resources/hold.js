/** Holding a colour, and reading it out. */

import { element, ifChanged, textSetter } from "./elements.js";
import { clockTime } from "./formatting.js";
import { announce, toast } from "./messages.js";
import { describeState, shownReading, store } from "./state.js";

const button = element("hold");
const setLabel = textSetter("hold");
const showHold = ifChanged((isHeld) => {
  button.toggleAttribute("data-on", isHeld);
  setLabel(isHeld ? "Continue" : "Hold");
});

export function toggleHold() {
  const { held, reading, time, silence } = store.state;
  if (held) {
    store.update({ held: null });
    announce("Readings continue.");
    return;
  }
  if (silence || !reading?.rgb) {
    toast("There is no reading to hold");
    return;
  }
  const since = new Date();
  store.update({ held: { reading, time, since } });
  announce(`Held since ${clockTime(since)}. ${spoken(reading)}`);
}

/** Lets screen readers say the colour that is shown. */
export function speakColor() {
  const color = shownReading(store.state);
  announce(color ? spoken(color) : describeState(store.state).label);
}

function spoken({ hex, color }) {
  const name = color?.name?.plain;
  return name ? `${hex}, ${name}.` : `${hex}.`;
}

button.addEventListener("click", toggleHold);
element("speak-color").addEventListener("click", speakColor);
store.follow(({ held }) => showHold(Boolean(held)));
