/**
 * Everything on the dashboard that the first reading does not need.
 *
 * Each module follows the state by itself, and needs only to be imported. They are imported here, in one place, so that
 * they become one file when the program is built.
 */

import "./picture/pictures.js";
import "./controls/settings.js";
import "./readout/held-color.js";
import "./readout/quality.js";
import "./samples/samples.js";
import "./targets/targets.js";
import "./targets/teach-in.js";
import "./probes/probes.js";
import "./scales/scales.js";
import "./scales/form.js";
import "./statistics/statistics.js";
import "./readout/notation.js";
import "./panels.js";
import "./controls/cameras.js";
import "./controls/controls.js";
import "./views.js";
import "./browser-tab.js";
import "./history/history.js";
import "./samples/palette.js";
import "./history/recording.js";
