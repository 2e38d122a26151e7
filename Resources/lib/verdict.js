/** Verdicts in words. */

import { fitted } from "./formatting.js";

const labels = { pass: "Pass", fail: "Fail", close: "Too close" };

/** A verdict in a word or two. */
export function verdictLabel(verdict) {
  return labels[verdict] ?? "Not judged";
}

/** A difference with its sign, to one decimal or from 100 on to none, with a minus sign as wide as a plus. */
export function signed(value) {
  const text = fitted(Math.abs(value), 1);
  if (Number(text) === 0) return text;
  return value < 0 ? `−${text}` : `+${text}`;
}

/** The differences of lightness, chroma and hue of a target in a reading; empty if there are none. */
export function componentsOf({ deltaL, deltaC, deltaH }) {
  return typeof deltaL === "number" ? [deltaL, deltaC, deltaH].map(signed) : [];
}

/** Why a colour fails, in words, or else the reason. Of any other verdict: the reason, or else the difference in words. */
export function explanation({ verdict, reason, words }) {
  if (verdict === "fail") return words ? `${capitalized(words)}.` : reason ?? "";
  return reason ?? (words ? `${capitalized(words)}.` : "");
}

function capitalized(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/** For which of several targets a colour is taken, in a sentence; empty if there are fewer than two. */
export function matchInWords({ targets, match, unique }) {
  if (targets.length < 2) return "";
  if (match !== null) return unique ? `This is “${match}”.` : `This is “${match}”, but another target is not ruled out.`;
  return targets.every(({ verdict }) => verdict === "fail") ? "This is none of these." : "Not decided yet.";
}

/** The verdict in words that can be spoken; empty if there is no target. */
export function spokenVerdict({ targets = [], match, unique }) {
  if (targets.length === 0) return "";
  if (targets.length === 1) return `${targets[0].name}: ${verdictLabel(targets[0].verdict).toLowerCase()}`;
  if (match !== null) return unique ? `match: ${match}` : `perhaps ${match}`;
  return targets.every(({ verdict }) => verdict === "fail") ? "no match" : "not decided";
}

/** The target that decides what a colour is: its match, or else the nearest one that is not ruled out; null if there is none. */
export function decisiveTarget({ targets, match }) {
  const matching = targets.find(({ name }) => name === match);
  if (matching) return matching;
  const open = targets.filter(({ verdict }) => verdict === "close");
  const candidates = open.length > 0 ? open : targets;
  return candidates.reduce((best, target) => (best && (best.deltaE ?? Infinity) <= (target.deltaE ?? Infinity) ? best : target), null);
}
