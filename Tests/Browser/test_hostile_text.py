"""Names from a camera or a configuration are text on the page, even if they look like markup.

The names use U+0D4E, which takes the next scalar into its grapheme cluster, and combining marks, which join the
previous one: code that escapes whole clusters lets their `<`, `>` and quotes through.
"""

import http.server
import json
import threading

import pytest

JOINER = "\u0d4e"
ACCENT = "\u0301"


def tag(text: str) -> str:
    """A tag whose angle brackets are both part of longer clusters."""
    return f"{JOINER}<{text} {JOINER}>"


@pytest.fixture
def elsewhere():
    """Another server, and the paths that were requested from it."""
    paths = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            paths.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_port}", paths
    server.shutdown()
    thread.join()
    server.server_close()


# All kinds of markup, in which HOST stands for another server. A comment or plain text would hide what follows.
HOSTILE_NAME = "".join(
    [
        tag("/script"),
        tag("meta http-equiv=refresh content=0;url=http://HOST/refresh"),
        tag("img src=http://HOST/image"),
        tag("base href=http://HOST/"),
        tag("form action=http://HOST/form"),
        tag("plaintext"),
        f"{JOINER}<!--",
    ]
)

# Examines the page as the server sends it, because its scripts replace what the parser made of the name.
COUNT_ADDED_ELEMENTS = """
const [path, done] = arguments;
fetch(path).then((response) => response.text()).then((text) => {
  const page = new DOMParser().parseFromString(text, "text/html");
  const own = "#mark-form, #recording-form, #sample-form, #target-form, #rename-target, #lesson-save, #probe-form, #grid-form, #teach-state, #scale-form";
  done(page.querySelectorAll(`meta[http-equiv], plaintext, base, form:not(${own}), img[src^=http]`).length);
});
"""


def test_a_name_that_is_markup_is_shown_as_text_and_causes_no_request(start_server, browse, elsewhere):
    host, paths = elsewhere
    name = HOSTILE_NAME.replace("HOST", host)
    server = start_server(name)
    page = browse(server)
    page.wait_for_readings(2)
    assert page.driver.current_url == server.url
    assert f"No camera is called '{name}'" in page.element("notice-message").text
    assert page.driver.execute_async_script(COUNT_ADDED_ELEMENTS, "/") == 0
    page.driver.get(f"{server.url}kiosk")
    page.wait_until(f"document.getElementById('message')?.textContent.includes({json.dumps(name)})")
    assert page.driver.current_url == f"{server.url}kiosk"
    assert page.driver.execute_async_script(COUNT_ADDED_ELEMENTS, "/kiosk") == 0
    # The kiosk has time for its requests while the dashboard loads again.
    page.driver.get(server.url)
    page.wait_for_readings(2)
    assert page.driver.current_url == server.url
    assert paths == []


def test_a_name_cannot_break_out_of_an_attribute_in_a_users_template(start_server, browse, tmp_path):
    templates = tmp_path / "templates"
    templates.mkdir()
    (templates / "dashboard.mustache").write_text(
        '<!DOCTYPE html><p id="double" title="{{message}}">{{message}}</p>'
        "<p id='single' title='{{message}}'>{{>part}}</p>"
    )
    (templates / "part.mustache").write_text('<b title="{{message}}">x</b>')
    name = f"x\\\"{ACCENT} hidden onclick=y z=\\\"{ACCENT} '{ACCENT} hidden z='{ACCENT}"
    page = browse(start_server(name, config=f'[web]\ntemplates = "{templates}"\n'))
    attributes = page.driver.execute_script("""
      return [...document.querySelectorAll("p, b")].map((element) => [element.getAttributeNames(), element.title]);
    """)
    assert [names for names, _ in attributes] == [["id", "title"], ["id", "title"], ["title"]]
    shown = name.replace("\\", "")
    assert all(f"No camera is called '{shown}'" in title for _, title in attributes)
