"""The page that asks for a token, and the dashboard with a read-only token."""

import pytest
from selenium.webdriver.common.by import By

pytestmark = pytest.mark.slow

TOKEN = "test-token-of-forty-letters-and-a-few-more"
VIEW_TOKEN = "view-token-of-forty-letters-and-a-few-more"


CONFIG = f"""[readings]
rate = 10
[[targets]]
name = "Sky"
color = "skyblue"
[[probes]]
name = "White"
region = [0.08, 0.6, 0.06, 0.08]
[web]
token = "{TOKEN}"
view_token = "{VIEW_TOKEN}"
"""


@pytest.fixture(scope="module")
def server(shared_servers):
    """A server that requires a token."""
    return shared_servers(config=CONFIG)


def log_in(page, token):
    field = page.element("token")
    field.send_keys(token)
    field.submit()


def test_a_wrong_token_is_reported_and_the_right_one_leads_to_the_requested_page(browse, server):
    page = browse(server)
    page.driver.get(server.url + "test")
    log_in(page, "wrong")
    page.wait_until("document.getElementById('problem')")
    assert page.element("problem").text == "This token is not valid."
    log_in(page, TOKEN)
    page.wait_until("document.getElementById('comparison')")
    assert page.driver.current_url == server.url + "test"
    # No script can read the session's cookie.
    assert page.driver.execute_script("return document.cookie") == ""


def test_after_logging_in_the_dashboard_works_until_another_tab_logs_out(browse, server):
    page = browse(server)
    # The browser has logged the first answer, 401.
    page.console()
    log_in(page, TOKEN)
    page.wait_until("document.getElementById('dashboard')")
    page.wait_for_readings(4)
    page.wait_until("document.getElementById('live').dataset.shown")
    assert page.console() == []
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    try:
        page.driver.get(server.url)
        page.element("more").click()
        page.driver.find_element(By.CSS_SELECTOR, "form[action='./logout'] button").click()
        page.wait_until("document.getElementById('token')")
    finally:
        page.driver.close()
        page.driver.switch_to.window(first)
    page.wait_until("document.getElementById('token')")


def test_an_open_page_asks_again_when_the_token_is_edited_or_the_server_restarts_with_another(browse, start_server):
    server = start_server(config=CONFIG)
    page = browse(server)
    log_in(page, TOKEN)
    page.wait_until("document.getElementById('dashboard')")
    page.wait_for_readings(2)
    server.config.write_text(server.config.read_text().replace(TOKEN, TOKEN[::-1]))
    page.wait_until("document.getElementById('token')")
    log_in(page, TOKEN[::-1])
    page.wait_until("document.getElementById('dashboard')")
    page.wait_for_readings(2)
    server.restart(server.config.read_text().replace(TOKEN[::-1], TOKEN))
    page.wait_until("document.getElementById('token')")


def test_a_read_only_token_sees_everything_and_is_offered_no_changes(browse, server):
    page = browse(server)

    def exist(selector):
        return page.driver.find_elements(By.CSS_SELECTOR, selector) != []

    log_in(page, VIEW_TOKEN)
    page.wait_until("document.getElementById('dashboard')")
    page.wait_for_readings(2)
    assert not page.element("effect").is_enabled()
    shown = "return ['camera-controls', 'switcher', 'lock-now', 'select-area', 'reset-region'].filter(id => document.getElementById(id).checkVisibility())"
    assert page.driver.execute_script(shown) == []
    assert page.driver.execute_script("return document.getElementById('region').inert")
    page.element("targets-tab").click()
    page.wait_until("document.querySelector('#target-list .target-name')?.textContent === 'Sky'")
    assert not exist("#target-form, .teach-in, #delete-target, #rename-target, #reset-counts")
    page.element("probes-tab").click()
    page.wait_until("document.querySelector('#probe-list tr')?.children[1].textContent === 'White'")
    assert not exist("#add-probes, #add-area, #grid, #delete-probe")
    for path, state, change in (
        ("absorbance", "There is no blank", "#measure, #paste, #add-probes, #wells select:enabled"),
        ("calibrate", "not calibrated", "#measure"),
    ):
        page.driver.get(server.url + path)
        page.wait_until(f"document.getElementById('task-state').textContent.includes('{state}')")
        assert not exist(change)
