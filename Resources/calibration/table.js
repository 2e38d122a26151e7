/** The table of the patches: how they should look, how the camera sees them, and how far that differs. */

import { labText } from "../lib/colors.js";
import { element, make, makeChip } from "../lib/elements.js";
import { css, defect, meanOf, steps } from "./steps.js";

/**
 * Shows the patches of a plan, or else those of the chart of a calibration.
 * @param {(index: number) => void} goTo asks for another step.
 */
export function showPatches(plan, chart, goTo) {
  const isShown = plan ? plan.measured.length > 0 : Boolean(chart);
  element("result").hidden = !isShown;
  element("how").hidden = isShown;
  element("verdict").textContent = plan || !chart ? "" : verdict(chart);
  element("measured-heading").textContent = plan ? "Camera" : "Calibrated";
  const rows = plan
    ? steps(plan).flatMap((step, index) => rowsOf(plan, step, index, goTo))
    : (chart?.patches ?? []).map(({ name, reference, after, deltaEBefore, deltaEAfter, deltaELeftOut, reason }) =>
        row(name, labText(reference), labText(after), reason, [deltaEBefore, deltaEAfter, deltaELeftOut]),
      );
  element("rows").replaceChildren(...rows);
}

function verdict({ before, after, leaveOneOut, unevenLight }) {
  const text = `Mean ΔE ${before.mean.toFixed(1)} before, ${after.mean.toFixed(1)} after; greatest ${after.maximum.toFixed(1)}. Other colours: expect ${leaveOneOut.mean.toFixed(1)}.`;
  return unevenLight ? `${text} The light varies by ${Math.round(100 * unevenLight)} % over the chart: measure a white sheet first, or the patches one after another in one place.` : text;
}

/** Makes the rows of a step. The name in a row is a button that returns to the step. */
function rowsOf({ measured: all, chart, index: present }, step, index, goTo) {
  const measured = all[index];
  const named = (name) => {
    const button = make("button", { text: name });
    button.type = "button";
    button.addEventListener("click", () => goTo(index));
    return button;
  };
  const rows =
    step.kind === "chart" && measured
      ? chart.patches.map(({ name, hex }, patch) => row(named(name), hex, css(measured[patch].linear), defect(measured[patch])))
      : [row(named(step.name), step.patch?.hex, measured && css(meanOf(measured)))];
  if (index === present) for (const line of rows) line.setAttribute("aria-current", "step");
  return rows;
}

/** Makes a row of the table of patches. */
function row(name, wanted, measured, reason = "", figures = []) {
  const line = make("tr");
  const title = make("td");
  title.append(name);
  if (reason) title.append(make("span", { className: "hint", text: `Not used: ${reason}.` }));
  const numbers = [0, 1, 2].map((column) => make("td", { text: figures[column]?.toFixed(1) }));
  line.append(title, ...[wanted, measured].map(chip), ...numbers);
  return line;
}

function chip(color) {
  const cell = make("td");
  if (!color) return cell;
  cell.append(makeChip(color, ""));
  return cell;
}
