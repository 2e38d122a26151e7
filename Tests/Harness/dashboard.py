"""The dashboard as a test sees it."""

from selenium.common.exceptions import JavascriptException, WebDriverException
from selenium.webdriver.common.by import By

from Harness.waiting import stretched, wait_until

SNAPSHOT = """
const text = (id) => document.getElementById(id).textContent;
const dashboard = document.getElementById("dashboard");
return {
  state: dashboard.dataset.state,
  hasColor: dashboard.hasAttribute("data-color"),
  sequence: Number(dashboard.dataset.sequence),
  label: text("state"),
  hex: text("hex"),
  rgb: [text("r"), text("g"), text("b")],
  brightness: text("brightness"),
  level: dashboard.hasAttribute("data-color")
    ? document.getElementById("level").getBoundingClientRect().width / document.querySelector(".level").clientWidth
    : null,
  fill: document.getElementById("color").getAttribute("fill"),
  heldFill: document.getElementById("held-color").getAttribute("fill"),
  notation: text("notation-value"),
  name: text("name"),
  readoutShown: document.getElementById("hex").checkVisibility(),
  noticeTitle: text("notice-title"),
  noticeMessage: text("notice-message"),
  noticeShown: document.getElementById("notice-title").checkVisibility(),
  lastSeen: document.getElementById("last-seen").checkVisibility() ? text("last-seen-hex") : null,
  toast: text("toast"),
  announcement: text("announcer"),
  title: document.title,
  themeColor: document.querySelector("meta[name=theme-color]").content,
};
"""

COLLECT = """
const [count, done] = arguments;
const dashboard = document.getElementById("dashboard");
const seen = [];
const observer = new MutationObserver(() => {
  seen.push({
    sequence: Number(dashboard.dataset.sequence),
    time: Date.parse(dashboard.dataset.time) / 1000,
    hex: document.getElementById("hex").textContent,
    fill: document.getElementById("color").getAttribute("fill"),
    boxes: [...document.querySelectorAll(".bar, .screen, .swatch, .values :is(.value, .hex, .channel, .channel-name, button, .percent, .level)")].map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [element.id || element.className.baseVal || element.className, left, top, width, height].join(" ");
    }),
  });
  if (seen.length === count) {
    observer.disconnect();
    done(seen);
  }
});
observer.observe(dashboard, { attributeFilter: ["data-sequence"] });
"""

# Looks every few milliseconds whether an expression is true, for half a second, because asking anew through the driver
# costs much more. Tests replace the page's timers, but not its tasks.
WAIT = """
(async () => {
  const end = performance.now() + 500;
  while (!(EXPRESSION)) {
    if (performance.now() >= end) return false;
    await scheduler.postTask(() => {}, { delay: 10 });
  }
  return true;
})()
"""


class Dashboard:
    def __init__(self, driver):
        self.driver = driver
        driver.set_script_timeout(stretched())

    def snapshot(self) -> dict:
        """Everything that the page says at one moment."""
        return self.driver.execute_script(SNAPSHOT)

    def wait_for(self, condition, what: str) -> dict:
        """Waits for a snapshot of which `condition` holds, and returns it."""
        return wait_until(self.snapshot, f"the page does not show {what}", holds=condition)

    def wait_until(self, expression: str) -> None:
        """Waits until a JavaScript expression is true."""
        wait_until(lambda: self._becomes(expression), f"not true on the page: {expression}")

    def _becomes(self, expression: str) -> bool:
        """Whether a JavaScript expression is true within half a second."""
        # By DevTools, which say at once when the page is left meanwhile. A script of the driver would wait for its end.
        command = {"expression": WAIT.replace("EXPRESSION", expression), "awaitPromise": True, "returnByValue": True}
        try:
            answer = self.driver.execute_cdp_cmd("Runtime.evaluate", command)
        except WebDriverException as problem:
            if any(word in problem.msg for word in ("navigated", "collected", "context")):
                return False
            raise
        if "exceptionDetails" in answer:
            raise JavascriptException(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"]["value"]

    def wait_until_complete(self) -> None:
        """Waits until everything has loaded, including the modules that load only after the first reading."""
        self.wait_until("'complete' in document.getElementById('dashboard').dataset")

    def wait_for_state(self, state: str) -> dict:
        return self.wait_for(lambda page: page["state"] == state, f"state {state}")

    def wait_for_readings(self, count: int) -> list[dict]:
        """The next readings, as the complete page shows them."""
        self.wait_until_complete()
        return self.driver.execute_async_script(COLLECT, count)

    def wait_for_drawing(self) -> None:
        """Returns when all that was requested before has been drawn."""
        self.driver.execute_async_script(
            "const [done] = arguments; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));"
        )

    def element(self, element_id: str):
        return self.driver.find_element(By.ID, element_id)

    def console(self) -> list[dict]:
        """Warnings and errors that the browser has logged since the last call."""
        return [entry for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
