"""Nothing is cut or covered, on every screen and with large text."""

import json

import pytest
from Harness.api import ask
from Harness.chromium import set_color_scheme, set_size

SIZES = [
    (320, 568),
    (390, 844),
    (740, 360),
    (800, 480),
    (800, 600),
    (1024, 768),
    (1280, 800),
    (1366, 768),
    (1920, 1080),
    (3840, 2160),
]

# Changes the readings that the page gets: `fake` is merged into each.
FAKE = """
window.fake = %s;
const { get, set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
Object.defineProperty(WebSocket.prototype, "onmessage", {
  get,
  set(receive) {
    set.call(this, receive && (({ data }) => {
      const reading = JSON.parse(data);
      receive({ data: JSON.stringify({ ...reading, ...fake, revisions: { ...reading.revisions, ...fake.revisions } }) });
    }));
  },
});
const fetchFromServer = fetch;
window.fetch = (path, options) => path !== "/api/cameras" ? fetchFromServer(path, options)
  : Promise.resolve({ ok: true, status: 200, json: async () => ({ cameras: fake.cameras ?? [] }) });
"""

CAMERAS = [
    {"id": "one", "name": "HD Pro Webcam C920 with a Name as Long as Vendors Like Them", "device": "/dev/video0"},
    {"id": "two", "name": "Integrated Camera", "device": "/dev/video2"},
]
MUCH = {
    "cameras": CAMERAS,
    "camera": CAMERAS[0],
    "revisions": {"cameras": 7},
    "notices": [
        {"topic": "camera", "message": "No camera was found. Plug one in: it is used at once. " * 2},
        {"topic": "configuration", "message": "/etc/swatchcam/config.toml:3: camera.fps: 900 is out of range 1...240"},
    ],
    "message": "The camera delivers fewer frames than it should, perhaps because there is little light.",
    "color": {
        "hsl": "hsl(231.14 51.23% 34.31%)",
        "hwb": "hwb(231.14 16.86% 48.63%)",
        "lab": "lab(26.614 14.932 -44.213)",
        "lch": "lch(26.614 46.666 288.714)",
        "oklab": "oklab(0.3712 -0.0058 -0.1323)",
        "oklch": "oklch(0.37124 0.13241 267.512)",
        "name": {"css": "lightgoldenrodyellow", "deltaE": 14.9, "plain": "very light yellowish grey"},
    },
}

# Texts and controls that are cut off at the side of the page or by a box, and pairs of them that cover each other.
FAULTS = """
const skipped = ".visually-hidden, .screen, .toast, script, noscript";
const name = (element) => element.id || `${element.className.baseVal ?? element.className} "${element.textContent.trim().slice(0, 20)}"`;
const controls = [...document.querySelectorAll("button, select, input, a, .view, .swatch, .level")];
const texts = [...document.querySelectorAll("#dashboard *")].filter((element) =>
  [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()));
const shown = [...new Set([...controls, ...texts])].filter((element) =>
  element.checkVisibility({ visibilityProperty: true }) && !element.closest(skipped) && getComputedStyle(element).clipPath === "none" && !element.closest("option"));
const boxes = shown.map((element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const isText = !controls.includes(element);
  return [element, (isText ? range : element).getBoundingClientRect()];
}).filter(([, box]) => box.width > 0 && box.height > 0);
const faults = [];
for (const [element, box] of boxes) {
  if (box.left < -1 || box.right > innerWidth + 1) faults.push(`outside: ${name(element)}`);
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(parent);
    const outer = parent.getBoundingClientRect();
    if (overflowX !== "visible" && (box.left < outer.left - 1 || box.right > outer.right + 1)) faults.push(`cut: ${name(element)}`);
    if (["hidden", "clip"].includes(overflowY) && (box.top < outer.top - 2 || box.bottom > outer.bottom + 2)) faults.push(`cut: ${name(element)}`);
  }
}
const isPinned = (element) => getComputedStyle(element.closest(".actions") ?? document.body).position === "sticky";
// What an inner box scrolls is cut by it, and does not cover what lies beside it.
const isScrolled = (element) => element.closest(".panel");
for (const [index, [one, a]] of boxes.entries()) {
  for (const [other, b] of boxes.slice(index + 1)) {
    if (one.contains(other) || other.contains(one) || isPinned(one) !== isPinned(other) || isScrolled(one) !== isScrolled(other)) continue;
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 2 && high > 4) faults.push(`${name(one)} and ${name(other)} cover each other`);
  }
}
return [...new Set(faults)];
"""

ZOOM = "document.documentElement.style.fontSize = `${arguments[0] * parseFloat(getComputedStyle(document.documentElement).fontSize)}px`"


@pytest.fixture
def full_page(browse, server):
    """The dashboard with everything that it may have to show, or without a colour."""

    def open_page(**changes):
        page = browse(server, before=FAKE % json.dumps(MUCH | changes))
        page.wait_for_readings(2)
        page.wait_until("document.fonts.status === 'loaded'")
        return page

    return open_page


def faults(page):
    return page.driver.execute_script(FAULTS)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_is_cut_or_covered(full_page, width, height):
    page = full_page()
    set_size(page.driver, width, height)
    found = {}
    for tab in ("effect", "about"):
        page.driver.execute_script(f"document.getElementById('{tab}-tab').click()")
        found[tab] = faults(page)
    for text in (1.5, 2):
        page.driver.execute_script("document.documentElement.style.fontSize = ''")
        page.driver.execute_script(ZOOM, text)
        found[text] = faults(page)
    assert {where: what for where, what in found.items() if what} == {}


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("effect", ["none", "invert"])
def test_nothing_is_cut_or_covered_with_two_pictures_or_as_an_overlay(full_page, width, height, effect):
    page = full_page(effect=effect)
    set_size(page.driver, width, height)
    plain = faults(page)
    page.driver.execute_script("document.getElementById('overlay').click()")
    page.wait_until("document.getElementById('dashboard').hasAttribute('data-overlay')")
    outside = [fault for fault in faults(page) if "cover each other" not in fault]
    assert (plain, outside) == ([], [])


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_is_cut_or_covered_without_a_colour(full_page, width, height):
    nothing = {"state": "busy", "rgb": None, "hex": None, "brightness": None, "color": None}
    page = full_page(**nothing, message="Another program uses the camera: PID 4711 (a-video-conference). " * 3)
    page.wait_until("document.getElementById('notice-title').textContent === 'Camera in use'")
    set_size(page.driver, width, height)
    assert faults(page) == []


@pytest.mark.parametrize(("width", "height"), [(800, 480), (1024, 768), (1280, 800), (1920, 1080), (3840, 2160)])
def test_the_picture_and_all_values_are_in_sight_without_scrolling(page, width, height):
    set_size(page.driver, width, height)
    bottoms = page.driver.execute_script(
        "return ['view', 'hex', 'r', 'notation-value', 'brightness'].map((id) => "
        "document.getElementById(id).getBoundingClientRect().bottom)"
    )
    assert max(bottoms) <= height


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844)])
def test_a_phone_shows_the_values_first_and_the_picture_below(page, width, height):
    set_size(page.driver, width, height)
    readout, view = page.driver.execute_script(
        "return ['readout', 'view'].map((id) => document.getElementById(id).getBoundingClientRect().toJSON())"
    )
    assert readout["top"] < view["top"] < height


def test_the_page_reflows_at_a_zoom_of_400_per_cent(full_page):
    """WCAG 2.2, 1.4.10: 1280 x 1024 at 400 % is 320 x 256 CSS pixels."""
    page = full_page()
    set_size(page.driver, 320, 256)
    assert faults(page) == []
    assert page.driver.execute_script("return document.documentElement.scrollWidth") == 320


@pytest.mark.parametrize(("width", "height"), [(320, 568), (1280, 800), (3840, 2160)])
def test_every_target_measures_24_pixels_at_least(full_page, width, height):
    """WCAG 2.2, 2.5.8. Check boxes had 15 pixels on a 4K screen."""
    page = full_page()
    set_size(page.driver, width, height)
    small = page.driver.execute_script("""
      return [...document.querySelectorAll("button, select, input, .panel a")].filter((element) => {
        const { width, height } = element.getBoundingClientRect();
        return element.checkVisibility() && Math.min(width, height) < 24;
      }).map((element) => element.id || element.textContent);
    """)
    assert small == []


@pytest.mark.parametrize("width", [320, 844, 1280])
def test_the_camera_list_keeps_room_for_a_name(full_page, width):
    page = full_page()
    set_size(page.driver, width, 800)
    page.wait_until("document.getElementById('camera-choice').checkVisibility()")
    assert page.element("camera-choice").size["width"] >= 100


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_focus_ring_has_two_tones_so_that_it_is_seen_on_any_colour(page, scheme):
    set_color_scheme(page.driver, scheme)
    page.driver.execute_script("document.getElementById('hold').focus({ focusVisible: true })")
    style = page.driver.execute_script(
        "const { outlineColor, boxShadow } = getComputedStyle(document.activeElement); return [outlineColor, boxShadow]"
    )
    assert style[0] == "rgb(255, 255, 255)" and style[1].startswith("rgb(0, 0, 0)")


def test_nothing_moves_when_a_colour_is_held(page):
    boxes = (
        "return [...document.querySelectorAll('.hex, .channel, #view')].map((e) => e.getBoundingClientRect().toJSON())"
    )
    before = page.driver.execute_script(boxes)
    page.driver.execute_script("document.getElementById('hold').click()")
    assert page.driver.execute_script(boxes) == before


def test_no_style_needs_important(server):
    """Layers decide which style wins."""
    assert "!important" not in ask(f"{server.url}resources/swatchcam.css").text
