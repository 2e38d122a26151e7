/** The gains that make a white or grey card grey. */

/** The greatest gain that camera.white_gains takes. */
const maxGain = 16;

/**
 * Returns the gains of red, green and blue that make the colour of a reading grey. The least of them is 1, so that a
 * saturated channel stays saturated.
 * @param {any} reading
 * @param {number[]} present the gains that the reading has already.
 * @throws {Error} with a sentence for the user if the colour is too dark, clipped or too far from grey.
 */
export function whiteGains({ linear, statistics }, present) {
  const light = ["r", "g", "b"].map((channel, index) => (linear?.[channel] ?? 0) / present[index]);
  if (Object.values(statistics?.clipped?.high ?? {}).some((share) => share > 0)) {
    throw new Error("The area is clipped. Set the exposure first.");
  }
  if (Math.max(...light.map((value, index) => value * present[index])) < 0.05) {
    throw new Error("The area is too dark. Set the exposure first.");
  }
  const gains = light.map((value) => Math.max(...light) / value);
  if (gains.some((gain) => !(gain <= maxGain))) throw new Error("The area is too colourful to be a white or grey card.");
  return gains.map((gain) => Number(gain.toFixed(4)));
}
