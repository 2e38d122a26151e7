/** Light or dark pages: as the system has them, or as the user has chosen on the dashboard. Every page begins with this script. */

import { Preference } from "./preference.js";

export const appearance = new Preference("appearance");

/** Gives the page the appearance that was chosen. */
export function adoptAppearance() {
  const chosen = appearance.read("");
  if (chosen) document.documentElement.dataset.appearance = chosen;
  else delete document.documentElement.dataset.appearance;
}

adoptAppearance();
// Pages that are open in other tabs follow the choice.
addEventListener("storage", adoptAppearance);
