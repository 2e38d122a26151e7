/**
 * The perceived difference of two sRGB colours: CIEDE2000.
 *
 * G. Sharma, W. Wu, E. N. Dalal, "The CIEDE2000 Color-Difference Formula: Implementation Notes, Supplementary Test Data,
 * and Mathematical Observations", Color Research and Application 30 (2005). A difference of about 1 is just visible
 * side by side.
 */
export function difference(one, two) {
  return ciede2000(lab(one), lab(two));
}

/**
 * CIELAB of an sRGB colour, white point D65 (IEC 61966-2-1; CIE 15:2004, 8.2.1).
 * @param {number[]} rgb 0...255.
 * @returns {[number, number, number]}
 */
export function lab(rgb) {
  const [r, g, b] = rgb.map((value) => {
    const channel = value / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  // From linear sRGB to XYZ (CSS Color 4, 18), each row divided by that of white.
  const x = (0.4123908 * r + 0.3575843 * g + 0.1804808 * b) / 0.9504559;
  const y = 0.212639 * r + 0.7151687 * g + 0.0721923 * b;
  const z = (0.0193308 * r + 0.1191948 * g + 0.9505322 * b) / 1.0890578;
  const [fx, fy, fz] = [x, y, z].map((t) => (t > (6 / 29) ** 3 ? Math.cbrt(t) : (t * (29 / 6) ** 2) / 3 + 4 / 29));
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

/** The difference of two CIELAB colours. Names and order are those of the paper. */
export function ciede2000([L1, a1, b1], [L2, a2, b2]) {
  const meanC = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const G = 0.5 * (1 - Math.sqrt(meanC ** 7 / (meanC ** 7 + 25 ** 7)));
  const [aa1, aa2] = [a1 * (1 + G), a2 * (1 + G)];
  const [C1, C2] = [Math.hypot(aa1, b1), Math.hypot(aa2, b2)];
  const [h1, h2] = [hue(aa1, b1), hue(aa2, b2)];

  const dL = L2 - L1;
  const dC = C2 - C1;
  let dh = C1 * C2 === 0 ? 0 : h2 - h1;
  if (dh > 180) dh -= 360;
  if (dh < -180) dh += 360;
  const dH = 2 * Math.sqrt(C1 * C2) * sin(dh / 2);

  const L = (L1 + L2) / 2;
  const C = (C1 + C2) / 2;
  let h = h1 + h2;
  if (C1 * C2 !== 0) {
    if (Math.abs(h1 - h2) > 180) h += h < 360 ? 360 : -360;
    h /= 2;
  }
  const T = 1 - 0.17 * cos(h - 30) + 0.24 * cos(2 * h) + 0.32 * cos(3 * h + 6) - 0.2 * cos(4 * h - 63);
  const turn = 30 * Math.exp(-(((h - 275) / 25) ** 2));
  const RC = 2 * Math.sqrt(C ** 7 / (C ** 7 + 25 ** 7));
  const SL = 1 + (0.015 * (L - 50) ** 2) / Math.sqrt(20 + (L - 50) ** 2);
  const SC = 1 + 0.045 * C;
  const SH = 1 + 0.015 * C * T;
  const RT = -sin(2 * turn) * RC;
  const [l, c, H] = [dL / SL, dC / SC, dH / SH];
  return Math.sqrt(l * l + c * c + H * H + RT * c * H);
}

function hue(a, b) {
  if (a === 0 && b === 0) return 0;
  const degrees = (Math.atan2(b, a) * 180) / Math.PI;
  return degrees < 0 ? degrees + 360 : degrees;
}

function sin(degrees) {
  return Math.sin((degrees * Math.PI) / 180);
}

function cos(degrees) {
  return Math.cos((degrees * Math.PI) / 180);
}
