/** The tables to download, and the program that they are for, which decides their separator, decimal point and byte order mark. */

import { element } from "./elements.js";
import { Preference } from "./preference.js";

/** The parameters for each program. Excel expects the separator and the decimal point of the system. */
const formats = { programs: "", excel: "bom=1", "excel-comma": "separator=%3B&decimal=%2C&bom=1" };
const preference = new Preference("table-format");
const lists = /** @type {HTMLSelectElement[]} */ ([...document.querySelectorAll("select.table-format")]);
/** The paths of the links to tables, without the parameters of the format, by the id of the link. */
const paths = new Map();
let format = preference.read("programs");
if (formats[format] === undefined) format = "programs";

/** Lets a link lead to a table in the chosen format. */
export function linkTable(id, path) {
  paths.set(id, path);
  const parameters = formats[format];
  element(id, HTMLAnchorElement).href = parameters ? `${path}${path.includes("?") ? "&" : "?"}${parameters}` : path;
}

for (const list of lists) {
  list.value = format;
  list.addEventListener("change", () => {
    format = list.value;
    preference.write(format);
    for (const other of lists) other.value = format;
    for (const [id, path] of paths) linkTable(id, path);
  });
}
linkTable("samples-csv", "/samples.csv");
linkTable("recording-csv", "/history.csv?recording=1");
linkTable("recording-so-far", "/history.csv?recording=1");
