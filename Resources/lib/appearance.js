/** Light or dark pages: as the system has them, or as the user has chosen on the dashboard. */

import { Preference } from "./preference.js";

export const appearance = new Preference("appearance");

/** Gives the page the appearance that was chosen. */
export function adoptAppearance() {
  const chosen = appearance.read("");
  if (chosen) document.documentElement.dataset.appearance = chosen;
  else delete document.documentElement.dataset.appearance;
}

adoptAppearance();
