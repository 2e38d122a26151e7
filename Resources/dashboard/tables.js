/** The tables to download, and the program that they are for, which decides their separator, decimal point and byte order mark. */

import { saveFile } from "../lib/download.js";
import { element } from "../lib/elements.js";
import { Preference } from "../lib/preference.js";
import { toast } from "./messages.js";

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

/**
 * Downloads what a link leads to, closes the menu that the link is in, and says what the file is called.
 * @param {HTMLAnchorElement} link
 */
export async function download(link) {
  /** @type {any} */ (link.closest("[popover]"))?.hidePopover();
  try {
    const response = await fetch(link.href);
    if (!response.ok) throw new Error((await response.json()).error.message);
    const name = fileName(response.headers.get("Content-Disposition") ?? "");
    saveFile(await response.blob(), name);
    toast(`Downloaded ${name}`);
  } catch (problem) {
    toast(`The table could not be downloaded: ${problem.message}`);
  }
}

/** The name in a `Content-Disposition`, of which `filename*` may have letters beyond ASCII (RFC 6266). */
function fileName(header) {
  const encoded = header.match(/filename\*=UTF-8''([^;]+)/)?.[1];
  return encoded ? decodeURIComponent(encoded) : (header.match(/filename="([^"]+)"/)?.[1] ?? "table");
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("a[download]");
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  download(link);
});

for (const list of lists) {
  list.value = format;
  list.addEventListener("change", () => {
    format = list.value;
    preference.write(format);
    for (const other of lists) other.value = format;
    for (const [id, path] of paths) linkTable(id, path);
  });
}
linkTable("samples-csv", "samples.csv");
linkTable("recording-csv", "history.csv?recording=1");
linkTable("recording-so-far", "history.csv?recording=1");
