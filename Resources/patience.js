/** No reading is waited for longer than this many of its periods, nor less than `leastPatience` milliseconds. */
const periods = 3;
export const leastPatience = 2_000;
/** A connection is given up after this much silence, in milliseconds. */
const leastSilence = 10_000;
/** `readings.rate` is at least 0.1: a measured rate below that is a measurement that has only begun. */
const longestPeriod = 10_000;

/**
 * How long to wait for the next reading, in milliseconds. The rate may change while the page is open, and takes a while
 * to be reached: the slower one is believed.
 * @param {{ wanted: number, reading: number }} rate of a reading.
 */
export function patienceWith({ wanted, reading }) {
  const rates = [wanted, reading].filter((rate) => rate > 0);
  const period = Math.min(longestPeriod, 1_000 / Math.min(...rates));
  return Math.max(leastPatience, periods * period);
}

/** How long a connection may be silent, in milliseconds, on which readings are waited for with such patience. */
export function silenceLimit(patience) {
  return Math.max(leastSilence, patience + leastPatience);
}
