/** Colours as their channels, as text, and the text that can be read on them. */

/** Red, green and blue of a colour such as #C8102E. */
export function channelsOf(hex) {
  return [1, 3, 5].map((index) => parseInt(hex.slice(index, index + 2), 16));
}

/** The text of a colour, such as #C8102E, of red, green and blue from 0 to 255. */
export function hexOf(channels) {
  return `#${channels.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`.toUpperCase();
}

/** Red, green and blue of a colour such as #C8102E as light, 0...1: decoded by the function of sRGB (IEC 61966-2-1). */
export function linearOf(hex) {
  return channelsOf(hex).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

/** The text of a colour of CIELAB in CSS. */
export function labText({ l, a, b }) {
  return `lab(${l} ${a} ${b})`;
}

/** Black or white, whichever can be read better on a colour: by its relative luminance (WCAG 2.2). */
export function textColorOn(hex) {
  const [r, g, b] = linearOf(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000000" : "#FFFFFF";
}
