/** A reading is stale after this many of its periods, but not before `leastStaleness` milliseconds. */
const periods = 3;
export const leastStaleness = 2_000;
/** A connection is given up after this much silence at least, in milliseconds. */
const leastSilence = 10_000;
/** `readings.rate` is at least 0.1. A lower measured rate means that the measurement has only begun. */
const longestPeriod = 10_000;

/**
 * The age at which a reading is stale, in milliseconds.
 *
 * The rate may change while the page is open, and the measured rate follows with a delay: the slower of both counts.
 * @param {{ wanted: number, reading: number }} rate of a reading.
 */
export function stalenessAt({ wanted, reading }) {
  const rates = [wanted, reading].filter((rate) => rate > 0);
  const period = Math.min(longestPeriod, 1_000 / Math.min(...rates));
  return Math.max(leastStaleness, periods * period);
}

/** The longest silence of a connection, in milliseconds, when readings are stale after `staleness`. */
export function silenceLimit(staleness) {
  return Math.max(leastSilence, staleness + leastStaleness);
}
