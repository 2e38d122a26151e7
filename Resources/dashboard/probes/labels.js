/** Where the names of the probes stand on the picture, so that none covers another. */

/**
 * Places labels above their frames, or below them where there is no room. One that has none there either is left out.
 * @typedef {{ left: number, top: number, width: number, height: number }} Box
 * @param {Box[]} frames
 * @param {{ width: number, height: number }[]} labels their sizes, in the order of the frames.
 * @param {{ width: number, height: number }} picture
 * @returns {(Box | null)[]} the place of each label, on the picture.
 */
export function placeLabels(frames, labels, picture) {
  /** @type {Box[]} */
  const taken = [];
  return frames.map((frame, index) => {
    const { width, height } = labels[index];
    if (width > picture.width) return null;
    const left = Math.max(0, Math.min(frame.left, picture.width - width));
    const place = [frame.top - height, frame.top + frame.height]
      .map((top) => ({ left, top, width, height }))
      .find((box) => box.top >= 0 && box.top + height <= picture.height && !taken.some((other) => areOverlapping(box, other)));
    if (place) taken.push(place);
    return place ?? null;
  });
}

function areOverlapping(one, other) {
  return one.left < other.left + other.width && other.left < one.left + one.width
    && one.top < other.top + other.height && other.top < one.top + one.height;
}
