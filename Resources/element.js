/**
 * An element of the page.
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [type] its class, if a property of that class is needed.
 * @returns {T}
 * @throws {Error} if the page, whose template a user may have changed, lacks the element.
 */
export function element(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof (type ?? Element))) throw new Error(`The template has no ${type?.name ?? "element"} "${id}"`);
  return /** @type {any} */ (found);
}
