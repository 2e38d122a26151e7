"""The palette that the configuration names or a client loads, and the title of the pages."""

import pytest
from Harness import api, palettes, program
from Harness.cases import sampled
from Harness.waiting import wait_until


def nearest(server) -> dict | None:
    return server.reading()["color"]["palette"]


def test_readings_name_the_nearest_colour_of_the_palette(start_server, tmp_path):
    palette = tmp_path / "brand.gpl"
    palette.write_text("GIMP Palette\nName: Brand\n 31  78 155\tBrand blue\n")
    server = start_server(config=f'[readings]\npalette = "{palette}"\n')
    found = wait_until(lambda: nearest(server), "there is no palette")
    assert (found["name"], found["hex"]) == ("Brand blue", "#1F4E9B")
    assert 0 < found["deltaE"] < 100
    palette.write_text("Brand red,#B3202A\n")
    wait_until(lambda: nearest(server)["name"] == "Brand red", "the edit has no effect")
    palette.write_bytes(b"ASEF\0\1\0\0\0\0\0\1")
    notices = wait_until(
        lambda: [one["message"] for one in server.reading()["notices"] if one["topic"] == "palette"],
        "there is no notice",
    )
    reason = "the count of blocks in its header is 1, but it has 0: the file ends too early"
    assert notices == [f"The palette is not used. {palette}: byte 12: {reason}."]
    assert nearest(server) is None


def test_a_palette_that_cannot_be_read_is_reported_by_check_with_its_place(tmp_path):
    (tmp_path / "brand.csv").write_text("Blue,#1F4E9B\nRed,#12345\n")
    config = tmp_path / "config.toml"
    config.write_text('[readings]\npalette = "brand.csv"\n')
    run = program.run("check", "--config", str(config))
    assert run.returncode == 78
    assert (
        f"config.toml:2:11: readings.palette: {tmp_path}/brand.csv: line 2: expected a name and a colour" in run.stdout
    )


def send(server, method: str, body: bytes | None = None):
    return api.request(f"{server.url}api/palette", method=method, body=body)


@pytest.mark.parametrize("name", sampled([*palettes.FILES]))
def test_a_client_can_load_a_palette_in_every_format_and_remove_it(server, name):
    loaded = send(server, "PUT", palettes.FILES[name])
    assert (loaded.status, loaded.json) == (200, {"count": 1, "note": None, "problem": None})
    found = wait_until(lambda: nearest(server), "there is no palette")
    assert (found["name"], found["hex"]) == ("Brand blue", "#1F4E9B")
    assert send(server, "DELETE").status == 200
    wait_until(lambda: nearest(server) is None, "the palette stays")
    again = send(server, "DELETE")
    assert (again.status, again.json["error"]["code"]) == (404, "palette-not-found")


def test_the_answer_says_if_the_encoding_of_a_palette_was_guessed(server):
    loaded = send(server, "PUT", "Grün,#1F4E9B\n".encode("latin-1")).json
    assert loaded["count"] == 1 and loaded["note"].startswith("Line 1 is not UTF-8, ")
    assert wait_until(lambda: nearest(server), "there is no palette")["name"] == "Grün"
    assert send(server, "DELETE").status == 200


def test_the_palette_is_exported_in_each_format_and_reads_back_the_same(start_server):
    server = start_server()
    absent = api.request(f"{server.url}palette.gpl")
    assert (absent.status, absent.json["error"]["code"]) == (404, "palette-not-found")
    assert send(server, "PUT", b"Brand blue,#1F4E9B\nLeaf <green>,#3FA70D\n").json["count"] == 2

    def export(ending):
        return api.request(f"{server.url}palette.{ending}")

    # A thread of its own reads the palette.
    wait_until(lambda: export("gpl").status == 200, "the palette is not exported")
    for ending in ("gpl", "ase", "aco", "txt"):
        exported = export(ending)
        assert exported.fields["Content-Disposition"] == f'attachment; filename="swatchcam-palette.{ending}"'
        read = api.request(f"{server.url}api/chart", "POST", exported.body).json["patches"]
        assert [(one["name"], one["hex"]) for one in read] == [("Brand blue", "#1F4E9B"), ("Leaf <green>", "#3FA70D")]
    send(server, "PUT", b"Brand red,#B3202A")
    wait_until(lambda: b"179  32  42\tBrand red" in export("gpl").body, "the old palette is exported")


def test_the_palette_of_a_client_holds_after_a_restart_instead_of_the_configured_one(start_server, tmp_path):
    palette = tmp_path / "brand.csv"
    palette.write_text("Brand red,#B3202A\n")
    server = start_server(config=f'[readings]\npalette = "{palette}"\n')
    assert send(server, "PUT", b"Brand blue,#1F4E9B").status == 200
    server.stop()
    server.start()
    wait_until(lambda: (nearest(server) or {}).get("name") == "Brand blue", "the palette is gone")
    assert send(server, "DELETE").status == 200
    wait_until(lambda: (nearest(server) or {}).get("name") == "Brand red", "the configured palette does not return")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"Brand blue,#1F4E9", 400, "bad-palette"),
        (b"A,#000000\n" * 4097, 400, "bad-palette"),
        (b"A,#000000\n" * 6554, 413, "body-too-large"),
    ],
)
def test_a_file_that_is_not_a_palette_is_refused_and_the_old_one_stays(server, body, status, code):
    assert send(server, "PUT", b"Brand blue,#1F4E9B").status == 200
    refused = send(server, "PUT", body)
    assert (refused.status, refused.json["error"]["code"]) == (status, code)
    wait_until(lambda: (nearest(server) or {}).get("name") == "Brand blue", "the palette is gone")


def test_the_refusal_of_a_palette_says_where_and_why(server):
    refused = send(server, "PUT", b"Blue,#1F4E9B\nRed,#12345\n").json["error"]["message"]
    assert refused.startswith("This file is not used as a palette: line 2: expected a name and a colour")


def test_the_pages_have_the_configured_title(start_server):
    server = start_server(config='[web]\ntitle = "Workshop <1>"\n')
    for path in ["", "kiosk", "measuring", "test"]:
        assert " · Workshop &lt;1&gt;</title>" in api.request(server.url + path).text
    server.config.write_text(server.config.read_text().replace("Workshop <1>", "Lab"))
    wait_until(lambda: " · Lab</title>" in api.request(server.url + "measuring").text, "the title stays")
