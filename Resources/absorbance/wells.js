/** What is in the places that are measured: a blank, a standard of known concentration, or an unknown. */

/**
 * @typedef {object} Mark
 * @property {"blank" | "standard" | "unknown"} role
 * @property {string} amount the concentration of a standard, as it was typed.
 */

/** The words for what is in a place. */
const words = { blank: ["blank", "water", "b"], standard: ["standard", "std"], unknown: ["unknown", "sample", "u", "?", ""] };

/** A concentration as a spreadsheet writes it, with a point or a comma, as an input takes it; null if the text is none. */
function amountIn(text) {
  const plain = text.replace(",", ".");
  return /^\d*\.?\d+(e[+-]?\d+)?$/i.test(plain) && Number(plain) <= 1e12 ? String(Number(plain)) : null;
}

/** What a cell and the one after it say of a place; null if they say nothing. A concentration of 0 is that of the blank. */
function markIn(cell, next = "") {
  const [role] = Object.entries(words).find(([, found]) => found.includes(cell.toLowerCase())) ?? [];
  const amount = amountIn(role === "standard" ? next : cell);
  if (amount !== null) return Number(amount) === 0 ? { role: "blank", amount: "" } : { role: "standard", amount };
  return role ? { role, amount: "" } : null;
}

/**
 * Reads rows of a spreadsheet: the name of a place or its number, from 1, a tab, and what is in it. A row of one cell is for the
 * place in its order. The first row may be a heading.
 * @param {string} text
 * @param {string[]} names those of the places.
 * @returns {{ marks: Map<number, Mark>, problems: string[] }} what is in each place that a row names, by its index; a sentence for
 *   each row that is not understood.
 */
export function parseRows(text, names) {
  const marks = new Map();
  const problems = [];
  const indexOf = (name) => names.findIndex((one) => one.toLowerCase() === name.toLowerCase());
  const markOf = (cells) => (cells.length > 1 ? markIn(cells[1], cells[2]) : markIn(cells[0]));
  const rows = text.trimEnd().split(/\r?\n/).map((line) => line.split("\t").map((cell) => cell.trim()));
  if (!markOf(rows[0]) && (rows[0].length === 1 || indexOf(rows[0][0]) < 0)) rows.shift();
  for (const [row, cells] of rows.entries()) {
    const mark = markOf(cells);
    const name = cells.length > 1 ? cells[0] : String(row + 1);
    const index = cells.length > 1 && indexOf(name) >= 0 ? indexOf(name) : /^\d+$/.test(name) ? Number(name) - 1 : -1;
    if (!mark) problems.push(`“${cells[1] ?? cells[0]}” is neither a word nor a concentration.`);
    else if (names[index] === undefined) problems.push(`There is no place “${name}”.`);
    else marks.set(index, mark);
  }
  return { marks, problems };
}

/** Reads what is remembered of the places; nothing if it was written by another version. */
export function recalled(text) {
  try {
    const entries = JSON.parse(text);
    return new Map(entries.filter(([name, { role, amount }]) => typeof name === "string" && typeof amount === "string" && ["blank", "standard", "unknown"].includes(role)));
  } catch {
    return new Map();
  }
}
