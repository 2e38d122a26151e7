/** The fleet: the live colours of all cameras that use the same broker. */

import { element, make, textSetter, textSetterOf } from "../lib/elements.js";
import { Socket, socketAddress } from "../lib/feed.js";
import { clockTime, none, stateLabels } from "../lib/formatting.js";
import { verdictLabel } from "../lib/verdict.js";

/** The time between checks of the connection, in milliseconds. */
const checkPeriod = 1_000;

const wall = element("wall");
const setSummary = textSetter("summary");
const setMessage = textSetter("message");
/** @type {Map<string, Tile>} */
const tiles = new Map();

/** One camera. A value that stays the same costs nothing. */
class Tile {
  element = make("li", { className: "tile" });
  #setters = [make("h2"), make("p", { className: "tile-hex" }), make("p", { className: "tile-state" })].map((part) => {
    this.element.append(part);
    return textSetterOf(part);
  });
  /** The colour that is shown, which that of the text follows. */
  #hex = null;

  show(member) {
    // The colour of a camera that is gone is not shown: it would look like a live one.
    const hex = member.gone ? null : member.hex;
    const [setName, setHex, setState] = this.#setters;
    setName(member.name ?? member.id);
    setHex(hex ?? none);
    setState(stateOf(member));
    const color = (hex && member.textColor) ?? "";
    if (hex !== this.#hex) Object.assign(this.element.style, { backgroundColor: hex ?? "", color });
    this.#hex = hex;
    this.element.toggleAttribute("data-gone", Boolean(member.gone));
  }
}

function stateOf({ gone, seen, state, verdict }) {
  if (gone) return seen ? `Gone since ${clockTime(new Date(seen))}` : "Gone";
  if (!state) return "Waiting for its colour";
  if (state === "live" && verdict) return verdictLabel(verdict);
  return stateLabels[state] ?? state;
}

/** Why there is nothing to see; empty if there is. */
function messageOf({ connected, problem, members }) {
  if (problem) return problem;
  if (!connected) return "Connecting to the broker…";
  return members.length > 0 ? "" : "No camera has sent anything yet. Each sends its colour every 30 s at least.";
}

function show(fleet) {
  const shown = new Set();
  let previous = null;
  for (const member of fleet.members) {
    shown.add(member.id);
    let tile = tiles.get(member.id);
    if (!tile) {
      tile = new Tile();
      tiles.set(member.id, tile);
    }
    tile.show(member);
    const next = previous ? previous.nextElementSibling : wall.firstElementChild;
    if (next !== tile.element) wall.insertBefore(tile.element, next);
    previous = tile.element;
  }
  for (const [id, tile] of tiles) {
    if (shown.has(id)) continue;
    tile.element.remove();
    tiles.delete(id);
  }
  const gone = fleet.members.filter((member) => member.gone).length;
  const count = fleet.members.length;
  const cameras = `${count}${fleet.incomplete ? " or more" : ""} ${count === 1 ? "camera" : "cameras"}`;
  setSummary(count === 0 ? "" : gone === 0 ? cameras : `${cameras}, ${gone} gone`);
  setMessage(messageOf(fleet));
}

/** Without a connection, no colour is known to be live. */
function showNothing() {
  tiles.clear();
  wall.replaceChildren();
  setSummary("");
  setMessage("Swatchcam does not answer. This page connects again by itself.");
}

const socket = new Socket(socketAddress("ws/fleet"), { onMessage: (text) => show(JSON.parse(text)), onDown: showNothing });
socket.connect();
setInterval(() => socket.checkSilence(), checkPeriod);
