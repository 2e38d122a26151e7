"""The tables to download, and the choice of the program that they are for."""

import fake_history
import pytest
from Harness.cases import sampled
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

pytestmark = pytest.mark.slow

LINKS = {
    "samples-csv": "samples.csv",
    "history-csv": "history.csv?span=10m",
    "probes-csv": "probes.csv?span=10m",
    "recording-csv": "history.csv?recording=1",
    "recording-so-far": "history.csv?recording=1",
}
PARAMETERS = {"programs": "", "excel": "bom=1", "excel-comma": "separator=%3B&decimal=%2C&bom=1"}


@pytest.fixture
def page(browse, server):
    page = browse(server, before=fake_history.script())
    page.wait_until_complete()
    return page


def choose(page, menu: str, program: str) -> None:
    page.element("export" if menu == "samples" else "history-more").click()
    Select(page.element(f"{menu}-format")).select_by_value(program)


def addresses(page) -> dict[str, str]:
    return {name: page.element(name).get_attribute("href") for name in LINKS}


def expected(server, program: str) -> dict[str, str]:
    added = PARAMETERS[program]
    return {
        name: server.url + path + (f"{'&' if '?' in path else '?'}{added}" if added else "")
        for name, path in LINKS.items()
    }


@pytest.mark.parametrize("menu", sampled(["samples", "history"]))
@pytest.mark.parametrize("program", sampled(["excel", "excel-comma"]))
def test_the_choice_of_a_program_holds_for_all_tables_and_is_remembered(page, server, menu, program):
    assert addresses(page) == expected(server, "programs")
    choose(page, menu, program)
    assert addresses(page) == expected(server, program)
    other = {"samples": "history", "history": "samples"}[menu]
    assert page.element(f"{other}-format").get_property("value") == program
    page.driver.refresh()
    page.wait_until_complete()
    assert addresses(page) == expected(server, program)


def test_the_chosen_program_stays_when_another_span_is_chosen(page, server):
    choose(page, "history", "excel-comma")
    Select(page.element("history-span")).select_by_value("7d")
    added = PARAMETERS["excel-comma"]
    assert page.element("history-csv").get_attribute("href") == f"{server.url}history.csv?span=7d&{added}"


def test_the_menus_ask_for_the_decimal_mark_above_the_downloads(page):
    for button, menu in (("export", "samples"), ("history-more", "history")):
        page.element(button).click()
        [label] = page.driver.execute_script("return [...arguments[0].labels]", page.element(f"{menu}-format"))
        assert label.text == "Decimal mark of tables"
        assert label.rect["y"] < page.element(f"{menu}-csv").rect["y"]
        page.element(button).click()


@pytest.mark.parametrize("name", sampled(["samples.csv", "samples.gpl", "samples.json", "history.csv"]))
def test_a_download_closes_the_menu_and_a_message_names_the_file(page, name):
    page.element("export" if name.startswith("samples") else "history-more").click()
    link = page.driver.find_element(By.CSS_SELECTOR, f"[popover] a[href*='{name}']")
    link.click()
    page.wait_for(lambda shown: shown["toast"] == f"Downloaded swatchcam-{name}", "the name of the file")
    assert not link.is_displayed()


def test_a_download_that_fails_says_why(page):
    page.driver.execute_script("""
      window.fetch = async () => Response.json({ error: { message: "Too many transfers." } }, { status: 503 });
    """)
    page.element("export").click()
    page.element("samples-csv").click()
    page.wait_for(lambda shown: shown["toast"].endswith("Too many transfers."), "the reason")
