/** The labels of states and grades, and times as text. */

/** The label of each `state` of a reading, the same as in the pages that the server renders. */
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

/** The time of day, such as 12:04:31. */
export function clockTime(date) {
  return date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
}

/** A time span, such as 1 h 20 min. */
export function duration(seconds) {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
