"""What a browser gets beside the dashboard: explanations of errors, and the manifest."""

import json
import struct

import pytest
from Harness import api
from raw import ask

BROWSER = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize("path", ["/nothing", "/api/nothing", "/resources/none.css", "/test/mauve", "/%00", "/<b>"])
def test_a_wrong_address_is_explained_to_a_person_in_a_page(server, path):
    status, fields, body = ask(server, "GET", path, BROWSER)
    assert (status, fields["content-type"]) == (404, "text/html; charset=utf-8")
    assert b"<h1>Not Found</h1>" in body
    assert b'<a href="/">' in body
    assert b"<b>" not in body


@pytest.mark.parametrize("accept", [[], ["Accept: */*"], ["Accept: application/json"]])
def test_a_wrong_address_is_explained_to_a_program_in_json(server, accept):
    status, fields, body = ask(server, "GET", "/nothing", *accept)
    assert (status, fields["content-type"]) == (404, "application/json")
    assert json.loads(body)["error"]["code"] == "not-found"


def test_a_page_about_an_error_has_the_headers_of_the_error(server):
    as_page, as_json = (ask(server, "GET", "/ws", *accept) for accept in ([BROWSER], []))
    assert as_page[0] == as_json[0] == 426
    assert as_page[1]["upgrade"] == as_json[1]["upgrade"] == "websocket"
    assert as_page[1]["content-security-policy"] == as_json[1]["content-security-policy"]
    assert as_page[1]["cache-control"] == "no-store"


def test_a_form_that_is_refused_is_answered_in_json(server):
    status, fields, _ = ask(server, "POST", "/nothing", BROWSER)
    assert (status, fields["content-type"]) == (404, "application/json")


def test_a_person_without_access_still_gets_the_login_page(guarded):
    status, fields, body = ask(guarded, "GET", "/", BROWSER)
    assert (status, fields["content-type"]) == (401, "text/html; charset=utf-8")
    assert b'name="token"' in body


def test_a_wrong_token_marks_the_field_and_describes_what_is_wrong(guarded):
    form = "Content-Type: application/x-www-form-urlencoded"
    status, _, body = ask(guarded, "POST", "/login", form, body="next=/&token=wrong")
    assert status == 401
    assert b'aria-invalid="true"' in body
    assert b'aria-describedby="hint problem"' in body
    assert b'id="problem"' in body


def test_a_login_page_without_a_mistake_marks_no_field(guarded):
    assert b"aria-invalid" not in ask(guarded, "GET", "/login", BROWSER)[2]


def test_the_manifest_names_icons_of_the_sizes_that_it_says_without_access(guarded):
    answer = api.ask(guarded.url + "manifest.webmanifest")
    assert (answer.status, answer.fields["Content-Type"]) == (200, "application/manifest+json")
    manifest = answer.json
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    kinds = set()
    for icon in manifest["icons"]:
        image = api.ask(guarded.url.rstrip("/") + icon["src"])
        assert (image.status, image.fields["Content-Type"]) == (200, icon["type"])
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", image.body[16:24])
            assert icon["sizes"] == f"{width}x{height}"
        kinds.add((icon["sizes"], icon["purpose"]))
    assert kinds == {("any", "any"), ("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
