import { copy } from "./clipboard.js";
import { element } from "./element.js";
import { toast } from "./view.js";

const button = element("lock", HTMLButtonElement);
const status = element("lock-status");
const result = element("lock-result");
const lines = element("lock-lines");

/**
 * Shows the state of the lock for measuring.
 * @param {any} lock as the server describes it; null if nothing is locked.
 * @param {string[]} automatics the labels of the automatic controls that are on.
 */
export function showLock(lock, automatics) {
  button.dataset.locked = String(lock?.phase === "locked");
  button.textContent = lock?.phase === "locked" ? "Unlock" : "Lock for measuring";
  button.disabled = lock?.phase === "settling";
  result.hidden = lock?.phase !== "locked";
  say(sentence(lock, automatics));
  if (result.hidden) return;
  const { locked, missing, refused, config } = lock;
  const items = [
    ...locked.map(({ label, value }) => ["locked", `${label}: ${value}`]),
    ...refused.map(({ name, reason }) => ["refused", `${name} ${reason}`]),
    ...(missing.length > 0 ? [["missing", `This camera cannot lock its ${list(missing)}.`]] : []),
  ].map(([kind, text]) => {
    const item = document.createElement("li");
    item.className = kind;
    item.textContent = text;
    return item;
  });
  element("lock-list").replaceChildren(...items);
  lines.textContent = config;
}

function sentence(lock, automatics) {
  if (lock?.phase === "settling") return `Waiting for the automatic controls to settle, ${Math.floor(lock.seconds)} s.`;
  if (lock?.phase === "locked") {
    return lock.settled ? "Locked." : "Locked, but the automatic controls had not settled.";
  }
  if (automatics.length === 0) return "No automatic control is on.";
  return `On: ${list(automatics)}. The colour may drift.`;
}

function list(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function say(text) {
  if (status.textContent !== text) status.textContent = text;
}

element("copy-lines").addEventListener("click", async () => {
  toast((await copy(lines.textContent)) ? "Copied the lines" : "This browser does not allow copying");
});
