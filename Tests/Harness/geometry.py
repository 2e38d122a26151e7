"""The legibility of a page by its geometry: no text may be cut, covered, broken within a word, or outside the page."""

from selenium import webdriver

SIZES = [
    (320, 568),
    (390, 844),
    (740, 360),
    (800, 480),
    (800, 600),
    (1024, 768),
    (1280, 800),
    (1366, 768),
    (1920, 1080),
    (3840, 2160),
]
"""Screens on which the pages must work, from a small phone to a 4K monitor."""

LEGIBILITY_SCRIPT = """
const slack = 1.5;  // CSS pixels: glyphs and lines are rounded
// Sentences and their kinds.
const problems = new Map();
const name = (element) =>
  `${element.localName}${element.id ? "#" + element.id : ""}${
    typeof element.className === "string" && element.className ? "." + element.className.split(" ")[0] : ""}`;
const inner = (element) => {
  const box = element.getBoundingClientRect();
  const left = box.left + element.clientLeft;
  const top = box.top + element.clientTop;
  return { left, top, right: left + element.clientWidth, bottom: top + element.clientHeight };
};
// For screen readers only.
const isHidden = (element) => {
  for (let ancestor = element; ancestor; ancestor = ancestor.parentElement) {
    if (getComputedStyle(ancestor).clipPath === "inset(50%)") return true;
  }
  return false;
};
const texts = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode;
  const parent = node.parentElement;
  if (!node.data.trim() || parent.closest("script, style, noscript, select, option, svg, textarea")) continue;
  if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
  if (isHidden(parent)) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  for (const box of range.getClientRects()) {
    if (box.width > 0.5 && box.height > 0.5) texts.push({ node, parent, box, text: node.data.trim().slice(0, 40) });
  }
}
// Broken: a number, or a word that is not too wide for this screen, goes on in another line.
const widestWord = 0.3 * innerWidth;
for (const { node, parent } of new Map(texts.map((text) => [text.node, text])).values()) {
  for (const { 0: word, index } of node.data.matchAll(/(?:(?<!\\d)[+−-])?\\d[\\d.,:]*|\\p{L}+/gu)) {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const boxes = [...range.getClientRects()].filter(({ width }) => width > 0.5);
    const isWide = boxes.reduce((sum, { width }) => sum + width, 0) > widestWord;
    if (!isWide && new Set(boxes.map(({ top }) => Math.round(top))).size > 1) problems.set(`${name(parent)} breaks "${word}"`, "broken");
  }
}
const boxes = [...document.querySelectorAll("button, select, input, meter, a")].filter((element) =>
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !isHidden(element));

const root = document.scrollingElement;
if (root.scrollWidth > root.clientWidth + 1) {
  problems.set(`the page scrolls sideways: ${root.scrollWidth} of ${root.clientWidth} px`, "cut");
}
// Cut: by an ancestor that hides what overflows, or by the page's edge.
const checkCut = (element, box, text) => {
  if (box.left + scrollX < -slack || box.right > root.clientWidth + slack || box.top + scrollY < -slack) {
    problems.set(`${name(element)} "${text}" is outside the page`, "cut");
  }
  for (let ancestor = element; ancestor && ancestor !== document.body; ancestor = ancestor.parentElement) {
    const { overflowX, overflowY, display, position } = getComputedStyle(ancestor);
    if (display === "inline" || display === "contents") continue;
    const limits = inner(ancestor);
    const hides = (overflow) => overflow === "hidden" || overflow === "clip";
    if (hides(overflowX) && (box.left < limits.left - slack || box.right > limits.right + slack)) {
      problems.set(`${name(element)} "${text}" is cut at the side by ${name(ancestor)}`, "cut");
    }
    if (hides(overflowY) && (box.top < limits.top - slack - box.height * 0.2 || box.bottom > limits.bottom + slack + box.height * 0.2)) {
      problems.set(`${name(element)} "${text}" is cut above or below by ${name(ancestor)}`, "cut");
    }
    if (overflowX === "auto" || overflowX === "scroll" || position === "fixed") break;
  }
};
for (const { parent, box, text } of texts) checkCut(parent, box, text);
for (const element of boxes) checkCut(element, element.getBoundingClientRect(), element.id);

// An element that stays in place while the page scrolls beneath it covers nothing permanently, but must leave room.
const staying = [...document.querySelectorAll("*")].filter((element) =>
  ["fixed", "sticky"].includes(getComputedStyle(element).position) &&
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !isHidden(element) && !element.closest(".toast"));
const stays = (element) => staying.some((one) => one.contains(element));
const covered = staying.reduce((sum, element) => sum + element.getBoundingClientRect().height, 0);
if (root.scrollHeight > innerHeight + 1 && covered > innerHeight * 0.4) {
  problems.set(`${staying.map(name)} take more than 40 % of the height`, "crowded");
}
// Covered: two texts overlap, or another element lies on top of a text.
const scroller = (element) => {
  for (let ancestor = element.parentElement; ancestor; ancestor = ancestor.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(ancestor);
    if ([overflowX, overflowY].some((overflow) => overflow === "auto" || overflow === "scroll")) return ancestor;
  }
  return null;
};
for (let first = 0; first < texts.length; first++) {
  for (let second = first + 1; second < texts.length; second++) {
    const [one, other] = [texts[first], texts[second]];
    if (one.node === other.node || scroller(one.parent) !== scroller(other.parent)) continue;
    if (stays(one.parent) !== stays(other.parent)) continue;
    const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
    const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
    // Lines of text may share the blank parts of their boxes.
    if (width > slack && height > slack + 0.3 * Math.min(one.box.height, other.box.height)) {
      problems.set(`${name(one.parent)} "${one.text}" and ${name(other.parent)} "${other.text}" cover each other`, "covered");
    }
  }
}
const blocks = [...boxes, ...document.querySelectorAll(".view, .swatch, .level")].map((element) => [element, element.getBoundingClientRect()]);
for (const [index, [one, a]] of blocks.entries()) {
  for (const [other, b] of blocks.slice(index + 1)) {
    if (one.contains(other) || other.contains(one) || scroller(one) !== scroller(other) || stays(one) !== stays(other)) continue;
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (width > 2 && height > 4) problems.set(`${name(one)} and ${name(other)} cover each other`, "covered");
  }
}
for (const { parent, box, text } of texts) {
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
  // What has been scrolled out of its panel is not seen at all.
  const panel = scroller(parent)?.getBoundingClientRect();
  if (panel && (x < panel.left || y < panel.top || x >= panel.right || y >= panel.bottom)) continue;
  const seen = document.elementsFromPoint(x, y);
  const place = seen.findIndex((element) => element === parent || parent.contains(element) || element.contains(parent));
  // What ignores the pointer is not found. A label may contain a transparent button, which shows nothing of its own.
  if (getComputedStyle(parent).pointerEvents === "none") continue;
  if (place > 0 && !stays(seen[0]) && !seen[0].closest("label")?.contains(parent)) problems.set(`${name(parent)} "${text}" is covered by ${name(seen[0])}`, "covered");
}
return [...problems].map(([sentence, kind]) => [kind, sentence]);
"""


def legibility_problems(driver: webdriver.Chrome, ignored=()) -> list[str]:
    """A sentence for each text or control that is cut, covered, broken, or outside the page; none if all is legible.

    `ignored` are the kinds of problems to leave out: "cut", "covered", "broken" or "crowded".
    """
    return [sentence for kind, sentence in driver.execute_script(LEGIBILITY_SCRIPT) if kind not in ignored]


def set_text_size(driver: webdriver.Chrome, percent: int) -> None:
    """The size of text that a user chooses in the browser's settings."""
    sizes = {"standard": 16 * percent // 100, "fixed": 13 * percent // 100}
    driver.execute_cdp_cmd("Page.setFontSizes", {"fontSizes": sizes})
