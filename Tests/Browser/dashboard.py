"""The dashboard as a test sees it."""

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE = 20
"""Seconds for what takes far less unless something is broken."""

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
  meter: document.getElementById("meter").hidden ? null : document.getElementById("meter").value,
  fill: document.getElementById("color").getAttribute("fill"),
  textColor: getComputedStyle(document.getElementById("hex")).color,
  readoutShown: document.getElementById("hex").checkVisibility(),
  noticeTitle: text("notice-title"),
  noticeMessage: text("notice-message"),
  noticeShown: document.getElementById("notice-title").checkVisibility(),
  lastSeen: document.getElementById("last-seen").checkVisibility() ? text("last-seen-hex") : null,
  readingRate: text("reading-rate"),
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
    time: Date.parse(document.getElementById("time").dateTime) / 1000,
    hex: document.getElementById("hex").textContent,
    fill: document.getElementById("color").getAttribute("fill"),
    textColor: getComputedStyle(document.getElementById("hex")).color,
    boxes: [...document.querySelectorAll(".copy, .channel, .copy-mark, .pill, .bar, .facts div")].map((element) => {
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


class Dashboard:
    def __init__(self, driver):
        self.driver = driver
        driver.set_script_timeout(PATIENCE)

    def snapshot(self) -> dict:
        """All that the page says, at one moment."""
        return self.driver.execute_script(SNAPSHOT)

    def wait_for(self, condition, what: str) -> dict:
        """Waits until `condition` holds of a snapshot, and returns that."""
        last = {}

        def check(_):
            last.update(self.snapshot())
            return condition(last)

        WebDriverWait(self.driver, PATIENCE, poll_frequency=0.05).until(check, f"waited for {what}")
        return last

    def wait_until(self, expression: str) -> None:
        """Waits until a JavaScript expression is true."""
        WebDriverWait(self.driver, PATIENCE, poll_frequency=0.05).until(
            lambda driver: driver.execute_script(f"return {expression}"), f"waited for {expression}"
        )

    def wait_for_state(self, state: str) -> dict:
        return self.wait_for(lambda page: page["state"] == state, f"state {state}")

    def wait_for_readings(self, count: int) -> list[dict]:
        """The next readings that the page shows, as the page shows them."""
        return self.driver.execute_async_script(COLLECT, count)

    def element(self, element_id: str):
        return self.driver.find_element(By.ID, element_id)

    def console(self) -> list[dict]:
        """What the browser has complained of since the last call."""
        return [entry for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
