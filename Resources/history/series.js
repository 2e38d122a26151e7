/** The history of the colour as a page shows it: intervals that were requested, extended by live readings. */

import { linearOf } from "../lib/colors.js";
import { periodOf } from "../lib/feed.js";

/** The longest span that live readings extend, in milliseconds. Longer ones are requested again. */
const longestLiveSpan = 600_000;
/** How many points and marks are kept at most, whatever a server sends. */
const mostPoints = 2_000;
const mostMarks = 1_000;
/** How many readings are remembered, so that those that come while a request is under way are not lost. */
const mostRecent = 512;
/** How many probes have lines at most, whatever a server sends. */
const mostProbes = 96;
/** How far a reading may be older than the one before it, in milliseconds. A greater step means that a clock was set. */
const tolerance = 1_000;

/**
 * @typedef {object} Range
 * @property {number} mean
 * @property {number} min
 * @property {number} max
 */

/**
 * The colour of one interval.
 * @typedef {object} Point
 * @property {number} time the start of the interval, in milliseconds since 1970.
 * @property {number} n how many readings were averaged.
 * @property {Range} r the red value R', 0...255. `g` and `b` are G' and B'.
 * @property {Range} g
 * @property {Range} b
 * @property {Range | null} l the lightness L* of CIELAB, 0...100.
 * @property {string | null} quality the worst grade of the readings.
 *
 * The lightness of each probe has a key of its own, `p0`, `p1` and so on, in the order of `Series.probes`.
 */

/** Points of one span, in ascending order, and the marks in it. Older ones are dropped. */
export class Series {
  /** @type {Point[]} */
  points = [];
  /** @type {{ id: number | null, time: number, kind: string, text: string, picture: string | null }[]} An `id` is valid until the server stops. */
  marks = [];
  /** The length of the span, and that of an interval, in milliseconds. */
  span = longestLiveSpan;
  step = 2_000;
  /** The end of the span, in milliseconds since 1970. */
  end = 0;
  /** When the server's history began, in milliseconds since 1970; null if the history goes back to earlier runs of the server. */
  begins = null;
  /** When the recording that is running began, in milliseconds since 1970; null if none is running. */
  recordingSince = null;
  /** Whether the probes have lines. */
  hasProbes = false;
  /** @type {{ name: string, color: string }[]} The probes that have lines, and their newest colours. */
  probes = [];

  #recent = [];
  #newest = -Infinity;
  /** The time between two readings, in milliseconds. */
  #period = 0;

  /** Whether live readings extend the series. */
  get isLive() {
    return this.span <= longestLiveSpan;
  }

  /**
   * Begins another span. A live one shows the last readings immediately.
   * @param {number} span in milliseconds.
   * @param {number} step the length of an interval until the server has sent its own.
   */
  begin(span, step) {
    this.span = span;
    this.step = step;
    this.points = [];
    this.marks = [];
    if (this.isLive) for (const sample of this.#recent) addToInterval(this.points, sample, step);
    this.end = Math.max(0, this.#newest);
    this.#trim();
  }

  /**
   * Replaces everything with a document of `api/history`. Readings that came after it was made are kept.
   * @throws {Error} if it is not such a document.
   */
  replace(document) {
    const step = document?.step * 1_000;
    if (!(step > 0) || !Array.isArray(document.points)) throw new Error("Swatchcam sent an unexpected history");
    const begins = document.begins ? Date.parse(document.begins) : null;
    const points = document.points.map(pointOf).filter(Boolean);
    this.#addProbes(document, points, step);
    const marks = (document.marks ?? []).map(markOf).filter(Boolean);
    // After a restart, the page has what the server no longer has.
    const earliest = Math.min(begins ?? -Infinity, points[0]?.time ?? Infinity);
    const isOlder = ({ time }) => time < earliest;
    const olderPoints = step === this.step ? this.points.filter(isOlder) : [];
    const olderMarks = this.marks
      .filter(isOlder)
      .filter(({ time }) => !marks.some((mark) => mark.time === time))
      // The server gives the number to another mark.
      .map((mark) => ({ ...mark, id: null }));
    this.begins = begins;
    this.step = step;
    this.points = [...olderPoints, ...points].slice(-mostPoints);
    this.marks = [...olderMarks, ...marks].slice(-mostMarks);
    const to = Date.parse(document.to);
    // The end of the newest interval lies in the future.
    this.end = this.isLive && this.#newest > 0 ? this.#newest : Number.isFinite(to) ? to : this.#newest;
    if (this.isLive) this.#addRecent();
    this.#trim();
  }

  /**
   * Adds a reading, with or without a colour.
   * @returns {boolean} whether the series is still valid; if not, a clock was set, and the series has to be requested again.
   */
  add({ time, rgb, mean, color, quality, rate, recording, probes }) {
    const at = Date.parse(time);
    this.recordingSince = recording ? Date.parse(recording.since) : null;
    if (!Number.isFinite(at) || at === this.#newest) return true;
    if (at < this.#newest && at >= this.#newest - tolerance) return true;
    const isForward = at > this.#newest;
    this.#newest = at;
    if (!isForward) {
      this.#recent = [];
      this.begin(this.span, this.step);
    }
    this.#period = periodOf(rate ?? {});
    // With `readings.average = "linear"`, the colour is not the mean of the picture's values.
    const exact = (channel) => (Math.round(mean?.[channel]) === rgb[channel] ? mean[channel] : rgb[channel]);
    const sample = rgb && { at, r: exact("r"), g: exact("g"), b: exact("b"), l: lightness(color), quality: quality?.grade ?? null, lines: this.#linesOf(probes ?? []) };
    if (sample) this.#recent.push(sample);
    if (this.#recent.length > mostRecent) this.#recent.shift();
    if (!this.isLive) return isForward;
    if (sample) addToInterval(this.points, sample, this.step);
    this.end = at;
    this.#trim();
    return isForward;
  }

  /** The key of a probe's line; null if there are too many. */
  #keyOf(name, color) {
    const index = this.probes.findIndex((probe) => probe.name === name);
    if (index < 0 && this.probes.length >= mostProbes) return null;
    if (index < 0) return `p${this.probes.push({ name, color }) - 1}`;
    this.probes[index].color = color;
    return `p${index}`;
  }

  /** The lightness of each probe of a reading, by the key of its line. */
  #linesOf(probes) {
    if (!this.hasProbes) return [];
    return probes
      .filter(({ hex }) => isHex(hex))
      .map(({ name, hex }) => [this.#keyOf(String(name), hex), lightnessOf(hex)])
      .filter(([key]) => key);
  }

  /** Adds the lines of the probes in a document to its points. */
  #addProbes(document, points, step) {
    this.probes = [];
    if (!Array.isArray(document.probes)) return;
    const from = Date.parse(document.from);
    const places = new Map(points.map((point) => [Math.round((point.time - from) / step), point]));
    for (const { name, hex } of document.probes) {
      if (!Array.isArray(hex)) continue;
      for (const [index, color] of hex.entries()) {
        const key = isHex(color) ? this.#keyOf(String(name), color) : null;
        const point = places.get(index);
        if (key && point) point[key] = singleRange(lightnessOf(color));
      }
    }
  }

  /** Adds a mark that was just set, until the next document has it. */
  addMark(mark) {
    const added = markOf(mark);
    if (added) this.marks = [...this.marks, added].slice(-mostMarks);
  }

  /** Removes a mark that was deleted. */
  removeMark(removed) {
    this.marks = this.marks.filter((mark) => mark !== removed);
  }

  /** Whether there was no colour between two consecutive points. */
  isGap(first, second) {
    return second.time - first.time > Math.max(1.5 * this.step, 2.5 * this.#period);
  }

  /** The point whose middle is closest to a time; -1 if there is none. */
  indexNear(time) {
    const { points, step } = this;
    let low = 0;
    let high = points.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      // The border between two points is halfway between their middles.
      if ((points[middle].time + points[middle + 1].time + step) / 2 < time) low = middle + 1;
      else high = middle;
    }
    return high < 0 ? -1 : low;
  }

  /** Whether there was no colour at a time, to which no point is as near as `reach`, in milliseconds. */
  isEmptyAt(time, reach) {
    const near = this.points[this.indexNear(time)];
    if (!near) return true;
    const distance = time - near.time - this.step / 2;
    if (Math.abs(distance) <= Math.max(this.step, reach)) return false;
    const other = this.points[this.points.indexOf(near) + Math.sign(distance)];
    return !other || (distance < 0 ? this.isGap(other, near) : this.isGap(near, other));
  }

  /** Adds the readings since the last interval of a document, which the server may have counted in part. */
  #addRecent() {
    const last = this.points.at(-1);
    const later = [];
    for (const sample of this.#recent) if (!last || sample.at >= last.time) addToInterval(later, sample, this.step);
    if (last && later.length > 0 && isSameInterval(last.time, later[0].time, this.step)) {
      if (later[0].n > last.n) this.points.pop();
      else later.shift();
    }
    this.points.push(...later);
  }

  #trim() {
    const from = this.end - this.span;
    const kept = this.points.findIndex(({ time }) => time + this.step > from);
    if (kept !== 0) this.points.splice(0, kept < 0 ? this.points.length : kept);
    if (this.points.length > mostPoints) this.points.splice(0, this.points.length - mostPoints);
    if (this.marks.length > 0 && this.marks[0].time < from) this.marks = this.marks.filter(({ time }) => time >= from);
  }
}

/** Adds a reading to the interval that it belongs to. */
function addToInterval(points, { at, r, g, b, l, quality, lines }, step) {
  const time = Math.floor(at / step) * step;
  const last = points.at(-1);
  if (!last || !isSameInterval(last.time, time, step)) {
    const [red, green, blue] = [r, g, b].map(singleRange);
    const ofProbes = lines.map(([key, value]) => [key, singleRange(value)]);
    points.push({ time, n: 1, r: red, g: green, b: blue, l: l === null ? null : singleRange(l), quality, ...Object.fromEntries(ofProbes) });
    return;
  }
  last.n += 1;
  addToRange(last.r, r, last.n);
  addToRange(last.g, g, last.n);
  addToRange(last.b, b, last.n);
  if (l !== null) {
    if (last.l) addToRange(last.l, l, last.n);
    else last.l = singleRange(l);
  }
  for (const [key, value] of lines) {
    if (last[key]) addToRange(last[key], value, last.n);
    else last[key] = singleRange(value);
  }
  if (grades.indexOf(quality) > grades.indexOf(last.quality)) last.quality = quality;
}

const grades = [null, "good", "fair", "poor"];

/** Whether two times are the start of the same interval. Documents round them to milliseconds. */
function isSameInterval(first, second, step) {
  return Math.abs(first - second) < step / 2;
}

function singleRange(value) {
  return { mean: value, min: value, max: value };
}

function addToRange(range, value, n) {
  range.mean += (value - range.mean) / n;
  range.min = Math.min(range.min, value);
  range.max = Math.max(range.max, value);
}

function isHex(text) {
  return typeof text === "string" && /^#[0-9A-F]{6}$/.test(text);
}

/** L* of CIELAB, D50, of a colour of sRGB (CSS Color 4, section 18: the middle row of the matrix to D50, and the function of L*). */
function lightnessOf(hex) {
  const [r, g, b] = linearOf(hex);
  const y = 0.22249 * r + 0.71689 * g + 0.06062 * b;
  return y > 216 / 24389 ? 116 * Math.cbrt(y) - 16 : (y * 24389) / 27;
}

/** The lightness L* of a reading's colour; null if it has none. */
function lightness(color) {
  const value = color?.lab?.l;
  return Number.isFinite(value) ? value : null;
}

/** A point of a document; null if something in it is not a number. */
function pointOf(point) {
  const time = Date.parse(point?.time);
  const ranges = ["r", "g", "b"].map((key) => rangeOf(point?.mean?.[key], point?.min?.[key], point?.max?.[key]));
  if (!Number.isFinite(time) || ranges.includes(null)) return null;
  const { lightness: l, quality, n } = point;
  const [r, g, b] = ranges;
  return { time, n: Number(n) || 1, r, g, b, l: rangeOf(l?.mean, l?.min, l?.max), quality: grades.includes(quality) ? quality : null };
}

function rangeOf(mean, min, max) {
  return [mean, min, max].every(Number.isFinite) ? { mean, min, max } : null;
}

/** The address of the picture of an event; null if there is none. */
function pictureOf({ picture }) {
  return typeof picture === "string" && /^api\/events\/[\w.]+$/.test(picture) ? picture : null;
}

function markOf(mark) {
  const time = Date.parse(mark?.time);
  if (!Number.isFinite(time)) return null;
  return { id: Number.isSafeInteger(mark.id) ? mark.id : null, time, kind: String(mark.kind), text: String(mark.text).slice(0, 200), picture: pictureOf(mark) };
}
