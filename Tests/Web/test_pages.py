"""What a browser gets besides the dashboard: the manifest, and compressed text."""

import gzip
import struct

import pytest
from conftest import TOKEN
from Harness import api
from Harness.server import running
from raw import Raw, ask


def test_the_manifest_and_its_icons_of_the_stated_sizes_need_no_token(guarded):
    answer = api.request(guarded.url + "manifest.webmanifest")
    assert (answer.status, answer.fields["Content-Type"]) == (200, "application/manifest+json")
    manifest = answer.json
    assert (manifest["start_url"], manifest["display"]) == ("./", "standalone")
    kinds = set()
    for icon in manifest["icons"]:
        image = api.request(guarded.url + icon["src"])
        assert (image.status, image.fields["Content-Type"]) == (200, icon["type"])
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", image.body[16:24])
            assert icon["sizes"] == f"{width}x{height}"
        kinds.add((icon["sizes"], icon["purpose"]))
    assert kinds == {("any", "any"), ("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}


PAGES = ["/", "/absorbance", "/calibrate", "/kiosk", "/measuring", "/test"]
FILES = ["/api/openapi.json", "/manifest.webmanifest", "/resources/swatchcam.css", "/resources/favicon.svg"]


@pytest.mark.parametrize("path", PAGES + FILES)
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


def head(server, *fields):
    """Status and fields of the answer to a request for a file. With 304 it has a length, but no body."""
    with Raw(server) as client:
        client.get("/resources/swatchcam.css", *fields)
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


def test_another_device_is_told_which_file_to_edit(server):
    page = api.request(server.url + "elsewhere").text
    assert f">{server.config}</pre>" in page.replace("<wbr>", "")
    assert 'href="http://127' not in page


def test_behind_an_ingress_another_device_opens_its_address_and_logs_in_there(tmp_path):
    with running(
        tmp_path, config='[web]\ntoken = "a-token-of-forty-letters-and-a-few-more-012"\ningress = ["127.0.0.1"]\n'
    ) as server:
        page = api.request(server.url + "elsewhere", fields={"Host": "home.example:8123"}).text
    assert '<a href="http://home.example:8123/">' in page
    assert "log in there, and choose Swatchcam" in page and "enter the token" not in page


def test_another_device_gets_the_address_of_the_proxy_with_the_path_that_it_names(tmp_path):
    named = {"Host": "cam.example", "X-Forwarded-Prefix": "/swatch"}
    with running(
        tmp_path, config='[web]\nallowed_hosts = ["cam.example"]\ntrusted_proxies = ["127.0.0.1"]\n'
    ) as server:
        assert '<a href="http://cam.example/swatch/">' in api.request(server.url + "elsewhere", fields=named).text
