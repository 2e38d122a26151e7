/** What a page says of a reading: its state, its grade and what to do about it, its colour in figures, and times. */

/** Stands for a figure that is not known. */
export const none = "–";

/** The label of each `state` of a reading. The server has the same ones (`Reading.State.label`), which a unit test compares. */
export const stateLabels = {
  "live": "Live",
  "test-pattern": "Test pattern",
  "starting": "Starting",
  "no-camera": "No camera",
  "denied": "No permission",
  "busy": "Camera in use",
  "no-signal": "No signal",
  "lost": "Camera lost",
  "unsupported": "Format not supported",
  "failed": "Camera failed",
};

export const gradeLabels = { good: "Good", fair: "Fair", poor: "Poor" };

/** The rate from which the noise is known within a minute, in readings a second: it takes eight. */
const minRate = 8 / 60;

/** The grade of a reading as it is shown: empty if there is none, and while it would be good but its noise is not known yet. */
export function shownGrade(reading) {
  const grade = reading?.quality?.grade ?? "";
  return grade === "good" && !reading.noise && reading.rate?.wanted >= minRate ? "" : grade;
}

/** The most characters of advice that fit in two lines. Longer ones are shortened to their first clause. */
const maxAdvice = 100;

/** What to do about the first doubt, or that there is none. */
export function advice({ flags, settled }, isHeld) {
  const first = flags[0]?.message ?? "";
  const prefix = isHeld ? "When held: " : "";
  const isLong = prefix.length + first.length > maxAdvice;
  const message = isLong ? `${first.slice(0, maxAdvice).split(/[:;.] /)[0]}.` : first;
  if (message) return prefix ? `${prefix}${message[0].toLowerCase()}${message.slice(1)}` : message;
  if (isHeld) return "Held. Samples are taken from the live colour.";
  return { true: "Steady. Nothing to improve.", false: "Not steady yet.", unknown: "Measuring…" }[settled] ?? "";
}

/** The notations of the colour of a reading, by name: the options of the list in `readout.mustache`. */
export function notations({ hex, rgb, color }) {
  const { hsl, hwb, lab, lch, oklab, oklch } = color?.css ?? {};
  return { hex, rgb: `rgb(${rgb.r} ${rgb.g} ${rgb.b})`, hsl, hwb, lab, lch, oklab, oklch };
}

/**
 * How the figures of each notation are shown: `digits`, the most characters, for which there is room, so that nothing moves when
 * they change; and `decimals`, of each figure, if the notation's CSS omits trailing zeros. The angle of a hue has one.
 * @type {Record<string, { digits: number, decimals?: number[] }>}
 */
export const figureFormats = {
  hex: { digits: 7 },
  rgb: { digits: 11 },
  hsl: { digits: 17, decimals: [1, 1, 1] },
  hwb: { digits: 17, decimals: [1, 1, 1] },
  lab: { digits: 17, decimals: [1, 1, 1] },
  lch: { digits: 16, decimals: [1, 1, 1] },
  oklab: { digits: 19, decimals: [3, 3, 3] },
  oklch: { digits: 17, decimals: [3, 3, 1] },
};

/** The figures of a notation without its name, which stands beside them, and always with the same number of decimals. */
export function figuresOf(notation) {
  const [, name, figures] = notation.match(/^(\w+)\((.*)\)$/) ?? [];
  const decimals = figureFormats[name]?.decimals;
  if (!decimals) return figures ?? notation;
  let index = 0;
  // There is no room for the decimal of 100 %, and a hue may be "none".
  return withMinus(figures.replace(/-?\d+(\.\d+)?/g, (figure) => (figure === "100" ? figure : Number(figure).toFixed(decimals[index++]))));
}

/** A text that has no more than some characters: of a longer one, its beginning. */
export function abridged(text, most) {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join("").trimEnd()}…` : text;
}

/** A figure with a minus sign as wide as a plus, instead of a hyphen. */
export function withMinus(text) {
  return text.replaceAll("-", "−");
}

/** A number with some decimals. From 100 on it has one fewer, so that it needs no more room. */
export function fitted(value, decimals) {
  const text = value.toFixed(decimals);
  return Math.abs(Number(text)) < 100 ? text : value.toFixed(decimals - 1);
}

/** The time of day, such as 12:04:31. */
export function clockTime(date) {
  return date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
}

/** A day and the time of day, as short as the language allows. */
export function dateAndTime(time) {
  return new Date(time).toLocaleString([], { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
}

export function isToday(date) {
  return date.toDateString() === new Date().toDateString();
}

/** The time since a moment as on a clock, such as 00:12:41. */
export function elapsed(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

/** A time span, such as 1 h 20 min. */
export function duration(seconds) {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
