/** Holding a colour, and how far the live one is from it. */

import { element, replaceText, textSetter } from "../../lib/elements.js";
import { clockTime, fitted } from "../../lib/formatting.js";
import { effect, signal } from "../../lib/signals.js";
import { announce, toast } from "../messages.js";
import { difference, differenceInWords } from "../samples/difference.js";
import { displayed, inSwatch, isHeld, isLive, live, state } from "../state.js";
import { spoken } from "./speech.js";

const button = element("hold");
const setLabel = textSetter("hold");
effect(() => {
  button.setAttribute("aria-pressed", String(isHeld.value));
  setLabel(isHeld.value ? "Continue" : "Hold reading");
  // A button that looks inactive stays in reach of the keyboard, and says why nothing happens.
  button.setAttribute("aria-disabled", String(!isHeld.value && !isLive.value));
});

export function toggleHold() {
  if (isHeld.value) {
    state.held.value = null;
    announce("Readings continue.");
    return;
  }
  const reading = live.value;
  if (!reading) {
    toast("There is no reading to hold");
    return;
  }
  const since = new Date();
  state.held.value = { reading, time: state.time.value, since };
  announce(`Held since ${clockTime(since)}. ${spoken(reading)}`);
}

button.addEventListener("click", toggleHold);

// How far the live colour is from the held one

/** The least time between two requests, in milliseconds. */
const period = 1_000;
const setDelta = textSetter("relation-delta");
const words = signal("");
effect(() => replaceText("relation-words", words.value));
let compared = "";
let timer = 0;

effect(() => {
  element("relation").hidden = !isHeld.value;
  compared = "";
  setDelta("");
  words.value = "";
});
effect(() => {
  const [held, now] = [displayed.value, inSwatch(live.value)];
  if (!isHeld.value || !held || !now || timer || `${held.hex} ${now.hex}` === compared) return;
  compared = `${held.hex} ${now.hex}`;
  timer = setTimeout(() => {
    timer = 0;
  }, period);
  compare(held, now);
});

async function compare(held, now) {
  try {
    const answer = await difference(held, now);
    if (!isHeld.value || displayed.value?.hex !== held.hex) return;
    setDelta(fitted(answer.deltaE00, 1));
    const found = differenceInWords(answer);
    words.value = found ? `Live is ${found}.` : "Live is the same.";
  } catch {
    compared = "";
  }
}
