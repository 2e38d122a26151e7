/**
 * Everything on the dashboard that the first reading does not need.
 *
 * Each module follows the store by itself, and needs only to be imported. They are imported here, in one place, so that
 * they become one file when the program is built.
 */

import "./scene.js";
import "./settings.js";
import "./hold.js";
import "./quality.js";
import "./samples.js";
import "./targets.js";
import "./teach-in.js";
import "./probes.js";
import "./statistics.js";
import "./notation.js";
import "./panels.js";
import "./cameras.js";
import "./controls.js";
import "./views.js";
import "./browser-tab.js";
import "./history.js";
import "./palette.js";
import "./recording.js";
