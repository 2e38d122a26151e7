"""The palette that the configuration names, and the title of the pages."""

from Harness import api, program
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
    assert notices == [f"The palette is not used. {palette}: byte 12: the file ends too early."]
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


def test_the_pages_have_the_configured_title(start_server):
    server = start_server(config='[web]\ntitle = "Workshop <1>"\n')
    for path in ["", "kiosk", "measuring", "test"]:
        assert " · Workshop &lt;1&gt;</title>" in api.request(server.url + path).text
    server.config.write_text(server.config.read_text().replace("Workshop <1>", "Lab"))
    wait_until(lambda: " · Lab</title>" in api.request(server.url + "measuring").text, "the title stays")
