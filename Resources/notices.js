const section = document.getElementById("notices");
let shown = null;

/**
 * Shows what else there is to know: what became of an edit of the configuration, what the camera gives in place of what
 * it was asked for.
 * @param {{ topic: string, message: string }[]} notices as readings have them.
 */
export function showNotices(notices = []) {
  // They come with every reading, and are read out when they change.
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
