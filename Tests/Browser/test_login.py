"""The page that asks for a token, and the dashboard with a read-only token."""

import pytest
from Harness.chromium import set_color_scheme
from selenium.webdriver.common.by import By

TOKEN = "test-token-of-forty-letters-and-a-few-more"
VIEW_TOKEN = "view-token-of-forty-letters-and-a-few-more"


@pytest.fixture
def server(start_server):
    """A server that requires a token, for each test."""
    return start_server(config=f'[web]\ntoken = "{TOKEN}"\nview_token = "{VIEW_TOKEN}"\n')


def log_in(page, token):
    field = page.element("token")
    field.send_keys(token)
    field.submit()


def test_the_right_token_leads_to_the_requested_page(browse, server):
    page = browse(server)
    page.driver.get(server.url + "test")
    log_in(page, TOKEN)
    page.wait_until("document.getElementById('comparison')")
    assert page.driver.current_url == server.url + "test"


def test_the_dashboard_works_after_logging_in(browse, server):
    page = browse(server)
    # The browser has logged the first answer, 401.
    page.console()
    log_in(page, TOKEN)
    page.wait_until("document.getElementById('dashboard')")
    page.wait_for_readings(4)
    page.wait_until("document.getElementById('live').dataset.shown")
    assert page.console() == []


def test_a_wrong_token_is_reported_and_can_be_corrected(browse, server):
    page = browse(server)
    log_in(page, "wrong")
    page.wait_until("document.getElementById('problem')")
    assert page.element("problem").text == "This token is not valid."
    log_in(page, TOKEN)
    page.wait_until("document.getElementById('dashboard')")


def test_no_script_can_read_the_session_cookie(browse, server):
    page = browse(server)
    log_in(page, TOKEN)
    page.wait_until("document.getElementById('dashboard')")
    assert page.driver.execute_script("return document.cookie") == ""


def test_logging_out_leads_back_to_the_login_page(browse, server):
    page = browse(server)
    log_in(page, TOKEN)
    page.wait_until("document.getElementById('dashboard')")
    page.element("more").click()
    page.driver.find_element(By.CSS_SELECTOR, "form[action='/logout'] button").click()
    page.wait_until("document.getElementById('token')")
    page.driver.get(server.url)
    page.wait_until("document.getElementById('token')")


def test_an_open_page_asks_again_when_the_server_restarts_with_another_token(browse, server):
    page = browse(server)
    log_in(page, TOKEN)
    page.wait_until("document.getElementById('dashboard')")
    page.wait_for_readings(2)
    server.restart(server.config.read_text().replace(TOKEN, TOKEN[::-1]))
    page.wait_until("document.getElementById('token')")


def test_an_open_page_asks_again_when_the_token_is_edited(browse, server):
    page = browse(server)
    log_in(page, TOKEN)
    page.wait_until("document.getElementById('dashboard')")
    page.wait_for_readings(2)
    server.config.write_text(server.config.read_text().replace(TOKEN, TOKEN[::-1]))
    page.wait_until("document.getElementById('token')")


def test_an_open_page_asks_again_when_another_tab_logs_out(browse, server):
    page = browse(server)
    log_in(page, TOKEN)
    page.wait_until("document.getElementById('dashboard')")
    page.wait_for_readings(2)
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    try:
        page.driver.get(server.url)
        page.element("more").click()
        page.driver.find_element(By.CSS_SELECTOR, "form[action='/logout'] button").click()
        page.wait_until("document.getElementById('token')")
    finally:
        page.driver.close()
        page.driver.switch_to.window(first)
    page.wait_until("document.getElementById('token')")


def test_the_dashboard_offers_no_changes_to_a_read_only_token(browse, server):
    page = browse(server)
    log_in(page, VIEW_TOKEN)
    page.wait_until("document.getElementById('dashboard')")
    page.wait_for_readings(2)
    assert not page.element("effect").is_enabled()
    shown = "return ['camera-controls', 'switcher', 'lock-now', 'select-area', 'reset-region'].filter(id => document.getElementById(id).checkVisibility())"
    assert page.driver.execute_script(shown) == []
    assert page.driver.execute_script("return document.getElementById('region').inert")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_text_of_the_login_page_has_enough_contrast(browse, server, scheme):
    """WCAG 2.2, 1.4.3: 4.5 to 1."""
    page = browse(server)
    set_color_scheme(page.driver, scheme)
    contrast = page.driver.execute_script("""
      const channels = (color) => color.match(/[\\d.]+/g).slice(0, 3).map(Number);
      const luminance = (color) => {
        const [r, g, b] = channels(color).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const [hint, paper] = [getComputedStyle(document.getElementById('hint')).color,
        getComputedStyle(document.body).backgroundColor].map(luminance);
      return (Math.max(hint, paper) + 0.05) / (Math.min(hint, paper) + 0.05);
    """)
    assert contrast >= 4.5
