import { element } from "./element.js";

const section = element("notices");
let shown = null;

/**
 * Shows the notices of a reading: results of edits of the configuration, settings that the camera did not accept.
 * @param {{ topic: string, message: string }[]} notices
 */
export function showNotices(notices = []) {
  // Every reading has them. Screen readers announce them again whenever the elements change.
  const key = JSON.stringify(notices);
  if (key === shown) return;
  shown = key;
  section.replaceChildren(...notices.map(({ topic, message }) => {
    const line = document.createElement("p");
    line.dataset.topic = topic;
    line.textContent = message;
    return line;
  }));
}
