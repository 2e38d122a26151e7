/** The colour in spoken words, on request or at regular intervals. */

import { element } from "../../lib/elements.js";
import { Preference } from "../../lib/preference.js";
import { spokenVerdict } from "../../lib/verdict.js";
import { announce, toast } from "../messages.js";
import { condition, shown } from "../state.js";

const certainty = { good: "certain", fair: "fairly certain", poor: "uncertain" };

/** A reading in words: name, lightness, certainty, and the verdict if there is a target. */
export function spoken(reading) {
  const { hex, color, quality } = reading;
  const lightness = color?.lab ? `lightness ${Math.round(color.lab.l)}` : "";
  return `${[color?.name?.plain ?? hex, lightness, certainty[quality?.grade], spokenVerdict(reading)].filter(Boolean).join(", ")}.`;
}

function sentence() {
  return shown.value ? spoken(shown.value) : `${condition.value.label}.`;
}

/** Speaks a text. A newer one takes the place of one that is being spoken. */
function speak(text) {
  speechSynthesis.cancel();
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = "en";
  speechSynthesis.speak(utterance);
}

const hasVoice = () => (globalThis.speechSynthesis?.getVoices().length ?? 0) > 0;

/** Says the colour that is shown: with a voice, or else in a message, which screen readers say. */
export function speakColor() {
  const text = sentence();
  if (hasVoice()) speak(text);
  else toast(`${text} This browser has no voice.`);
}

const every = element("speak-every", HTMLSelectElement);
const preference = new Preference("speak-every");
every.value = preference.read("0");
if (!every.value) every.value = "0";
let timer = 0;

function begin() {
  clearInterval(timer);
  const seconds = Number(every.value);
  if (seconds > 0) timer = setInterval(() => (hasVoice() ? speak(sentence()) : announce(sentence())), seconds * 1_000);
}

every.addEventListener("change", () => {
  preference.write(every.value);
  begin();
  if (every.value !== "0") speakColor();
});
// Some browsers load their voices when they are asked for them.
globalThis.speechSynthesis?.getVoices();
begin();
