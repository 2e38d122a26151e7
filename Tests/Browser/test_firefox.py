"""The pages work in Firefox as well: readings are live, and its console has no error."""

import pytest
from Harness.chromium import installed
from Harness.waiting import stretched, wait_until
from marionette_driver.marionette import Marionette

pytestmark = pytest.mark.slow

# The entries of its console about a page of the server: errors and warnings of scripts, styles and policies.
CONSOLE = """
return Services.console.getMessageArray()
  .map((message) => { try { return message.QueryInterface(Ci.nsIScriptError); } catch { return null; } })
  .filter((message) => message?.sourceName.startsWith(arguments[0]))
  .map(({ sourceName, lineNumber, errorMessage }) => `${sourceName}:${lineNumber}: ${errorMessage}`);
"""


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    log = str(tmp_path_factory.mktemp("firefox") / "gecko.log")
    browser = Marionette(
        bin=installed("firefox-esr", "firefox"), headless=True, startup_timeout=stretched(60), gecko_log=log
    )
    browser.start_session()
    yield browser
    browser.quit()
    browser.cleanup()


def shown(firefox) -> str:
    return firefox.execute_script("return document.getElementById('hex')?.textContent ?? ''")


def console(firefox, url: str) -> list[str]:
    with firefox.using_context("chrome"):
        return firefox.execute_script(CONSOLE, [url])


def check_page(firefox, server, path):
    firefox.navigate(server.url + path)
    first = wait_until(lambda: shown(firefox), "there is no reading", holds=lambda text: text.startswith("#"))
    wait_until(lambda: shown(firefox), "the reading stays the same", holds=lambda text: text != first)
    assert console(firefox, server.url) == []


def test_the_dashboard_shows_new_readings_in_firefox_without_any_error(firefox, server):
    check_page(firefox, server, "")


def test_the_other_pages_work_in_firefox_without_any_error(firefox, server):
    for path in ("kiosk", "kiosk?show=picture", "kiosk?show=overlay"):
        check_page(firefox, server, path)
    firefox.navigate(server.url + "test")
    assert firefox.execute_script("return Boolean(document.getElementById('start'))")
    assert console(firefox, server.url) == []
