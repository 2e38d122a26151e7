"""Switching from one camera to another while the program runs."""

import os
import urllib.request

import program
import pytest
import recorder
import websockets.exceptions
import websockets.sync.client

pytestmark = pytest.mark.skipif("SWATCHCAM_LAB" not in os.environ, reason="takes every camera: only in the lab")


@pytest.fixture(scope="session")
def pair(device_of):
    return [device_of("single-planar"), device_of("multi-planar")]


def serving(directory, port, device="auto", **camera):
    return recorder.serving(program.config(directory, device, port=port, **camera), port)


def toggle(port):
    return program.post(f"http://127.0.0.1:{port}/api/camera/toggle")


def is_of(camera):
    return lambda reading: reading["state"] == "live" and reading["camera"]["device"] == camera.node


def test_toggling_cycles_through_the_cameras_for_every_client(pair, tmp_path):
    port = program.free_port()
    with serving(tmp_path, port) as (_, one), recorder.Recorder(port).running() as other:
        for camera in (pair[1], pair[0], pair[1]):
            mark, mark_of_other = one.mark(), other.mark()
            status, answer = toggle(port)
            assert (status, answer["camera"]["device"]) == (200, camera.node)
            one.wait(is_of(camera), mark)
            other.wait(is_of(camera), mark_of_other)
        one.check_sequence()
        listed = program.get(f"http://127.0.0.1:{port}/api/cameras")["cameras"]
        assert [camera["device"] for camera in listed if camera["chosen"]] == [pair[1].node]


def test_choosing_a_camera_in_use_leaves_the_current_one_running(pair, tmp_path):
    port = program.free_port()
    holder = pair[1].hold()
    try:
        with serving(tmp_path, port) as (_, record):
            mark = record.mark()
            status, answer = toggle(port)
            assert (status, answer["error"]["code"]) == (409, "camera-unusable")
            assert f"v4l2-ctl (process {holder.pid})" in answer["error"]["message"]
            record.wait(is_of(pair[0]), mark)
            assert "busy" not in record.states(mark)
            record.check_sequence()
    finally:
        holder.kill()
        holder.communicate()


def test_the_chosen_camera_survives_a_restart_unless_the_configuration_names_another(pair, tmp_path):
    port = program.free_port()
    with serving(tmp_path, port) as (_, record):
        assert toggle(port)[0] == 200
        record.wait(is_of(pair[1]))
    for device, camera in (("auto", pair[1]), (pair[0].node, pair[0])):
        with serving(tmp_path, port, device) as (_, record):
            assert record.wait_for_state("live")["camera"]["device"] == camera.node


def test_an_edit_of_the_cameras_settings_opens_it_again(pair, tmp_path):
    """Its size, rate, format and the camera itself. An invalid edit changes nothing."""
    port = program.free_port()
    with serving(tmp_path, port, pair[0].node) as (_, record):
        for change, condition in (
            ({"width": 320, "height": 180}, lambda reading: reading["frame"]["width"] == 320),
            ({"fps": 900}, lambda reading: "camera.fps: 900 is out of range" in str(reading["notices"])),
            ({"format": "NV12"}, lambda reading: reading["frame"]["format"] == "NV12"),
            ({"device": pair[1].node}, is_of(pair[1])),
            ({"fps": 7, "width": 641}, lambda reading: "Requested 641x480 and 7 frames/s" in str(reading["notices"])),
        ):
            mark = record.mark()
            program.config(tmp_path, **{"device": pair[0].node, "port": port} | change)
            record.wait(
                lambda reading, holds=condition: reading["state"] == "live" and holds(reading), mark, str(change)
            )
        record.check_sequence()


def test_a_signal_ends_the_program_while_the_camera_streams(pair, tmp_path):
    """Every client is notified, and the camera is free afterwards."""
    port = program.free_port()
    path = program.config(tmp_path, pair[0].node, port=port)
    with (
        program.serving(path, port) as server,
        websockets.sync.client.connect(f"ws://127.0.0.1:{port}/ws") as socket,
        urllib.request.urlopen(f"http://127.0.0.1:{port}/stream.mjpg") as stream,
    ):
        assert stream.read(1000)
        server.terminate()
        with pytest.raises(websockets.exceptions.ConnectionClosed) as closed:
            while True:
                socket.recv()
        assert closed.value.rcvd.code == 1001
        assert server.wait(program.patience()) == 0
        holder = pair[0].hold()
        holder.kill()
        holder.communicate()


@pytest.mark.release
def test_many_switches_leak_no_descriptors_mappings_or_memory(pair, tmp_path):
    """The cameras are switched at full rate, without waiting for a picture."""
    port = program.free_port()
    with serving(tmp_path, port, fps=25) as (server, record):
        figures = {}
        times, looks = program.repetitions(500)
        for count in range(1, times + 1):
            status, answer = toggle(port)
            assert (status, answer["camera"]["device"]) == (200, pair[count % 2].node)
            if count in looks:
                # Readings are of the camera just chosen, so no state is stuck.
                record.wait(is_of(pair[count % 2]), record.mark())
                figures[count] = program.footprint(server.pid)
        record.check_sequence()
    print(program.table(figures, "switches"), end="")
    program.check_leaks(figures)
