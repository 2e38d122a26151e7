/** Files that a page makes. */

/** Some browsers read a file only a while after the click, so its address is valid for this long, in milliseconds. */
const lifetime = 60_000;

/**
 * Lets the browser save a file.
 * @param {Blob} content
 * @param {string} name
 */
export function saveFile(content, name) {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(content);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), lifetime);
}
