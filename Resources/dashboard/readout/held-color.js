/** Holding a colour, and how far the live one is from it. */

import { element, ifChanged, replaceText, textSetter } from "../../lib/elements.js";
import { clockTime } from "../../lib/formatting.js";
import { announce, toast } from "../messages.js";
import { difference, differenceInWords } from "../samples/difference.js";
import { store } from "../state.js";
import { spoken } from "./speech.js";

const button = element("hold");
const setLabel = textSetter("hold");
const showHold = ifChanged((isHeld) => {
  button.setAttribute("aria-pressed", String(isHeld));
  setLabel(isHeld ? "Continue" : "Hold reading");
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

button.addEventListener("click", toggleHold);
store.follow(({ held }) => showHold(Boolean(held)));
// A button that looks inactive stays in reach of the keyboard, and says why nothing happens.
const setUnavailable = ifChanged((isUnavailable) => button.setAttribute("aria-disabled", String(isUnavailable)));
store.follow(({ held, reading, silence }) => setUnavailable(!held && (Boolean(silence) || !reading?.rgb)));

// How far the live colour is from the held one

/** The least time between two requests, in milliseconds. */
const period = 1_000;
const setDelta = textSetter("relation-delta");
const setWords = ifChanged((text) => replaceText("relation-words", text));
let compared = "";
let timer = 0;

const showRelation = ifChanged((isShown) => {
  element("relation").hidden = !isShown;
  compared = "";
  setDelta("");
  setWords("");
});

store.follow((state) => {
  const { held, reading, silence } = state;
  showRelation(Boolean(held));
  const live = !silence && reading?.rgb ? reading : null;
  if (!held || !live || timer || `${held.reading.hex} ${live.hex}` === compared) return;
  compared = `${held.reading.hex} ${live.hex}`;
  timer = setTimeout(() => {
    timer = 0;
  }, period);
  compare(held.reading, live);
});

async function compare(held, live) {
  try {
    const answer = await difference(held, live);
    if (store.state.held?.reading !== held) return;
    setDelta(answer.deltaE00.toFixed(1));
    const words = differenceInWords(answer);
    setWords(words ? `Live is ${words}.` : "Live is the same.");
  } catch {
    compared = "";
  }
}
