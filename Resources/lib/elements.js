/** The elements of a page and their text, and the documents that came with it. */

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

/**
 * Makes an element.
 * @param {string} tag
 * @param {{ className?: string, text?: string }} options
 * @returns {any}
 */
export function make(tag, options = {}) {
  const { className, text } = options;
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/**
 * Makes an element of SVG.
 * @param {string} tag
 * @param {Object<string, string | number>} attributes
 */
export function draw(tag, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text) made.textContent = text;
  return made;
}

/**
 * Makes a drawing that a colour fills.
 * @param {string} color the colour; empty if it is set later, on the drawing's only child.
 */
export function makeChip(color = "", className = "chip") {
  const chip = draw("svg", { class: className, "aria-hidden": "true" });
  chip.append(draw("rect", { width: "100%", height: "100%", ...(color && { fill: color }) }));
  return chip;
}

/** Returns a function that sets the text of an element. Text that stays the same costs nothing, and new text only a layout. */
export const textSetter = (id) => textSetterOf(element(id));

/** @param {Element} owner the element whose text is set. */
export function textSetterOf(owner) {
  if (owner.childNodes.length !== 1 || !(owner.firstChild instanceof Text)) owner.replaceChildren(owner.textContent);
  if (!owner.firstChild) owner.append(document.createTextNode(""));
  const node = /** @type {Text} */ (owner.firstChild);
  return (text) => {
    if (node.data !== text) node.data = text;
  };
}

/** Returns a function that sets an attribute of an element. A value that stays the same costs nothing. */
export function attributeSetter(owner, name) {
  return (value) => {
    if (owner.getAttribute(name) !== value) owner.setAttribute(name, value);
  };
}

/** The configured title, or else the name of the program: the end of the page's title, as the server wrote it. */
export function siteName() {
  return document.title.slice(document.title.indexOf(" · ") + 3);
}

/** Shows a text in a new element: one that stays would move with its number of lines, or with what stands before it. */
export function replaceText(id, text) {
  const made = make("span", { text });
  made.id = id;
  element(id).replaceWith(made);
}

/** The JSON document that came with the page in `<script id="…">`; null if there is none. */
export function embedded(id) {
  try {
    return JSON.parse(document.getElementById(id)?.textContent ?? "null");
  } catch {
    return null;
  }
}
