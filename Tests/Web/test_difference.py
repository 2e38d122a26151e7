"""Colour differences: correct results, and malformed requests."""

import urllib.parse

import pytest
from Harness.api import request
from raw import Raw

# Two colours and their differences by CIEDE2000 and CIE76, computed by colour-science 0.4.7 in CIELAB with D50.
DIFFERENCES = [
    ("rgb(205.28 206.02 131.41)", "rgb(207.38 211.7 131.96)", 1.6769, 3.1155),
    ("rgb(104.16 11.55 12.43)", "lab(29.30025 47.96754 42.92973)", 8.4609, 19.2966),
    ("rgb(110.91 248.42 228.91)", "rgb(6.98 243.4 159.12)", 15.0612, 36.7709),
    ("rgb(172.56 15.5 141.68)", "lab(40.38420 65.40755 -25.38443)", 1.0662, 2.5619),
    ("rgb(173.19 221.87 57.97)", "rgb(168.06 202.26 54.51)", 4.8032, 9.7932),
    ("rgb(180.41 0.31 128.36)", "lab(35.79987 61.37323 -11.31524)", 5.0375, 10.5725),
    ("rgb(205.58 80.7 38)", "rgb(200.03 86.55 41.58)", 1.6245, 4.9870),
    ("rgb(60.06 81.55 203.97)", "lab(36.73958 12.39117 -47.69195)", 4.5461, 23.3147),
    ("rgb(3.71 237.97 21.89)", "rgb(0 255 0)", 3.6895, 9.2260),
    ("rgb(101.85 238.79 141.82)", "lab(88.90661 -57.82350 38.46764)", 2.6791, 5.8807),
    ("rgb(174.47 118.28 56.58)", "rgb(173.07 145.29 48.65)", 13.6101, 19.5309),
    ("rgb(162.02 96.01 203.62)", "lab(48.15303 43.00468 -60.24268)", 7.1293, 14.9913),
]


def difference(server, start, end):
    query = urllib.parse.urlencode({"from": start, "to": end}, quote_via=urllib.parse.quote)
    return request(f"{server.url}api/difference?{query}")


@pytest.mark.parametrize(("start", "end", "delta_e00", "delta_e76"), DIFFERENCES)
def test_differences_equal_those_of_another_program(server, start, end, delta_e00, delta_e76):
    document = difference(server, start, end).json
    assert document["deltaE00"] == pytest.approx(delta_e00, abs=1.5e-4)
    assert document["deltaE76"] == pytest.approx(delta_e76, abs=1.5e-4)


@pytest.mark.parametrize("notation", ["hsl", "hwb", "lab", "lch", "oklab", "oklch"])
def test_every_notation_of_a_reading_is_parsed_as_its_colour(server, notation):
    color = server.reading()
    document = difference(server, color["hex"], color["color"]["css"][notation]).json
    # The hexadecimal colour is rounded, and so are the decimals of the notation.
    assert document["deltaE00"] < 1


@pytest.mark.parametrize(
    "color",
    [
        "",
        " ",
        "#",
        "#12",
        "#1234",
        "#12345678",
        "#gggggg",
        "#１２３４５６",
        "ｒed",
        "rëd",
        "r\u0301ed",
        "\u202ered",
        "red\x00",
        "red\nblue",
        "🟥",
        "transparent",
        "currentcolor",
        "none",
        "rgb",
        "rgb(",
        "rgb)",
        "rgb()",
        "rgb(1 2)",
        "rgb(1 2 3 4)",
        "rgb(1 2 3 / 50%)",
        "rgb(1,2 3)",
        "rgb(1,,3)",
        "rgb(rgb(1 2 3))",
        "((((((((((((((((((((((((((((((",
        "rgb(NaN 1 2)",
        "lab(infinity 0 0)",
        "lab(1e999 0 0)",
        "lab(50 -1e999 0)",
        "lab(50 1e308 1e308)",
        "oklab(9e99 0 0)",
        "rgb(0x10 0 0)",
        "rgb(१ 0 0)",
        "calc(1)",
        "rgb(calc(1) 0 0)",
        "color-mix(in lab, red, blue)",
        "var(--a)",
        "a" * 65,
        "rgb(" + "1" * 1_000 + " 0 0)",
        "e\u0301" * 500,
    ],
)
def test_a_text_that_is_not_a_colour_is_refused_with_a_reason(server, color):
    for answer in (difference(server, color, "red"), difference(server, "red", color)):
        assert answer.status == 400
        assert answer.json["error"]["code"] == "bad-color"
        assert answer.json["error"]["message"].endswith(".")


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?",
        "?from=red",
        "?to=red",
        "?from=red&to",
        "?from=red;to=red",
        "?from=%zz&to=red",
        "?from=%ff%fe&to=red",
    ],
)
def test_a_request_without_exactly_two_colours_is_refused(server, query):
    answer = request(f"{server.url}api/difference{query}")
    assert answer.status == 400
    assert answer.json["error"]["code"] == "bad-color"


@pytest.mark.parametrize(
    "query",
    ["?from=red&to=red&to=red", "?from=red&from=red&to=red", "?" + "&".join(f"from={n}" for n in range(500))],
)
def test_a_request_with_a_colour_twice_is_refused(server, query):
    answer = request(f"{server.url}api/difference{query}")
    assert (answer.status, answer.json["error"]["code"]) == (400, "repeated-parameter")


def test_a_colour_of_a_megabyte_is_refused_and_the_server_keeps_running(server):
    with Raw(server) as client:
        client.try_to_send("GET /api/difference?to=red&from=" + "(" * 1_000_000 + " HTTP/1.1\r\n")
        client.try_to_send(f"Host: {client.host}\r\n\r\n")
        answer = client.all()
    assert answer == b"" or int(answer.split(b" ", 2)[1]) in (400, 414, 431)
    assert difference(server, "red", "red").json["deltaE00"] == 0
