"""Measures what a reading costs, compared with its rivals in the same run: make bench

Prints the median time per frame, in microseconds, of four ways to process the same bytes on one core: reading them only
(the limit that memory sets), the program's mean, the same sums in C at -O3, and OpenCV's cvtColor and mean. The frames
lie in a ring larger than any cache, and the rivals take turns. The pictures are calm (no colour out of range), bars
(saturated colour bars, all pixels at the edge of the range) and noise (most colours out of range).
"""

import ctypes
import platform
import statistics
import time

import cv2
import numpy as np

RING = 512 << 20  # bytes; the largest cache here has 32 MiB
ROUNDS = 41
SIZES = ((640, 480), (1920, 1080))
ENCODED_SIZES = ((640, 480), (1280, 720), (1920, 1080))
# Bytes per pixel, in twelfths; OpenCV's conversion, if it needs one.
FORMATS = {
    "YUYV": (24, cv2.COLOR_YUV2BGR_YUYV),
    "NV12": (18, cv2.COLOR_YUV2BGR_NV12),
    "RGB3": (36, None),
    "XR24": (48, None),
}
BUILT = "Benchmarks/.build/release/lib{}.so"


def libraries():
    bench, rivals = (ctypes.CDLL(BUILT.format(name)) for name in ("Bench", "Rivals"))
    bench.bench_mean.restype = ctypes.c_double
    bench.bench_mean.argtypes = [ctypes.c_char_p, ctypes.c_void_p] + [ctypes.c_ssize_t] * 4
    bench.bench_statistics.restype = ctypes.c_double
    bench.bench_statistics.argtypes = bench.bench_mean.argtypes
    bench.bench_probes.restype = ctypes.c_double
    bench.bench_probes.argtypes = [*bench.bench_mean.argtypes, ctypes.c_ssize_t, ctypes.c_ssize_t, ctypes.c_double]
    for rival in (rivals.rival_yuyv, rivals.rival_nv12):
        rival.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p]
    rivals.rival_rgb.argtypes = [ctypes.c_void_p] + [ctypes.c_size_t] * 3 + [ctypes.c_void_p]
    rivals.rival_read.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    rivals.rival_read.restype = ctypes.c_uint64
    bench.bench_jpeg.restype = ctypes.c_double
    bench.bench_jpeg.argtypes = [ctypes.c_void_p] + [ctypes.c_ssize_t] * 3
    bench.bench_encode.restype = ctypes.c_ssize_t
    bench.bench_encode.argtypes = bench.bench_mean.argtypes
    rivals.rival_jpeg.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    rivals.rival_encode.argtypes = [ctypes.c_int] * 3 + [ctypes.c_void_p]
    return bench, rivals


def frame(kind, fourcc, width, height):
    """The bytes of one picture."""
    random = np.random.default_rng(1)
    size = width * height * FORMATS[fourcc][0] // 12
    if kind == "noise":
        return random.integers(0, 256, size, dtype=np.uint8)
    if kind == "calm" or fourcc in ("RGB3", "XR24"):
        return random.integers(110, 146, size, dtype=np.uint8)
    # White, yellow, cyan, green, magenta, red, blue, black: Y, Cb, Cr of BT.601.
    colors = ((235, 128, 128), (210, 16, 146), (170, 166, 16), (145, 54, 34), (106, 202, 222), (81, 90, 240))
    colors += ((41, 240, 110), (16, 128, 128))
    bars = np.array(colors, dtype=np.uint8)[np.arange(width) * 8 // width]
    if fourcc == "YUYV":
        row = np.empty(width * 2, dtype=np.uint8)
        row[0::2], row[1::4], row[3::4] = bars[:, 0], bars[0::2, 1], bars[0::2, 2]
        return np.tile(row, height)
    chroma = np.empty(width, dtype=np.uint8)
    chroma[0::2], chroma[1::2] = bars[0::2, 1], bars[0::2, 2]
    return np.concatenate([np.tile(bars[:, 0], height), np.tile(chroma, height // 2)])


def by_opencv(fourcc, data, width, height):
    shape = {"YUYV": (height, width, 2), "NV12": (height * 3 // 2, width), "RGB3": (height, width, 3)}
    picture = data.reshape(shape.get(fourcc, (height, width, 4)))
    conversion = FORMATS[fourcc][1]
    return cv2.mean(picture if conversion is None else cv2.cvtColor(picture, conversion))


def contenders(bench, rivals, fourcc, width, height):
    """Functions of a frame's array, by name."""
    sums = (ctypes.c_uint64 * 3)()
    line = FORMATS[fourcc][0] * width // 12 if fourcc != "NV12" else width
    in_c = {"YUYV": rivals.rival_yuyv, "NV12": rivals.rival_nv12}.get(fourcc)

    def rgb(data):
        rivals.rival_rgb(data.ctypes.data, width, height, FORMATS[fourcc][0] // 12, sums)

    return {
        "read": lambda data: rivals.rival_read(data.ctypes.data, data.nbytes),
        "swatchcam": lambda data: bench.bench_mean(fourcc.encode(), data.ctypes.data, data.nbytes, width, height, line),
        "C -O3": (lambda data: in_c(data.ctypes.data, width, height, sums)) if in_c else rgb,
        "OpenCV": lambda data: by_opencv(fourcc, data, width, height),
    }


def measured(functions, ring):
    """The median time of each function, in microseconds. The first round only warms up."""
    times = {name: [] for name in functions}
    place = 0
    for _ in range(ROUNDS + 1):
        for name, function in functions.items():
            place = (place + 1) % len(ring)
            begin = time.perf_counter_ns()
            function(ring[place])
            times[name].append((time.perf_counter_ns() - begin) / 1000)
    return {name: statistics.median(all_times[1:]) for name, all_times in times.items()}


def scene(width, height):
    """A picture like a camera's, with soft shapes and sensor noise, as B, G, R."""
    random = np.random.default_rng(2)
    small = random.integers(30, 220, (9, 16, 3), dtype=np.uint8)
    soft = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    return np.clip(soft + random.normal(0, 4, soft.shape), 0, 255).astype(np.uint8)


def decoders(bench, rivals, width, height):
    return {
        "swatchcam": lambda data: bench.bench_jpeg(data.ctypes.data, data.nbytes, width, height),
        "libjpeg-turbo": lambda data: rivals.rival_jpeg(data.ctypes.data, data.nbytes),
        "OpenCV": lambda data: cv2.mean(cv2.imdecode(data, cv2.IMREAD_COLOR)),
    }


def encoders(bench, rivals, fourcc, shape, planes):
    (width, height, line), (flat, is_420) = shape, planes
    return {
        "swatchcam": lambda data: bench.bench_encode(
            fourcc.encode(), data.ctypes.data, data.nbytes, width, height, line
        ),
        "libjpeg-turbo": lambda _: rivals.rival_encode(width, height, is_420, flat.ctypes.data),
    }


def statistics_by_opencv(fourcc, data, width, height):
    """Mean, standard deviation and histogram of every pixel."""
    shape = {"YUYV": (height, width, 2), "NV12": (height * 3 // 2, width), "RGB3": (height, width, 3)}
    picture = data.reshape(shape.get(fourcc, (height, width, 4)))
    conversion = FORMATS[fourcc][1]
    picture = picture if conversion is None else cv2.cvtColor(picture, conversion)
    cv2.meanStdDev(picture)
    for channel in range(3):
        cv2.calcHist([picture], [channel], None, [256], [0, 256])


def print_statistics(bench, rivals):
    print("\nThe mean with all statistics, compared with OpenCV's cvtColor, meanStdDev and calcHist:\n")
    print("| format | size | picture | read | Swatchcam | OpenCV | Swatchcam / read | OpenCV / Swatchcam |")
    print("|---|---|---|--:|--:|--:|--:|--:|")
    for width, height in SIZES:
        for fourcc in FORMATS:
            line = FORMATS[fourcc][0] * width // 12 if fourcc != "NV12" else width
            name = fourcc.encode()
            functions = {
                "read": lambda data: rivals.rival_read(data.ctypes.data, data.nbytes),
                "swatchcam": lambda data, name=name, shape=(width, height, line): bench.bench_statistics(
                    name, data.ctypes.data, data.nbytes, *shape
                ),
                "OpenCV": lambda data, fourcc=fourcc, shape=(width, height): statistics_by_opencv(fourcc, data, *shape),
            }
            for kind in ("calm", "bars", "noise") if fourcc in ("YUYV", "NV12") else ("noise",):
                data = frame(kind, fourcc, width, height)
                took = measured(functions, np.tile(data, (RING // data.nbytes, 1)))
                cells = [fourcc, f"{width}x{height}", kind, *(f"{time:.0f}" for time in took.values())]
                cells += [f"{took['swatchcam'] / took['read']:.1f}", f"{took['OpenCV'] / took['swatchcam']:.1f}"]
                print(f"| {' | '.join(cells)} |", flush=True)


def print_probes(bench):
    print("\nProbes in the middle of the cells of a grid, compared with one region of the same total area:\n")
    print(
        "| format | size | picture | probes | share of the picture | probes, µs | one region, µs | probes / region | "
        "probes / region in the cache |"
    )
    print("|---|---|---|--:|--:|--:|--:|--:|--:|")
    for (width, height), (rows, columns) in (((1920, 1080), (4, 4)), ((640, 480), (8, 12))):
        for share in (0.25, 0.5, 1.0):
            for kind in ("calm", "noise"):
                data = frame(kind, "YUYV", width, height)
                took, cached = {}, {}
                # Each is measured alone, because the library keeps the analysers of one of them.
                for name, grid in (("probes", rows), ("region", 0)):
                    place = (width, height, 2 * width, grid, columns, share)
                    function = {
                        name: lambda data, place=place: bench.bench_probes(
                            b"YUYV", data.ctypes.data, data.nbytes, *place
                        )
                    }
                    took |= measured(function, np.tile(data, (RING // data.nbytes, 1)))
                    cached |= measured(function, data.reshape(1, -1))
                cells = ["YUYV", f"{width}x{height}", kind, str(rows * columns), f"{100 * share * share:.0f} %"]
                cells += [f"{time:.0f}" for time in took.values()]
                cells += [f"{times['probes'] / times['region']:.2f}" for times in (took, cached)]
                print(f"| {' | '.join(cells)} |", flush=True)


def print_raw(bench, rivals):
    print("\nThe mean of a sensor's raw frame with all statistics, 10 bits packed, in linear light, above black:\n")
    print("| format | size | read | mean | with statistics | mean / read | with statistics / read |")
    print("|---|---|--:|--:|--:|--:|--:|")
    width, height = 1640, 1232
    line = width * 5 // 4
    shape = (width, height, line)
    functions = {
        "read": lambda data: rivals.rival_read(data.ctypes.data, data.nbytes),
        "mean": lambda data: bench.bench_mean(b"pBAA", data.ctypes.data, data.nbytes, *shape),
        "statistics": lambda data: bench.bench_statistics(b"pBAA", data.ctypes.data, data.nbytes, *shape),
    }
    data = np.random.default_rng(1).integers(0, 256, line * height, dtype=np.uint8)
    took = measured(functions, np.tile(data, (RING // data.nbytes, 1)))
    cells = ["pBAA", f"{width}x{height}", *(f"{time:.0f}" for time in took.values())]
    cells += [f"{took[name] / took['read']:.1f}" for name in ("mean", "statistics")]
    print(f"| {' | '.join(cells)} |", flush=True)


def print_decoding(bench, rivals):
    print("\nThe mean of one MJPG image (4:2:2, quality 90), compared with libjpeg-turbo's decoding alone:\n")
    print("| size | Swatchcam | libjpeg-turbo | OpenCV | Swatchcam / libjpeg-turbo |")
    print("|---|--:|--:|--:|--:|")
    for width, height in SIZES:
        options = [cv2.IMWRITE_JPEG_QUALITY, 90, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_422]
        data = cv2.imencode(".jpg", scene(width, height), options)[1].reshape(-1)
        ring = np.tile(data, (max(8, (64 << 20) // data.nbytes), 1))
        took = measured(decoders(bench, rivals, width, height), ring)
        cells = [f"{width}x{height}", *(f"{t:.0f}" for t in took.values())]
        print(f"| {' | '.join(cells)} | {took['swatchcam'] / took['libjpeg-turbo']:.2f} |", flush=True)


def print_encoding(bench, rivals):
    print("\nA live picture, from a raw frame to JPEG, compared with libjpeg-turbo's encoding of ready-made planes:\n")
    print("| format | size | Swatchcam | libjpeg-turbo | Swatchcam / libjpeg-turbo |")
    print("|---|---|--:|--:|--:|")
    for width, height in ENCODED_SIZES:
        picture = scene(width, height)
        luma, red, blue = cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb))
        half = [np.ascontiguousarray(plane[:, ::2]) for plane in (blue, red)]
        quarter = [np.ascontiguousarray(plane[::2, ::2]) for plane in (blue, red)]
        packed = np.stack(
            [luma.reshape(-1, 2)[:, 0], half[0].ravel(), luma.reshape(-1, 2)[:, 1], half[1].ravel()], axis=1
        )
        frames = {
            "YUYV": (packed.ravel(), width * 2, [luma, *half], 0),
            "NV12": (
                np.concatenate([luma.ravel(), np.stack([q.ravel() for q in quarter], axis=1).ravel()]),
                width,
                [luma, *quarter],
                1,
            ),
            "RGB3": (np.ascontiguousarray(picture[:, :, ::-1]).ravel(), width * 3, [luma, *quarter], 1),
        }
        for fourcc, (data, line, planes, is_420) in frames.items():
            # The chroma planes begin where those of 4:2:2 would, whatever the subsampling.
            flat = np.zeros(width * height * 2, dtype=np.uint8)
            for index, plane in enumerate(planes):
                start = (0, width * height, width * height * 3 // 2)[index]
                flat[start : start + plane.size] = plane.ravel()
            ring = np.tile(data, (RING // data.nbytes, 1))
            took = measured(encoders(bench, rivals, fourcc, (width, height, line), (flat, is_420)), ring)
            cells = [fourcc, f"{width}x{height}", *(f"{t:.0f}" for t in took.values())]
            print(f"| {' | '.join(cells)} | {took['swatchcam'] / took['libjpeg-turbo']:.2f} |", flush=True)


def main():
    cv2.setNumThreads(1)
    bench, rivals = libraries()
    print(f"Microseconds per frame, medians of {ROUNDS}, on {platform.machine()} with OpenCV {cv2.__version__}:\n")
    print("| format | size | picture | read | Swatchcam | C -O3 | OpenCV | Swatchcam / read | OpenCV / Swatchcam |")
    print("|---|---|---|--:|--:|--:|--:|--:|--:|")
    for width, height in SIZES:
        for fourcc in FORMATS:
            functions = contenders(bench, rivals, fourcc, width, height)
            for kind in ("calm", "bars", "noise") if fourcc in ("YUYV", "NV12") else ("noise",):
                data = frame(kind, fourcc, width, height)
                ring = np.tile(data, (RING // data.nbytes, 1))
                took = measured(functions, ring)
                cells = [fourcc, f"{width}x{height}", kind, *(f"{time:.0f}" for time in took.values())]
                cells += [f"{took['swatchcam'] / took['read']:.1f}", f"{took['OpenCV'] / took['swatchcam']:.1f}"]
                print(f"| {' | '.join(cells)} |", flush=True)
    print_statistics(bench, rivals)
    print_probes(bench)
    print_raw(bench, rivals)
    print_decoding(bench, rivals)
    print_encoding(bench, rivals)


if __name__ == "__main__":
    main()
