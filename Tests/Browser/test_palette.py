"""The user's own palette: loading a file on the page, its nearest colour in the swatch, and removing it."""

import re

import pytest
from Harness import palettes

pytestmark = pytest.mark.slow


@pytest.fixture
def own_page(browse, start_server):
    page = browse(start_server(config="[readings]\nrate = 10\n"))
    page.wait_until_complete()
    return page


def choose(page, file) -> None:
    page.driver.execute_script("document.getElementById('palette-file').hidden = false")
    page.element("samples-more").click()
    page.element("palette-file").send_keys(str(file))


def near(page) -> str:
    return page.driver.execute_script("return document.getElementById('near').textContent.trim()")


def test_a_palette_is_loaded_named_in_the_swatch_exported_and_removed(own_page, tmp_path):
    own_page.element("export").click()
    assert not own_page.element("palette-links").is_displayed()
    own_page.element("export").click()
    own_page.element("samples-more").click()
    assert own_page.element("load-palette").is_displayed()
    assert not own_page.element("remove-palette").is_displayed()
    own_page.element("samples-more").click()
    file = tmp_path / "brand.gpl"
    file.write_bytes(palettes.FILES["brand.gpl"])
    choose(own_page, file)
    own_page.wait_until("document.getElementById('toast').textContent === 'Palette of 1 colour loaded'")
    own_page.wait_until("document.getElementById('near').textContent.includes('Brand blue')")
    assert re.fullmatch(r"nearest: Brand blue ΔE \d+\.\d", near(own_page))
    own_page.wait_until("!document.getElementById('palette-links').hidden")
    links = own_page.driver.execute_script(
        "return [...document.querySelectorAll('#palette-links a')].map((link) => link.getAttribute('href'))"
    )
    assert links == ["./palette.gpl", "./palette.ase", "./palette.aco", "./palette.txt"]
    own_page.wait_until("!document.getElementById('remove-palette').hidden")
    if not own_page.element("remove-palette").is_displayed():
        own_page.element("samples-more").click()
    own_page.element("remove-palette").click()
    own_page.wait_until("document.getElementById('toast').textContent === 'Palette of 1 colour removed'")
    own_page.wait_until("!document.getElementById('near').textContent.includes('Brand')")


def test_the_button_opens_the_browsers_choice_of_a_file_and_what_is_not_a_palette_is_refused(own_page, tmp_path):
    own_page.driver.execute_script("""
      window.opened = 0;
      document.getElementById("palette-file").click = () => { opened++; };
    """)
    own_page.element("samples-more").click()
    own_page.element("load-palette").click()
    assert own_page.driver.execute_script("return opened") == 1
    assert not own_page.element("samples-menu").is_displayed()
    file = tmp_path / "bad.csv"
    file.write_text("Brand blue,#1F4E9B\nBrand red,#12345\n")
    choose(own_page, file)
    own_page.wait_until(
        "document.getElementById('toast').textContent.startsWith("
        "'This file is not used as a palette: line 2: expected a name and a colour')"
    )
    own_page.wait_for_readings(3)
    assert "Brand" not in near(own_page)
