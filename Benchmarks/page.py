"""Measures what the dashboard costs a browser, compared with the smallest page that shows a reading: make bench-page

    page.py [--minutes 1] [--program NAME=PATH]...

Each program serves its test pattern, and a headless Chromium shows its page at 1280x800. The rival is a page of a few
lines in the same browser, with the same readings and the same picture; it writes each hex into one element.
Processor time is the browser's own account of its main thread (Performance.getMetrics). The slow link has 50 kbit/s
and a latency of 100 ms.
"""

import argparse
import base64
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "Tests"))

from Harness import program
from Harness.chromium import chromium, set_size
from Harness.relay import relaying
from Harness.server import Server, running
from Harness.waiting import wait_until
from selenium.common.exceptions import TimeoutException

SETTLE = 5  # seconds before a measurement, in which the page and its connections settle
LOADS = 9
WINDOWS = 12
SLOW_LINK = {"offline": False, "latency": 100, "downloadThroughput": 50_000 / 8, "uploadThroughput": 50_000 / 8}
FAST_LINK = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}

# Counts the readings that a page shows, and notes when it showed the first one that came over its own connection.
WATCH = """
(() => {
  const Plain = WebSocket;
  window.shown = { readings: 0, first: null, sockets: 0 };
  window.WebSocket = class extends Plain {
    constructor(url, protocols) {
      super(url, protocols);
      shown.sockets++;
      if (!String(url).endsWith("/ws")) return;
      this.addEventListener("message", () => {
        // After the page's own handler, which it adds later.
        queueMicrotask(() => {
          shown.readings++;
          shown.first ??= performance.now();
        });
      });
    }
  };
})();
"""

PLAIN_PAGE = """
<!DOCTYPE html><title>Plain</title><p id="hex"></p><img src="/stream.mjpg">
<script>
const hex = document.getElementById("hex");
new WebSocket(`ws://${location.host}/ws`).onmessage = ({ data }) => {
  hex.textContent = JSON.parse(data).hex;
};
</script>
"""


def metrics(driver) -> dict[str, float]:
    return {
        metric["name"]: metric["value"] for metric in driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    }


def readings(driver) -> int:
    return driver.execute_script("return shown.readings")


def wait_for_readings(driver, count: int = 1) -> None:
    wait_until(lambda: readings(driver), "the page shows no reading", holds=lambda seen: seen >= count)


def measured(driver, seconds: float) -> dict[str, float]:
    """What the main thread does while a page is open, per reading and per second."""
    time.sleep(SETTLE)
    driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    first, shown, began = metrics(driver), readings(driver), time.monotonic()
    time.sleep(seconds)
    took, count, last = time.monotonic() - began, readings(driver) - shown, metrics(driver)
    driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    return {
        "main thread, ms a reading": 1000 * (last["TaskDuration"] - first["TaskDuration"]) / count,
        "script, ms a reading": 1000 * (last["ScriptDuration"] - first["ScriptDuration"]) / count,
        "style recalculations a reading": (last["RecalcStyleCount"] - first["RecalcStyleCount"]) / count,
        "layouts a second": (last["LayoutCount"] - first["LayoutCount"]) / took,
        "readings a second": count / took,
        "heap at the end, KiB more than at the start": (metrics(driver)["JSHeapUsedSize"] - first["JSHeapUsedSize"])
        / 1024,
    }


def loaded(driver, url: str) -> dict[str, float]:
    """What a fresh visit requests and receives until the WebSocket's first reading, and when that comes, as medians."""
    visits = []
    for _ in range(LOADS):
        driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        driver.get("about:blank")
        driver.get_log("performance")
        driver.get(url)
        wait_for_readings(driver)
        time.sleep(1)
        events = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]

        ours = {
            request["requestId"]
            for request in until_live(events, "Network.requestWillBeSent")
            if request["request"]["url"].startswith(url)
        }
        visits.append(
            {
                "requests, with the WebSocket, until live": len(ours) + 1,
                "KB received until live": sum(
                    entry["encodedDataLength"]
                    for entry in until_live(events, "Network.loadingFinished")
                    if entry["requestId"] in ours
                )
                / 1000,
                "first reading, ms": driver.execute_script("return shown.first"),
            }
        )
    return {key: statistics.median(visit[key] for visit in visits) for key in visits[0]}


def requests_in_all(driver, server: Server) -> int:
    """The requests of a first visit until everything has settled, with those of WebSockets and of workers."""
    with relaying(server) as relay:
        driver.get(relay.url)
        wait_for_readings(driver)
        time.sleep(SETTLE)
        driver.get("about:blank")
        return len(relay.paths)


def until_live(events: list[dict], method: str) -> list[dict]:
    """The events of a kind before the page's first message over a WebSocket."""
    live = min(event["params"]["timestamp"] for event in events if event["method"] == "Network.webSocketFrameReceived")
    of_kind = [event["params"] for event in events if event["method"] == method]
    return [event for event in of_kind if event["timestamp"] <= live]


def seconds_on_slow_link(driver, url: str) -> float:
    driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    driver.get("about:blank")
    driver.execute_cdp_cmd("Network.emulateNetworkConditions", SLOW_LINK)
    try:
        driver.get(url)
        wait_for_readings(driver)
        return driver.execute_script("return shown.first") / 1000
    finally:
        driver.execute_cdp_cmd("Network.emulateNetworkConditions", FAST_LINK)


def live_windows(driver, url: str) -> int:
    """How many windows of the same browser show new readings, ten seconds after the last one was opened."""
    original = driver.current_window_handle
    driver.get("about:blank")
    windows = []
    try:
        for _ in range(WINDOWS):
            driver.switch_to.new_window("window")
            windows.append(driver.current_window_handle)
            driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
            driver.set_page_load_timeout(5)
            try:
                driver.get(url)
            except TimeoutException:
                print(f"    window {len(windows)} does not finish loading", file=sys.stderr)
        time.sleep(10)
        live = 0
        for window in windows:
            driver.switch_to.window(window)
            before = driver.execute_script("return window.shown?.readings ?? 0")
            time.sleep(1)
            live += driver.execute_script("return window.shown?.readings ?? 0") > before
        return live
    finally:
        for window in windows:
            driver.switch_to.window(window)
            driver.close()
        driver.switch_to.window(original)
        driver.set_page_load_timeout(300)


def show_plain_page(driver, url: str) -> None:
    """Opens the rival on the server's own origin, from which it may open WebSockets."""
    driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
    driver.get(f"{url}healthz")
    text = base64.b64encode(PLAIN_PAGE.encode()).decode()
    driver.execute_script(f'document.open(); document.write(atob("{text}")); document.close();')
    wait_for_readings(driver)


def measure(path: str, seconds: float) -> dict[str, dict[str, float]]:
    program.PROGRAM[:] = [path]
    with tempfile.TemporaryDirectory() as folder, running(pathlib.Path(folder)) as server:
        driver = chromium(performance_log=True, is_whole=True)
        try:
            set_size(driver, 1280, 800)
            driver.execute_cdp_cmd("Network.enable", {})
            # Processor time, which other programs on this machine do not change.
            driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
            driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
            page = loaded(driver, server.url)
            page["requests in all"] = requests_in_all(driver, server)
            driver.get(server.url)
            wait_for_readings(driver)
            page |= measured(driver, seconds)
            driver.execute_script("document.getElementById('statistics-tab')?.click()")
            with_statistics = measured(driver, min(seconds, 60))
            page["slow link, s to the first reading"] = seconds_on_slow_link(driver, server.url)
            page[f"of {WINDOWS} windows live"] = live_windows(driver, server.url)
            show_plain_page(driver, server.url)
            return {"page": page, "statistics": with_statistics, "plain": measured(driver, min(seconds, 60))}
        finally:
            driver.quit()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--program", action="append", metavar="NAME=PATH", help="several are compared")
    arguments = parser.parse_args()
    programs = dict(entry.split("=", 1) for entry in arguments.program or [f"swatchcam={program.PROGRAM[0]}"])
    columns: dict[str, dict[str, float]] = {}
    for name, path in programs.items():
        print(f"{name}: {arguments.minutes:g} min and a bit more ...", file=sys.stderr, flush=True)
        results = measure(os.path.abspath(path), 60 * arguments.minutes)
        columns[name] = results["page"]
        columns[f"{name}, statistics open"] = results["statistics"]
        columns["the smallest page"] = results["plain"]
    columns["the smallest page"] = columns.pop("the smallest page")
    print(f"| | {' | '.join(columns)} |")
    print(f"|---|{'--:|' * len(columns)}")
    for key in next(iter(columns.values())):
        cells = [f"{column[key]:.1f}" if key in column else "" for column in columns.values()]
        print(f"| {key} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
