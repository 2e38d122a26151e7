"""What a browser gets besides the dashboard: pages that explain errors, the manifest, and compressed text."""

import gzip
import json
import struct

import pytest
from conftest import TOKEN
from Harness import api
from raw import Raw, ask

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


def test_the_manifest_and_its_icons_of_the_stated_sizes_need_no_token(guarded):
    answer = api.request(guarded.url + "manifest.webmanifest")
    assert (answer.status, answer.fields["Content-Type"]) == (200, "application/manifest+json")
    manifest = answer.json
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    kinds = set()
    for icon in manifest["icons"]:
        image = api.request(guarded.url.rstrip("/") + icon["src"])
        assert (image.status, image.fields["Content-Type"]) == (200, icon["type"])
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", image.body[16:24])
            assert icon["sizes"] == f"{width}x{height}"
        kinds.add((icon["sizes"], icon["purpose"]))
    assert kinds == {("any", "any"), ("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}


COMPRESSED = [
    "/",
    "/absorbance",
    "/calibrate",
    "/kiosk",
    "/measuring",
    "/test",
    "/api/openapi.json",
    "/manifest.webmanifest",
]
COMPRESSED += ["/resources/swatchcam.css", "/resources/favicon.svg"]


@pytest.mark.parametrize("path", COMPRESSED)
def test_text_is_compressed_for_a_client_that_accepts_it(guarded, path):
    token = f"Authorization: Bearer {TOKEN}"
    plain = ask(guarded, "GET", path, token)
    packed = ask(guarded, "GET", path, token, "Accept-Encoding: br, gzip")
    assert plain[0] == packed[0]
    assert "content-encoding" not in plain[1]
    assert packed[1]["content-encoding"] == "gzip"
    assert plain[1]["vary"] == packed[1]["vary"] == "accept-encoding"
    assert len(packed[2]) < len(plain[2])
    unpacked = gzip.decompress(packed[2])
    # The dashboard shows another reading each time.
    assert unpacked == plain[2] or path in ("/", "/kiosk")
    assert unpacked.startswith(plain[2][:100])


@pytest.mark.parametrize(("path", "status"), [("/", 401), ("/nowhere", 404)])
def test_a_page_that_explains_an_error_is_not_compressed(guarded, path, status):
    answer = ask(guarded, "GET", path, "Accept: text/html", "Accept-Encoding: gzip")
    assert answer[0] == status
    assert "content-encoding" not in answer[1]
    assert answer[2].startswith(b"<!DOCTYPE html>")


@pytest.mark.parametrize("path", ["/snapshot.jpg", "/resources/icon-192.png"])
def test_pictures_are_never_compressed(server, path):
    fields = ask(server, "GET", path, "Accept-Encoding: gzip")[1]
    assert "content-encoding" not in fields
    assert "vary" not in fields


ACCEPTED = ["gzip", "GZIP", "x-gzip", "*", "gzip;q=1", "gzip; q=0.001", "gzip ; Q=1.000", "br;q=1.0, gzip;q=0.8"]
ACCEPTED += ["identity;q=0.5, *;q=0.7", "deflate,, ,gzip", "gzip;q=1."]
REFUSED = ["", "identity", "gzip;q=0", "gzip;q=0.000", "*;q=0", "gzip;q=0, *", "gzip;q=2", "gzip;q=-1", "gzip;q=nan"]
REFUSED += [
    "gzip;q=1e9",
    "gzip;q=0.0001",
    "gzip;level=9",
    "gzip;q=0.5, identity",
    "gzipped",
    "g zip",
    ";q=1",
    "\t;;;=,",
]
REFUSED += ["gzip;q=" + "0" * 4000, "br"]


@pytest.mark.parametrize("field", ACCEPTED)
def test_gzip_is_used_if_the_client_accepts_it(server, field):
    fields = ask(server, "GET", "/resources/swatchcam.css", f"Accept-Encoding: {field}")[1]
    assert fields["content-encoding"] == "gzip"


@pytest.mark.parametrize("field", REFUSED)
def test_gzip_is_not_used_if_the_client_does_not_clearly_accept_it(server, field):
    status, fields, _ = ask(server, "GET", "/resources/swatchcam.css", f"Accept-Encoding: {field}")
    assert status == 200
    assert "content-encoding" not in fields


def head(server, *fields, method="GET"):
    """Status and fields of the answer to a request for a file. With 304 it has a length, but no body."""
    with Raw(server) as client:
        client.get("/resources/swatchcam.css", *fields, method=method)
        return client.head()


def test_the_plain_and_the_compressed_form_of_a_file_are_each_cached_by_their_own_etag(server):
    plain, packed = (head(server, *accept)[1]["etag"] for accept in ([], ["Accept-Encoding: gzip"]))
    assert plain != packed
    for tag, accept, expected in [
        (plain, [], 304),
        (packed, ["Accept-Encoding: gzip"], 304),
        (plain, ["Accept-Encoding: gzip"], 200),
        (packed, [], 200),
    ]:
        status, fields = head(server, *accept, f"If-None-Match: {tag}")
        assert (status, fields["vary"]) == (expected, "accept-encoding")


def test_a_head_request_for_a_compressed_file_gets_the_same_fields(server):
    whole, alone = (head(server, "Accept-Encoding: gzip", method=method) for method in ("GET", "HEAD"))
    assert whole[1] | {"date": ""} == alone[1] | {"date": ""}
