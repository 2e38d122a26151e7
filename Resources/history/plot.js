/** Draws a series of colours: a band of them, lines of their values, marks and axes. */

import { timeTicks, valueScale } from "./scale.js";

/**
 * What can be drawn below the band. The lines differ in their dashes too, for people who cannot tell their colours apart.
 * Dashes are in widths of the line.
 */
const kinds = {
  rgb: {
    lines: [{ key: "r", label: "R", dash: [] }, { key: "g", label: "G", dash: [4, 2] }, { key: "b", label: "B", dash: [1.4, 1.4] }],
    top: 255,
    leastRange: 20,
  },
  lightness: { lines: [{ key: "l", label: "L*", dash: [] }], top: 100, leastRange: 6 },
};
/** No canvas is larger than this, in pixels of the screen. */
const mostPixels = 8_192;
/** A high plot has no more ticks than this. */
const mostTicks = 8;
/** The name of a probe is cut to this many letters. */
const mostLetters = 20;

/** A canvas that shows a series. Sizes are CSS pixels. */
export class Plot {
  #canvas;
  #context;
  #band = document.createElement("canvas");
  /** @type {any} */
  #colors = {};
  #width = 0;
  #height = 0;
  #ratio = 1;
  #em = 14;
  #view = { from: 0, scale: 0 };

  /** @param {HTMLCanvasElement} canvas its children with `data-color-role` have the colours to draw in. */
  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d");
    this.#band.height = 1;
  }

  /** Takes over the size, the size of text, the font and the colours from the page's styles. */
  adoptStyle() {
    const { width, height } = this.#canvas.getBoundingClientRect();
    this.#ratio = Math.min(devicePixelRatio, mostPixels / Math.max(1, width, height));
    [this.#width, this.#height] = [width, height];
    this.#canvas.width = Math.round(width * this.#ratio);
    this.#canvas.height = Math.round(height * this.#ratio);
    const { fontSize, fontFamily } = getComputedStyle(this.#canvas);
    this.#em = parseFloat(fontSize);
    for (const child of this.#canvas.querySelectorAll("[data-color-role]")) {
      this.#colors[/** @type {HTMLElement} */ (child).dataset.colorRole] = getComputedStyle(child).color;
    }
    const context = this.#context;
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    context.font = `${fontSize} ${fontFamily}`;
    context.textBaseline = "middle";
    context.lineJoin = "round";
    this.#colors.hatch = this.#makeHatch();
  }

  /** The time between two pixels, in milliseconds. */
  get resolution() {
    return this.#view.scale > 0 ? 1 / this.#view.scale : 0;
  }

  /** The width of the series. */
  get width() {
    return this.#box.right - this.#box.left;
  }

  /** The place of a time, from the left. */
  placeOf(time) {
    return this.#box.left + (time - this.#view.from) * this.#view.scale;
  }

  /** The time at a place. */
  timeAt(place) {
    return this.#view.from + (place - this.#box.left) / this.#view.scale;
  }

  /**
   * Draws everything.
   * @param {import("./series.js").Series} series
   * @param {"rgb" | "lightness" | "probes"} kind
   * @param {{ from: number, to: number }} view the times at both ends, in milliseconds since 1970.
   */
  draw(series, kind, { from, to }) {
    if (!(this.#width > 0)) return;
    const ofProbes = kind === "probes" ? series.probes.map(({ name, color }, index) => ({ key: `p${index}`, label: name, dash: [], color })) : [];
    const { lines, ...limits } = ofProbes.length > 0 ? { ...kinds.lightness, lines: ofProbes } : kinds[kind === "probes" ? "lightness" : kind];
    const box = this.#box;
    const context = this.#context;
    this.#view = { from, scale: (box.right - box.left) / (to - from) };
    const points = series.points.filter(({ time }) => time + series.step > from && time < to);
    context.clearRect(0, 0, this.#width, this.#height);
    this.#drawTimeAxis(to);
    const scale = this.#drawValueAxis(points, lines, limits);
    context.save();
    context.beginPath();
    context.rect(box.left, 0, box.right - box.left, this.#height);
    context.clip();
    this.#drawBand(series);
    const runs = splitAtGaps(series);
    this.#drawUnwatched(runs, series);
    const at = (value) => box.bottom - ((value - scale.low) / (scale.high - scale.low)) * (box.bottom - box.top);
    for (const line of lines) this.#drawLine(series, runs, line, at);
    this.#drawMarks(series);
    this.#drawRecording(series);
    context.restore();
    if (ofProbes.length > 0) this.#drawProbeNames(points, ofProbes, at);
    else this.#drawNames(points, lines, at);
  }

  /** Where everything is: a band, a lane for the texts of marks, the lines, and the axis of times. */
  get #box() {
    // Text is three units high.
    const unit = this.#em / 3;
    const bandBottom = Math.round((this.#height > 90 * unit ? 10 : 6) * unit);
    return {
      left: Math.round(8 * unit),
      right: Math.round(this.#width - 5 * unit),
      bandBottom,
      top: Math.round(bandBottom + 5.5 * unit),
      bottom: Math.round(this.#height - 5.5 * unit),
    };
  }

  /** Sets the style of lines and text of an axis. */
  #beginAxis(textAlign) {
    const context = this.#context;
    context.textAlign = textAlign;
    context.lineWidth = 1;
    context.setLineDash([]);
    context.strokeStyle = this.#colors.line;
    context.fillStyle = this.#colors.quiet;
    context.beginPath();
  }

  /** Draws the times below the lines, as many as there is room for, and a line up from each. */
  #drawTimeAxis(end) {
    const context = this.#context;
    const { left, right, top, bottom } = this.#box;
    const { from } = this.#view;
    const widest = context.measureText("00:00:00").width + 1.5 * this.#em;
    this.#beginAxis("center");
    for (const { time, label } of timeTicks(from, end, widest / this.#view.scale)) {
      const place = Math.round(this.placeOf(time)) + 0.5;
      if (place < left || place > right) continue;
      context.moveTo(place, top);
      context.lineTo(place, bottom + 0.3 * this.#em);
      const half = context.measureText(label).width / 2;
      if (place - half >= 0 && place + half <= this.#width) context.fillText(label, place, bottom + 1.1 * this.#em);
    }
    context.stroke();
  }

  /**
   * Draws the values beside the lines, and a line across at each.
   * @returns {{ low: number, high: number }} the values at the bottom and at the top.
   */
  #drawValueAxis(points, lines, limits) {
    const context = this.#context;
    const { left, right, top, bottom } = this.#box;
    let low = Infinity;
    let high = -Infinity;
    for (const point of points) {
      for (const { key } of lines) {
        const range = point[key];
        if (!range) continue;
        low = Math.min(low, range.min);
        high = Math.max(high, range.max);
      }
    }
    if (low > high) [low, high] = [0, limits.top];
    const scale = valueScale(low, high, { ...limits, mostTicks: Math.max(2, Math.min(mostTicks, Math.floor((bottom - top) / (1.5 * this.#em)))) });
    this.#beginAxis("right");
    for (const tick of scale.ticks) {
      const place = Math.round(bottom - ((tick - scale.low) / (scale.high - scale.low)) * (bottom - top)) + 0.5;
      context.moveTo(left, place);
      context.lineTo(right, place);
      context.fillText(String(tick), left - 0.4 * this.#em, place);
    }
    context.stroke();
    return scale;
  }

  /** Draws the band as an image with one pixel for each interval. Intervals without a colour are hatched. */
  #drawBand(series) {
    const { left, right, bandBottom } = this.#box;
    const { step, points } = series;
    const context = this.#context;
    context.fillStyle = this.#colors.hatch;
    context.fillRect(left, 0, right - left, bandBottom);
    if (points.length === 0) return;
    const first = points[0].time;
    const count = Math.min(4_000, Math.round((points.at(-1).time - first) / step) + 1);
    const image = new ImageData(count, 1);
    // This kind of array rounds the values.
    const { data } = image;
    for (const [index, point] of points.entries()) {
      const next = points[index + 1];
      const from = Math.round((point.time - first) / step);
      // At a low rate, a reading lasts until the next one.
      const to = next && !series.isGap(point, next) ? Math.round((next.time - first) / step) : from + 1;
      for (let pixel = from; pixel < Math.min(to, count); pixel++) {
        data[4 * pixel] = point.r.mean;
        data[4 * pixel + 1] = point.g.mean;
        data[4 * pixel + 2] = point.b.mean;
        data[4 * pixel + 3] = 255;
      }
    }
    this.#band.width = count;
    this.#band.getContext("2d").putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#band, this.placeOf(first), 0, count * step * this.#view.scale, bandBottom);
  }

  /** Says in the band where nobody watched, so that there is one reading a minute. */
  #drawUnwatched(runs, series) {
    const context = this.#context;
    const { left, right, bandBottom } = this.#box;
    context.textAlign = "center";
    for (const [from, to] of unwatchedSpans(runs, series.end)) {
      const [start, end] = [Math.max(left, this.placeOf(from)), Math.min(right, this.placeOf(to))];
      for (const text of ["not watched: one reading a minute", "not watched: one a minute", "not watched"]) {
        const width = context.measureText(text).width + this.#em;
        if (width > end - start) continue;
        const middle = (start + end) / 2;
        context.fillStyle = this.#colors.page;
        context.fillRect(middle - width / 2, bandBottom / 2 - 0.7 * this.#em, width, 1.4 * this.#em);
        context.fillStyle = this.#colors.quiet;
        context.fillText(text, middle, bandBottom / 2);
        break;
      }
    }
  }

  #drawLine(series, runs, { key, dash, color = "" }, at) {
    const context = this.#context;
    const half = series.step / 2;
    const x = (point) => this.placeOf(point.time + half);
    context.fillStyle = context.strokeStyle = color || this.#colors[key];
    context.globalAlpha = 0.2;
    context.beginPath();
    for (const run of runs) {
      const points = run.filter((point) => point[key]);
      for (const [index, point] of points.entries()) {
        if (index === 0) context.moveTo(x(point), at(point[key].max));
        else context.lineTo(x(point), at(point[key].max));
      }
      for (let index = points.length - 1; index >= 0; index--) context.lineTo(x(points[index]), at(points[index][key].min));
    }
    context.fill();
    context.globalAlpha = 1;
    const thickness = Math.max(1.5, this.#em / 9);
    const dashes = dash.map((part) => part * thickness);
    context.lineWidth = thickness;
    context.setLineDash(dashes);
    context.beginPath();
    for (const run of runs) {
      for (const [index, point] of run.filter((one) => one[key]).entries()) {
        if (index === 0) context.moveTo(x(point), at(point[key].mean));
        else context.lineTo(x(point), at(point[key].mean));
      }
    }
    // Dashes stay with the line when it moves.
    const start = series.points[0]?.time ?? 0;
    const pattern = dashes.reduce((sum, part) => sum + part, 0);
    context.lineDashOffset = pattern > 0 ? (start * this.#view.scale) % pattern : 0;
    if (color) {
      // A probe's line has its colour, which may be that of the page, so it has an edge.
      context.strokeStyle = this.#colors.quiet;
      context.lineWidth = 2 * thickness;
      context.stroke();
      context.strokeStyle = color;
      context.lineWidth = 1.3 * thickness;
    }
    context.stroke();
    context.setLineDash([]);
    // A single point is a dot.
    context.beginPath();
    for (const [point] of runs.filter((run) => run.length === 1 && run[0][key])) {
      context.moveTo(x(point), at(point[key].mean));
      context.arc(x(point), at(point[key].mean), 1.2 * thickness, 0, 2 * Math.PI);
    }
    context.fill();
  }

  /** A line for each mark, and its text where there is room. The cursor shows the others. */
  #drawMarks({ marks }) {
    const context = this.#context;
    const { left, right, bandBottom, top, bottom } = this.#box;
    const gap = 0.45 * this.#em;
    const middle = (bandBottom + top) / 2 + 0.1 * this.#em;
    const inView = marks.map((mark) => ({ ...mark, place: Math.round(this.placeOf(mark.time)) + 0.5 })).filter(({ place }) => place >= left && place <= right);
    const labels = placedLabels(inView, { left, right, gap }, (text) => context.measureText(text).width);
    context.textAlign = "left";
    context.lineWidth = 1;
    context.fillStyle = context.strokeStyle = this.#colors.ink;
    context.beginPath();
    for (const { place } of inView) {
      // A line does not strike out the label of another.
      context.moveTo(place, labels.some(({ from, to }) => place >= from && place <= to) ? top : bandBottom);
      context.lineTo(place, bottom);
    }
    context.stroke();
    for (const { text, from } of labels) context.fillText(text, from, middle);
  }

  /** A bar for as long as a recording runs. */
  #drawRecording({ recordingSince, end }) {
    if (recordingSince === null) return;
    const from = this.placeOf(recordingSince);
    this.#context.fillStyle = this.#colors.ink;
    this.#context.fillRect(from, this.#box.top - 3, this.placeOf(end) - from, 3);
  }

  /** The names of the lines, at their ends. */
  #drawNames(points, lines, at) {
    const last = points.at(-1);
    if (!last) return;
    const { right, top, bottom } = this.#box;
    const gap = 1.05 * this.#em;
    const ends = lines.filter(({ key }) => last[key]).map(({ key, label }) => ({ key, label, place: at(last[key].mean) }));
    ends.sort((first, second) => first.place - second.place);
    for (const [index, end] of ends.entries()) {
      end.place = Math.max(end.place, index > 0 ? ends[index - 1].place + gap : top);
    }
    for (const [index, end] of ends.toReversed().entries()) {
      end.place = Math.min(end.place, index > 0 ? ends[ends.length - index].place - gap : bottom);
    }
    const context = this.#context;
    context.textAlign = "left";
    for (const { key, label, place } of ends) {
      context.fillStyle = this.#colors[key];
      context.fillText(label, right + 0.35 * this.#em, place);
    }
  }

  /** The names of the probes above the ends of their lines, as many as there is room for. */
  #drawProbeNames(points, lines, at) {
    const context = this.#context;
    const { right, top } = this.#box;
    context.textAlign = "right";
    context.fillStyle = this.#colors.ink;
    context.strokeStyle = this.#colors.page;
    context.lineWidth = this.#em / 4;
    const places = [];
    for (const { key, label } of lines) {
      const last = points.findLast((point) => point[key]);
      if (!last) continue;
      const place = Math.max(at(last[key].mean) - 0.8 * this.#em, top);
      if (places.some((other) => Math.abs(other - place) < this.#em)) continue;
      places.push(place);
      const text = label.length > mostLetters ? `${label.slice(0, mostLetters - 1)}…` : label;
      context.strokeText(text, right - 0.3 * this.#em, place);
      context.fillText(text, right - 0.3 * this.#em, place);
    }
  }

  #makeHatch() {
    const size = Math.max(4, Math.round(0.5 * this.#em)) * 2;
    const tile = document.createElement("canvas");
    tile.width = tile.height = size;
    const context = tile.getContext("2d");
    context.strokeStyle = this.#colors.line;
    context.lineWidth = size / 4;
    for (const offset of [-size, 0, size]) {
      context.moveTo(offset, size);
      context.lineTo(offset + size, 0);
    }
    context.stroke();
    return this.#context.createPattern(tile, "repeat");
  }
}

/**
 * Returns where there is room for the whole texts of marks, beside their lines: people's notes first, then recordings, and of
 * each the newest first.
 * @param {{ text: string, kind: string, time: number, place: number }[]} marks
 * @param {{ left: number, right: number, gap: number }} room the ends of the plot, and the least distance between texts.
 * @param {(text: string) => number} widthOf
 * @returns {{ text: string, from: number, to: number }[]}
 */
export function placedLabels(marks, { left, right, gap }, widthOf) {
  const rank = ({ kind }) => (kind === "user" ? 0 : kind === "recording" ? 1 : 2);
  const labels = [];
  for (const { text, place } of [...marks].sort((one, other) => rank(one) - rank(other) || other.time - one.time)) {
    const width = widthOf(text);
    const start = [place + gap, place - gap - width].find(
      (from) => from >= left && from + width <= right && labels.every((label) => from > label.to + gap || from + width < label.from - gap),
    );
    if (start !== undefined) labels.push({ text, from: start, to: start + width });
  }
  return labels;
}

/** How far apart the readings are while nobody watches, in milliseconds: a minute, and what a late one may add. */
const unwatchedPeriods = [45_000, 90_000];

/** The spans of time in which single readings are about a minute apart. */
export function unwatchedSpans(runs, end) {
  const spans = [];
  for (const [index, run] of runs.entries()) {
    const next = runs[index + 1]?.[0].time ?? end;
    const gap = next - run.at(-1).time;
    if (gap < unwatchedPeriods[0] || gap > unwatchedPeriods[1]) continue;
    // A camera that was away for a minute has many readings before and after it.
    if (run.length > 1 && runs[index + 1]?.length !== 1) continue;
    if (spans.at(-1)?.[1] === run[0].time) spans.at(-1)[1] = next;
    else spans.push([run.at(-1).time, next]);
  }
  return spans;
}

/** The points of the series, split at the gaps. */
export function splitAtGaps(series) {
  const runs = [];
  for (const [index, point] of series.points.entries()) {
    if (index === 0 || series.isGap(series.points[index - 1], point)) runs.push([]);
    runs.at(-1).push(point);
  }
  return runs;
}
