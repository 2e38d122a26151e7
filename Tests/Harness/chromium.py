"""Headless Chromium, and settings made through DevTools."""

import shutil

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

FOLDER = "/usr/lib/chromium"
"""Where Debian has the programs. Its command `chromium-headless-shell` is a script that starts one and waits: when the driver
ends the script, the browser stays, with its pages."""


def installed(*names: str, folder: str = "") -> str:
    """The path of the first of these programs that is installed, in this folder or as a command."""
    for name in names:
        if path := shutil.which(name, path=folder) or shutil.which(name):
            return path
    raise RuntimeError(f"{' or '.join(names)} is not installed: apt-get install chromium chromium-driver")


def chromium(
    width: int = 1280, height: int = 800, performance_log: bool = False, is_whole: bool = False, arguments=()
) -> webdriver.Chrome:
    """Starts Chromium without a screen: the whole browser, or by default its shell, which has the same engine but no
    windows, and takes two thirds of the time.

    `performance_log` keeps DevTools' events for `get_log("performance")`; `arguments` are further ones of the command.
    """
    options = Options()
    if is_whole:
        options.binary_location = installed("chromium", "google-chrome")
    else:
        options.binary_location = installed("chromium-headless-shell", "chromium", "google-chrome", folder=FOLDER)
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        f"--window-size={width},{height}",
        *arguments,
    ):
        options.add_argument(argument)
    options.set_capability(
        "goog:loggingPrefs", {"browser": "ALL"} | ({"performance": "ALL"} if performance_log else {})
    )
    return webdriver.Chrome(options=options, service=Service(installed("chromedriver")))


def set_size(driver: webdriver.Chrome, width: int, height: int) -> None:
    """Makes the page exactly this large, in CSS pixels."""
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
    )


def set_color_scheme(driver: webdriver.Chrome, scheme: str, are_forced: bool = False) -> None:
    """`are_forced` replaces the page's colours by those of the system, as Windows does for high contrast."""
    features = {"prefers-color-scheme": scheme, "forced-colors": "active" if are_forced else "none"}
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": name, "value": value} for name, value in features.items()]},
    )
