"""The dashboard through the reverse proxies of docs/security.md, by HTTP/2."""

import pytest
from Harness.chromium import chromium
from Harness.dashboard import Dashboard
from Harness.proxies import NAME, TOKEN, apache, caddy, guarded_server, haproxy, nginx, proxied

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    with guarded_server(tmp_path_factory.mktemp("guarded")) as server:
        yield server


@pytest.fixture(scope="module")
def driver():
    """A browser that finds the site on this machine, and trusts any certificate."""
    driver = chromium(arguments=[f"--host-resolver-rules=MAP {NAME} 127.0.0.1", "--ignore-certificate-errors"])
    yield driver
    driver.quit()


@pytest.mark.parametrize("proxy", [nginx, caddy, haproxy, apache], ids=lambda proxy: proxy.__name__)
def test_a_person_logs_in_and_sees_readings_and_pictures_by_http2(driver, guarded, tmp_path, proxy):
    with proxied(proxy, tmp_path, guarded) as site:
        # Cookies of another port would count, too.
        driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        driver.get(site.origin)
        page = Dashboard(driver)
        page.element("token").send_keys(TOKEN)
        page.element("token").submit()
        page.wait_until("document.getElementById('dashboard')")
        page.wait_for_readings(4)
        page.wait_until("document.getElementById('live').dataset.shown")
        protocols = driver.execute_script(
            "return performance.getEntries().map(({ nextHopProtocol }) => nextHopProtocol).filter(Boolean)"
        )
        assert set(protocols) == {"h2"}
        driver.get("about:blank")
