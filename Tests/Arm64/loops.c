// Runs the loops of Sources/CPixels without Swift, on random pictures. test_loops.py builds it for several kinds of
// processor, and its output must be the same on all of them.
//
//   loops SEED COUNT
//
// Makes COUNT calls of each function on memory that ends where the picture does, compares each result with the definition,
// and prints it.

#include "CPixels.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void fail(const char *what) {
    fprintf(stderr, "loops: %s\n", what);
    exit(1);
}

// MARK: Memory

/// Bytes between inaccessible pages.
typedef struct {
    uint8_t *pages, *bytes;
    size_t length;
} memory;

/// The place of the bytes: right after the inaccessible page before them, right before the one after them, or anywhere
/// between.
typedef enum { AT_START, AT_END, ANYWHERE } alignment;

static memory memory_of(size_t count, alignment where, size_t misalignment) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t inner = (count + 64 + page - 1) / page * page;
    memory result = {.length = inner + 2 * page};
    result.pages = mmap(NULL, result.length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (result.pages == MAP_FAILED) fail("no memory");
    if (mprotect(result.pages + page, inner, PROT_READ | PROT_WRITE) != 0) fail("the memory cannot be made writable");
    result.bytes = result.pages + page;
    if (where == AT_END) result.bytes += inner - count;
    if (where == ANYWHERE) result.bytes += misalignment % 64;
    return result;
}

static void free_memory(memory memory) { munmap(memory.pages, memory.length); }

// MARK: Chance

/// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
static uint64_t state;

static uint64_t chance(void) {
    uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

/// Returns a random number from `least` to `most`, both included.
static size_t between(size_t least, size_t most) { return least + (size_t)(chance() % (most - least + 1)); }

static memory random_memory(size_t count) {
    const alignment where = (alignment)between(AT_START, ANYWHERE);
    memory result = memory_of(count, where, between(0, 63));
    // Any code values; only those that need no clamping as Y'CbCr; stretches of both in turn; or stretches of one
    // colour with little noise.
    const size_t kind = between(0, 3);
    uint8_t color[4] = {0};
    for (size_t index = 0; index < count; index++) {
        bool is_calm = kind == 1 || (kind == 2 && index / 1500 % 2 == 0);
        result.bytes[index] = (uint8_t)(is_calm ? between(118, 138) : between(0, 255));
        if (kind == 3 && index % 1500 < 4) color[index % 4] = result.bytes[index] & 0xFC;
        if (kind == 3) result.bytes[index] = (uint8_t)(color[index % 4] + result.bytes[index] % 4);
    }
    return result;
}

static size_t random_width(void) { return between(0, 1) ? between(1, 40) : between(1, 1400); }

// MARK: Y'CbCr

/// The matrix as MatrixLoop.swift makes it.
static cpixels_matrix matrix_of(double kr, double kb, bool is_full) {
    const int32_t white = 1 << 25;
    const double unit = white / 255.0, luma = is_full ? 255 : 219, chroma = is_full ? 255 : 224, kg = 1 - kr - kb;
    const double r_cr = 2 * (1 - kr) * 255 / chroma, b_cb = 2 * (1 - kb) * 255 / chroma;
    cpixels_matrix m = {.y = (int32_t)lround(255 / luma * unit),
                        .r_cr = (int32_t)lround(r_cr * unit),
                        .g_cb = (int32_t)lround(-b_cb * kb / kg * unit),
                        .g_cr = (int32_t)lround(-r_cr * kr / kg * unit),
                        .b_cb = (int32_t)lround(b_cb * unit),
                        .white = white};
    const int32_t black = (int32_t)lround(255 / luma * (is_full ? 0 : 16) * unit);
    m.r_0 = -black - 128 * m.r_cr;
    m.g_0 = -black - 128 * (m.g_cb + m.g_cr);
    m.b_0 = -black - 128 * m.b_cb;
    return m;
}

static uint64_t clamped(int64_t channel, int32_t white) {
    return (uint64_t)(channel < 0 ? 0 : channel > white ? white : channel);
}

/// The definition, pixel by pixel.
static cpixels_sums sums_by_definition(const cpixels_rows *rows, size_t first, size_t end, const cpixels_matrix *m) {
    cpixels_sums sums = {0};
    for (int32_t row = 0; row < rows->rows; row++) {
        for (size_t x = first; x < end; x++) {
            int64_t y = rows->y.first[row * rows->y_stride + (ptrdiff_t)x * rows->y.step];
            int64_t cb = rows->cb.first[(x >> rows->cb.shift) * (size_t)rows->cb.step];
            int64_t cr = rows->cr.first[(x >> rows->cr.shift) * (size_t)rows->cr.step];
            sums.r += clamped(m->y * y + m->r_cr * cr + m->r_0, m->white);
            sums.g += clamped(m->y * y + m->g_cb * cb + m->g_cr * cr + m->g_0, m->white);
            sums.b += clamped(m->y * y + m->b_cb * cb + m->b_0, m->white);
        }
    }
    return sums;
}

/// Checks the sums of random rows, in any of the layouts that formats have. Each plane has memory of its own.
static void random_ycbcr(void) {
    static const double coefficients[4][2] = {{0.299, 0.114}, {0.2126, 0.0722}, {0.2627, 0.0593}, {0.212, 0.087}};
    const double *k = coefficients[between(0, 3)];
    const cpixels_matrix m = matrix_of(k[0], k[1], between(0, 1));
    const size_t width = random_width(), padding = between(0, 1) * between(0, 40);
    const size_t kind = between(0, 3);
    cpixels_rows rows = {.rows = 1};
    memory planes[3] = {0};
    size_t count = 0;
    if (kind == 0) {
        // Packed, chroma shared by two: luma in the even or the odd bytes.
        const size_t odd = between(0, 1), swap = between(0, 1), cells = (width + 1) / 2;
        // Up to the last sample of the last pixel, and no byte more.
        const size_t y = odd, cb = 1 - odd + 2 * swap, cr = 3 - odd - 2 * swap;
        const size_t last_chroma = 4 * (cells - 1) + (cb > cr ? cb : cr), last_luma = 2 * (width - 1) + y;
        planes[count++] = random_memory((last_chroma > last_luma ? last_chroma : last_luma) + 1);
        rows.y = (cpixels_samples){planes[0].bytes + y, 2, 0};
        rows.cb = (cpixels_samples){planes[0].bytes + cb, 4, 1};
        rows.cr = (cpixels_samples){planes[0].bytes + cr, 4, 1};
    } else if (kind == 1) {
        // Packed, three or four bytes a pixel.
        const size_t step = between(3, 4), turn = between(0, step - 1), flip = between(0, 1);
        const size_t y = flip ? turn : 0, cb = (y + 1) % step, cr = (y + 2) % step;
        size_t last = y > cb ? y : cb;
        if (cr > last) last = cr;
        planes[count++] = random_memory((width - 1) * step + last + 1);
        rows.y = (cpixels_samples){planes[0].bytes + y, (int32_t)step, 0};
        rows.cb = (cpixels_samples){planes[0].bytes + cb, (int32_t)step, 0};
        rows.cr = (cpixels_samples){planes[0].bytes + cr, (int32_t)step, 0};
    } else {
        rows.rows = (int32_t)between(1, 4);
        rows.y_stride = (ptrdiff_t)(width + padding);
        planes[count++] = random_memory((size_t)(rows.rows - 1) * (width + padding) + width);
        rows.y = (cpixels_samples){planes[0].bytes, 1, 0};
        const int32_t shift = (int32_t)between(0, 2);
        const size_t samples = ((width - 1) >> shift) + 1;
        if (kind == 2) {
            planes[count++] = random_memory(samples);
            planes[count++] = random_memory(samples);
            rows.cb = (cpixels_samples){planes[1].bytes, 1, shift};
            rows.cr = (cpixels_samples){planes[2].bytes, 1, shift};
        } else {
            const size_t swap = between(0, 1);
            planes[count++] = random_memory(2 * samples);
            rows.cb = (cpixels_samples){planes[1].bytes + swap, 2, shift};
            rows.cr = (cpixels_samples){planes[1].bytes + 1 - swap, 2, shift};
        }
    }
    size_t first = 0, end = width;
    if (between(0, 1)) {
        first = between(0, width - 1);
        end = between(first, width);
    }
    cpixels_sums sums = {0};
    cpixels_checks checks = {.unchecked = (uint32_t)between(0, 1)};
    cpixels_add_ycbcr(&rows, first, end, &m, &checks, &sums);
    printf("ycbcr %zu, %zu x %d, %zu..<%zu: %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", kind, width, rows.rows, first, end,
           sums.r, sums.g, sums.b);
    const cpixels_sums wanted = sums_by_definition(&rows, first, end, &m);
    if (memcmp(&sums, &wanted, sizeof sums) != 0) fail("the last sums are not those of the pixels");
    for (size_t index = 0; index < count; index++) free_memory(planes[index]);
}

/// Checks the sums of random bands of packed rows.
static void random_packed(void) {
    const cpixels_matrix m = matrix_of(0.299, 0.114, between(0, 1));
    const size_t cells = (random_width() + 1) / 2, height = between(1, CPIXELS_BAND);
    const size_t stride = 4 * cells + between(0, 1) * between(0, 40), odd = between(0, 1), swap = between(0, 2) == 0;
    // No byte behind the last sample.
    memory bytes = random_memory((height - 1) * stride + 4 * cells);
    cpixels_rows rows = {.y = {bytes.bytes + odd, 2, 0},
                         .cb = {bytes.bytes + 1 - odd + 2 * swap, 4, 1},
                         .cr = {bytes.bytes + 3 - odd - 2 * swap, 4, 1},
                         .rows = (int32_t)height,
                         .y_stride = (ptrdiff_t)stride};
    const size_t first = between(0, 2 * cells - 1), end = between(first, 2 * cells);
    cpixels_sums sums = {0}, wanted = {0};
    cpixels_checks checks = {0};
    if (!cpixels_add_packed(&rows, first, end, &m, &checks, &sums)) fail("packed rows are not taken for such");
    printf("packed %zu x %zu, %zu..<%zu: %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", cells, height, first, end, sums.r,
           sums.g, sums.b);
    for (size_t row = 0; row < height; row++) {
        cpixels_rows one = rows;
        one.rows = 1;
        one.y.first += row * stride, one.cb.first += row * stride, one.cr.first += row * stride;
        const cpixels_sums more = sums_by_definition(&one, first, end, &m);
        wanted.r += more.r, wanted.g += more.g, wanted.b += more.b;
    }
    if (memcmp(&sums, &wanted, sizeof sums) != 0) fail("the last sums are not those of the pixels");
    free_memory(bytes);
}

// MARK: Bytes

static void random_bytes(void) {
    const size_t step = between(1, 4), count = random_width() * step, rows = between(1, 9);
    const size_t stride = count + between(0, 1) * between(0, 40);
    const bool is_limited = between(0, 1);
    const uint8_t low = is_limited ? 16 : 0, high = is_limited ? 235 : 255;
    memory picture = random_memory((rows - 1) * stride + count);
    uint64_t sums[12] = {0}, of_component[4] = {0}, wanted[4] = {0};
    cpixels_add_bytes(picture.bytes, count, step, rows, (ptrdiff_t)stride, low, high, sums);
    printf("bytes %zu, %zu x %zu, %d...%d:", step, count, rows, low, high);
    for (size_t lane = 0; lane < 12; lane++) of_component[lane % step] += sums[lane];
    for (size_t offset = 0; offset < step; offset++) printf(" %" PRIu64, of_component[offset]);
    printf("\n");
    for (size_t row = 0; row < rows; row++) {
        for (size_t index = 0; index < count; index++) {
            uint8_t byte = picture.bytes[row * stride + index];
            wanted[index % step] += byte < low ? low : byte > high ? high : byte;
        }
    }
    if (memcmp(of_component, wanted, sizeof wanted) != 0) fail("the last sums are not those of the bytes");
    free_memory(picture);
}

// MARK: Copies

static void random_copies(void) {
    // From limited range to full, for luma and for chroma, and no change. Any other rescaling is random.
    static const cpixels_rescaling some[3] = {{19077, 8192 - 19077 * 16}, {18651, (128 << 14) + 8192 - 18651 * 128},
                                              {1 << 14, 1 << 13}};
    const size_t kind = between(0, 3), step = between(1, 6), count = random_width();
    const cpixels_rescaling any = {(int16_t)((int)between(0, 65535) - 32768), (int32_t)between(0, 1 << 23) - (1 << 22)};
    const cpixels_rescaling rescaling = kind < 3 ? some[kind] : any;
    memory samples = random_memory((count - 1) * step + 1), copies = random_memory(count);
    cpixels_copy_samples(samples.bytes, step, count, &rescaling, copies.bytes);
    // Fowler, Noll and Vo's hash (FNV-1a).
    uint64_t hash = 0xCBF29CE484222325;
    bool is_right = true;
    for (size_t index = 0; index < count; index++) {
        hash = (hash ^ copies.bytes[index]) * 0x100000001B3;
        double value = floor((rescaling.scale * (double)samples.bytes[index * step] + rescaling.offset) / (1 << 14));
        is_right = is_right && copies.bytes[index] == (value < 0 ? 0 : value > 255 ? 255 : value);
    }
    printf("copies %zu, %zu, %d, %d: %016" PRIx64 "\n", step, count, rescaling.scale, rescaling.offset, hash);
    if (!is_right) fail("the last copies are not those of the samples");
    free_memory(samples);
    free_memory(copies);
}

// MARK: Light

static void random_light(void) {
    const size_t count = random_width() * (size_t)3;
    cpixels_gain gain;
    for (size_t channel = 0; channel < 3; channel++) {
        gain.scale[channel] = (int32_t)between(0, 65535);
        gain.offset[channel] = (int32_t)between(0, 1 << 20) - (1 << 19);
        gain.dark_scale[channel] = (int32_t)between(0, 65535);
    }
    memory scene = random_memory(count), picture = random_memory(count);
    // Aligned to two bytes, as the numbers need.
    memory bytes = memory_of(2 * count, (alignment)between(AT_START, ANYWHERE), 2 * between(0, 31));
    int16_t *noise = (int16_t *)(void *)bytes.bytes;
    for (size_t index = 0; index < count; index++) noise[index] = (int16_t)((int)between(0, 3060) - 1530);
    cpixels_light(scene.bytes, noise, count, &gain, picture.bytes);
    // Fowler, Noll and Vo's hash (FNV-1a).
    uint64_t hash = 0xCBF29CE484222325;
    bool is_right = true;
    for (size_t index = 0; index < count; index++) {
        hash = (hash ^ picture.bytes[index]) * 0x100000001B3;
        const double code = scene.bytes[index];
        const double light = code <= 10 ? code * gain.dark_scale[index % 3]
                                        : code * gain.scale[index % 3] + gain.offset[index % 3];
        const double value = floor(light / 32768 + noise[index] / 256.0 + 0.5);
        is_right = is_right && picture.bytes[index] == (value < 0 ? 0 : value > 255 ? 255 : value);
    }
    printf("light %zu: %016" PRIx64 "\n", count, hash);
    if (!is_right) fail("the last picture is not that of the scene");
    free_memory(scene);
    free_memory(picture);
    free_memory(bytes);
}

// MARK: Counts

static int by_code(const void *one, const void *other) { return *(const uint8_t *)one - *(const uint8_t *)other; }

/// The counts of pixels by the definition.
typedef struct {
    cpixels_tally tally;
    size_t codes[768];
} counts;

static counts counts_by_definition(const uint64_t *pixels, size_t count, const uint64_t *curve) {
    static uint32_t in_bin[32][32][32];
    memset(in_bin, 0, sizeof in_bin);
    counts result = {0};
    uint64_t (*values)[3] = calloc(count, sizeof *values);
    size_t (*bins)[3] = calloc(count, sizeof *bins);
    uint8_t *codes[3] = {malloc(count), malloc(count), malloc(count)};
    if (values == NULL || bins == NULL || codes[0] == NULL || codes[1] == NULL || codes[2] == NULL) fail("no memory");
    for (size_t index = 0; index < count; index++) {
        bool is_outside = false;
        for (size_t channel = 0; channel < 3; channel++) {
            const int64_t field = (int64_t)(pixels[index] >> (21 * channel) & 0x1FFFFF) - (1 << 20);
            is_outside = is_outside || field * 510.0 / 262143 < -1 || field * 510.0 / 262143 > 511;
            const uint64_t value = clamped(field, 262143);
            const size_t code = (size_t)floor((double)value * 255 / 262143 + 0.5);
            values[index][channel] = value;
            bins[index][channel] = code / 8;
            codes[channel][index] = (uint8_t)code;
            result.codes[256 * channel + code]++;
            result.tally.sum[channel] += value;
            result.tally.squares[channel] += value * value;
            const uint64_t piece = curve[(value + 20) / 128], t = (value + 20) % 128;
            const uint64_t a = piece >> 33, b = piece >> 10 & 0x7FFFFF, c = piece & 0x3FF;
            result.tally.light[channel] += a + (b * t + c * t * t / 64 + 256) / 512 - 8192;
        }
        result.tally.out_of_gamut += is_outside;
        in_bin[bins[index][0]][bins[index][1]][bins[index][2]]++;
    }
    size_t fullest = 0;
    const uint32_t *in = &in_bin[0][0][0];
    for (size_t bin = 0; bin < 32768; bin++) fullest = in[bin] > in[fullest] ? bin : fullest;
    for (size_t index = 0; index < count; index++) {
        const ptrdiff_t r = (ptrdiff_t)bins[index][0] - (ptrdiff_t)(fullest >> 10),
                        g = (ptrdiff_t)bins[index][1] - (ptrdiff_t)(fullest >> 5 & 31),
                        b = (ptrdiff_t)bins[index][2] - (ptrdiff_t)(fullest & 31);
        if (labs(r) > 1 || labs(g) > 1 || labs(b) > 1) continue;
        result.tally.dominant.pixels++;
        for (size_t channel = 0; channel < 3; channel++) {
            result.tally.dominant.sum[channel] += values[index][channel];
        }
    }
    for (size_t channel = 0; channel < 3; channel++) {
        uint8_t *sorted = codes[channel];
        qsort(sorted, count, 1, by_code);
        result.tally.order[channel] =
            (cpixels_order){sorted[0], sorted[(count - 1) / 2], sorted[count / 2], sorted[count - 1]};
        free(sorted);
    }
    free(values);
    free(bins);
    return result;
}

static void random_counts(void) {
    const size_t count = random_width();
    uint64_t curve[CPIXELS_CURVE];
    for (size_t piece = 0; piece < CPIXELS_CURVE; piece++) {
        curve[piece] = (uint64_t)between(8192, 1 << 30) << 33 | between(0, (1 << 23) - 1) << 10 | between(0, 1023);
    }
    memory bytes = memory_of(8 * count, AT_END, 0), room = memory_of(2 * count, AT_END, 0);
    uint64_t *pixels = (uint64_t *)(void *)bytes.bytes;
    // Any colours; a few, so that many are equal; or colours near the ends of the range.
    const size_t kind = between(0, 2), few = between(1, 40);
    for (size_t index = 0; index < count; index++) {
        pixels[index] = 0;
        for (size_t channel = 0; channel < 3; channel++) {
            const size_t value = kind == 0   ? between(0, (1 << 21) - 1)
                                 : kind == 1 ? (1 << 20) + between(0, few) * 1028
                                             : (1 << 20) + 262143 * between(0, 1) + between(0, 1100) - 550;
            pixels[index] |= (uint64_t)value << (21 * channel);
        }
    }
    counts found = {0};
    cpixels_add_statistics(pixels, count, curve, (uint16_t *)(void *)room.bytes, found.codes, found.codes + 256,
                           found.codes + 512, &found.tally);
    const counts wanted = counts_by_definition(pixels, count, curve);
    cpixels_sums light = {0};
    cpixels_add_light(pixels, count, curve, &light);
    const cpixels_group dominant = found.tally.dominant;
    printf("counts %zu, %zu: %" PRIu64 " %" PRIu64 " %" PRIu64 ", %" PRIu64 " of %" PRIu64 "\n", kind, count, light.r,
           light.g, light.b, dominant.pixels, dominant.sum[0] + dominant.sum[1] + dominant.sum[2]);
    if (memcmp(&found, &wanted, sizeof found) != 0) fail("the last counts are not those of the pixels");
    const uint64_t *of_tally = wanted.tally.light;
    if (light.r != of_tally[0] || light.g != of_tally[1] || light.b != of_tally[2]) fail("the last light differs");
    free_memory(bytes);
    free_memory(room);
}

int main(int count, char **arguments) {
    if (count != 3) fail("see the top of loops.c");
    state = strtoull(arguments[1], NULL, 10);
    printf("page size %ld\n", sysconf(_SC_PAGESIZE));
    for (unsigned long left = strtoul(arguments[2], NULL, 10); left > 0; left--) {
        random_ycbcr();
        random_packed();
        random_bytes();
        random_copies();
        random_light();
        random_counts();
    }
    return 0;
}
