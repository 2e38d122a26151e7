// How a run of pixels is handled
//
// cpixels_add_ycbcr cuts the rows that share chroma into runs of 256 to 1024 pixels. For each run, add_linear first
// reads the bytes once and takes the sum, the minimum and the maximum of those at each position (`lanes`), which give
// the sum and the range of Y', Cb and Cr (`range`). These ranges bound every channel of every pixel in the run. If all
// bounds lie within 0...white, no pixel needs clamping. The conversion is then linear, so applying the matrix once to
// the three sums gives exactly the same as converting each pixel. Otherwise add_clamped converts and clamps each pixel:
// eight pairs at a time if pairs share chroma in a common layout, else pixels one by one. A failed check costs time.
// The more of them fail in a row, the more of the next runs, eight at most, are therefore clamped without a check.
// Pixels at either end that share chroma with pixels outside of the columns are added one by one.

#include "CPixels.h"
#include "Target.h"

#include <stdbool.h>
#include <string.h>

/// The number of pixels in a run of a row with two bytes a pixel. A planar row has twice as many, a row with three or
/// four bytes a pixel half as many. It is large, because some work is done once a run, but small enough that 16 bits
/// hold the sum of a lane and that bytes read twice are still in the first-level cache.
enum { RUN = 512 };
/// The distance in bytes between the byte being added and the byte being prefetched, measured with rows of 1920 pixels.
enum { LOOK_AHEAD = 3072 };
/// The number of pairs of pixels that are converted together: two registers of NEON, one of AVX2.
enum { PAIRS = 8 };
/// The number of pairs whose channels can be added up in 32 bits in each lane: 64 pixels.
enum { GROUP = 32 * PAIRS };

INLINE uint8_t least(uint8_t a, uint8_t b) { return a < b ? a : b; }
INLINE uint8_t greatest(uint8_t a, uint8_t b) { return a > b ? a : b; }

// MARK: Ranges and sums of bytes

/// The sum, the least and the greatest of the bytes at each position modulo `period`.
typedef struct {
    uint32_t sum[12];
    uint8_t least[12], greatest[12];
    size_t period;
} lanes;

/// Computes the lanes of some bytes. Callers pass constants for `width`, the bytes of a round, and `period`, so that a
/// round becomes a few vector instructions. There must be at most 256 bytes at each position, so that 16 bits hold
/// their sum.
INLINE lanes lanes_of(const uint8_t *bytes, size_t count, size_t width, size_t period) {
    uint16_t sum[96] = {0};
    uint8_t low[96], high[96];
    memset(low, 255, width);
    memset(high, 0, width);
    size_t done = 0;
    for (; done + width <= count; done += width) {
        // Runs are too short for the processor's own prefetching. A hint beyond the end is harmless.
        __builtin_prefetch(bytes + done + LOOK_AHEAD);
        for (size_t lane = 0; lane < width; lane++) {
            uint8_t byte = bytes[done + lane];
            sum[lane] += byte;
            low[lane] = least(low[lane], byte);
            high[lane] = greatest(high[lane], byte);
        }
    }
    lanes result = {.period = period};
    for (size_t half = width / 2; half >= period; half /= 2) {
        for (size_t lane = 0; lane < half; lane++) {
            sum[lane] += sum[lane + half];
            low[lane] = least(low[lane], low[lane + half]);
            high[lane] = greatest(high[lane], high[lane + half]);
        }
    }
    for (size_t lane = 0; lane < period; lane++) {
        result.sum[lane] = sum[lane];
        result.least[lane] = low[lane];
        result.greatest[lane] = high[lane];
    }
    for (; done < count; done++) {
        size_t lane = done % period;
        result.sum[lane] += bytes[done];
        result.least[lane] = least(result.least[lane], bytes[done]);
        result.greatest[lane] = greatest(result.greatest[lane], bytes[done]);
    }
    return result;
}

/// The sum, the least and the greatest sample of one component in a run.
typedef struct {
    int64_t sum;
    int64_t least, greatest;
} range;

INLINE range range_of(const lanes *lanes, size_t offset, size_t step) {
    range result = {.least = 255};
    for (size_t lane = offset % step; lane < lanes->period; lane += step) {
        result.sum += lanes->sum[lane];
        if (lanes->least[lane] < result.least) result.least = lanes->least[lane];
        if (lanes->greatest[lane] > result.greatest) result.greatest = lanes->greatest[lane];
    }
    return result;
}

INLINE lanes lanes_between(const uint8_t *first, const uint8_t *last, int32_t step) {
    size_t count = (size_t)(last - first) + 1;
    return step == 3 ? lanes_of(first, count, 96, 12) : lanes_of(first, count, 32, 4);
}

// MARK: Runs that need no clamping

/// Adds the run's rows to the sums if no pixel of the run can be out of range, and returns whether it did. The bounds
/// follow from the least and the greatest samples, whichever pixels they belong to.
INLINE bool add_linear(const cpixels_rows *rows, size_t x, size_t count, const cpixels_matrix *m, cpixels_sums *sums) {
    const int32_t shift = rows->cb.shift, step = rows->cb.step, y_step = rows->y.step;
    const size_t samples = count >> shift;
    const uint8_t *cb = rows->cb.first + (x >> shift) * step, *cr = rows->cr.first + (x >> shift) * step;
    const uint8_t *luma = rows->y.first + x * y_step;
    const uint8_t *base = cb < cr ? cb : cr, *top = cb < cr ? cr : cb;
    const size_t chroma_end = (samples - 1) * step, luma_end = (count - 1) * y_step;

    range u, v, y = {.least = 255};
    if (top - base >= step) {
        lanes of_cb = lanes_between(cb, cb + chroma_end, step), of_cr = lanes_between(cr, cr + chroma_end, step);
        u = range_of(&of_cb, 0, step), v = range_of(&of_cr, 0, step);
    } else {
        bool is_packed = y_step << shift == step && luma < base + step && base < luma + step;
        if (is_packed && luma < base) base = luma;
        const uint8_t *end = top + chroma_end;
        if (is_packed && luma + luma_end > end) end = luma + luma_end;
        lanes all = lanes_between(base, end, step);
        u = range_of(&all, (size_t)(cb - base), step), v = range_of(&all, (size_t)(cr - base), step);
        if (is_packed) y = range_of(&all, (size_t)(luma - base), y_step);
        if (is_packed) goto known;
    }
    for (int32_t row = 0; row < rows->rows; row++, luma += rows->y_stride) {
        lanes of_row = lanes_between(luma, luma + luma_end, y_step);
        range more = range_of(&of_row, 0, y_step);
        y.sum += more.sum;
        if (more.least < y.least) y.least = more.least;
        if (more.greatest > y.greatest) y.greatest = more.greatest;
    }
known:;
    // Each bound uses the least or the greatest sample according to the sign of its coefficient: only those of green's
    // chroma are negative.
    const int64_t dark = m->y * y.least, light = m->y * y.greatest, white = m->white;
    if (dark + m->r_cr * v.least + m->r_0 < 0 || light + m->r_cr * v.greatest + m->r_0 > white ||
        dark + m->g_cb * u.greatest + m->g_cr * v.greatest + m->g_0 < 0 ||
        light + m->g_cb * u.least + m->g_cr * v.least + m->g_0 > white ||
        dark + m->b_cb * u.least + m->b_0 < 0 || light + m->b_cb * u.greatest + m->b_0 > white) {
        return false;
    }
    const int64_t pixels = (int64_t)count * rows->rows;
    u.sum *= (int64_t)rows->rows << shift;
    v.sum *= (int64_t)rows->rows << shift;
    sums->r += (uint64_t)(m->y * y.sum + m->r_cr * v.sum + m->r_0 * pixels);
    sums->g += (uint64_t)(m->y * y.sum + m->g_cb * u.sum + m->g_cr * v.sum + m->g_0 * pixels);
    sums->b += (uint64_t)(m->y * y.sum + m->b_cb * u.sum + m->b_0 * pixels);
    return true;
}

// MARK: Runs that need clamping

INLINE uint32_t clamped(int32_t channel, int32_t white) {
    channel = channel < 0 ? 0 : channel;
    return (uint32_t)(channel > white ? white : channel);
}

/// Adds pixels of any layout one by one.
INLINE void add_pixels(const cpixels_rows *rows, const uint8_t *luma, size_t x, size_t count, const cpixels_matrix *m,
                       cpixels_sums *sums) {
    const int32_t shift = rows->cb.shift;
    for (size_t end = x + count; x < end; x++) {
        int32_t y = luma[x * (size_t)rows->y.step], cb = rows->cb.first[(x >> shift) * (size_t)rows->cb.step],
                cr = rows->cr.first[(x >> shift) * (size_t)rows->cr.step];
        sums->r += clamped(m->y * y + m->r_cr * cr + m->r_0, m->white);
        sums->g += clamped(m->y * y + m->g_cb * cb + m->g_cr * cr + m->g_0, m->white);
        sums->b += clamped(m->y * y + m->b_cb * cb + m->b_0, m->white);
    }
}

// The vectors are written out. When compilers vectorise the plain loop, they add up the lanes after every few pixels,
// which takes a tenth of the time. Only inlined functions pass vectors, so it does not matter how a processor would
// pass them.
#pragma GCC diagnostic ignored "-Wpsabi"

typedef int32_t int32_lanes __attribute__((vector_size(4 * PAIRS)));
typedef uint32_t uint32_lanes __attribute__((vector_size(4 * PAIRS)));
typedef uint64_t uint64_lanes __attribute__((vector_size(8 * PAIRS)));
typedef uint16_t uint16_lanes __attribute__((vector_size(2 * PAIRS)));
typedef uint8_t uint8_lanes __attribute__((vector_size(PAIRS)));

/// Pairs of pixels that share chroma.
typedef struct {
    int32_lanes y0, y1, cb, cr;
} pairs;

/// The location of a row's pairs, and the position of each sample's bits in the word that is loaded.
typedef struct {
    const uint8_t *y, *cb, *cr;
    uint32_t y0_shift, y1_shift, cb_shift, cr_shift;
} pairs_location;

INLINE int32_lanes byte_of(int32_lanes words, uint32_t shift) { return words >> (int32_t)shift & 255; }

INLINE int32_lanes load16(const uint8_t *bytes) {
    uint16_lanes words;
    memcpy(&words, bytes, sizeof words);
    return __builtin_convertvector(words, int32_lanes);
}

INLINE int32_lanes load8(const uint8_t *bytes) {
    uint8_lanes words;
    memcpy(&words, bytes, sizeof words);
    return __builtin_convertvector(words, int32_lanes);
}

INLINE pairs packed_pairs(const pairs_location *at, size_t index) {
    int32_lanes words;
    memcpy(&words, at->y + 4 * index, sizeof words);
    return (pairs){byte_of(words, at->y0_shift), byte_of(words, at->y1_shift), byte_of(words, at->cb_shift),
                   byte_of(words, at->cr_shift)};
}

INLINE pairs semi_planar_pairs(const pairs_location *at, size_t index) {
    const int32_lanes luma = load16(at->y + 2 * index), chroma = load16(at->cb + 2 * index);
    return (pairs){byte_of(luma, at->y0_shift), byte_of(luma, at->y1_shift), byte_of(chroma, at->cb_shift),
                   byte_of(chroma, at->cr_shift)};
}

INLINE pairs planar_pairs(const pairs_location *at, size_t index) {
    const int32_lanes luma = load16(at->y + 2 * index);
    return (pairs){byte_of(luma, at->y0_shift), byte_of(luma, at->y1_shift), load8(at->cb + index),
                   load8(at->cr + index)};
}

INLINE uint32_lanes clamped_lanes(int32_lanes channel, int32_t white) {
    // A comparison gives all ones or zeros.
    channel &= channel > 0;
    const int32_lanes is_above = channel > white;
    return (uint32_lanes)((is_above & white) | (~is_above & channel));
}

INLINE uint64_t total(uint32_lanes sums) {
    const uint64_lanes wide = __builtin_convertvector(sums, uint64_lanes);
    uint64_t sum = 0;
    for (size_t lane = 0; lane < PAIRS; lane++) sum += wide[lane];
    return sum;
}

/// Adds up to `GROUP` pairs, a multiple of `PAIRS`.
INLINE void add_group(const pairs_location *at, size_t first, size_t count,
                      pairs load(const pairs_location *, size_t), const cpixels_matrix *m, cpixels_sums *sums) {
    uint32_lanes r = {0}, g = {0}, b = {0};
    for (size_t index = first; index < first + count; index += PAIRS) {
        const pairs p = load(at, index);
        const int32_lanes of_r = m->r_cr * p.cr + m->r_0, of_g = m->g_cb * p.cb + m->g_cr * p.cr + m->g_0,
                          of_b = m->b_cb * p.cb + m->b_0, y0 = m->y * p.y0, y1 = m->y * p.y1;
        r += clamped_lanes(y0 + of_r, m->white) + clamped_lanes(y1 + of_r, m->white);
        g += clamped_lanes(y0 + of_g, m->white) + clamped_lanes(y1 + of_g, m->white);
        b += clamped_lanes(y0 + of_b, m->white) + clamped_lanes(y1 + of_b, m->white);
    }
    sums->r += total(r), sums->g += total(g), sums->b += total(b);
}

/// Adds as many of `count` pairs as fill whole vectors, and returns their number.
INLINE size_t add_pairs(const pairs_location *at, size_t count, pairs load(const pairs_location *, size_t),
                        const cpixels_matrix *m, cpixels_sums *sums) {
    const size_t end = count - count % PAIRS;
    for (size_t done = 0; done < end; done += GROUP) {
        add_group(at, done, end - done < GROUP ? end - done : GROUP, load, m, sums);
    }
    return end;
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { LOWER_BYTE_FIRST = 1 };
#else
enum { LOWER_BYTE_FIRST = 0 };
#endif

/// Adds one row of a run that begins at the first pixel of a pair.
INLINE void add_clamped(const cpixels_rows *rows, const uint8_t *luma, size_t x, size_t count,
                        const cpixels_matrix *m, cpixels_sums *sums) {
    const ptrdiff_t cr_offset = rows->cr.first - rows->cb.first;
    const bool shares_pairs = LOWER_BYTE_FIRST && rows->cb.shift == 1;
    pairs_location at = {.y = luma + x * (size_t)rows->y.step,
                         .cb = rows->cb.first + (x >> 1) * (size_t)rows->cb.step,
                         .cr = rows->cr.first + (x >> 1) * (size_t)rows->cr.step,
                         .y1_shift = 8};
    size_t done = 0;
    if (shares_pairs && rows->y.step == 1 && rows->cb.step == 1) {
        done = add_pairs(&at, count / 2, planar_pairs, m, sums);
    } else if (shares_pairs && rows->y.step == 1 && rows->cb.step == 2 && (cr_offset == 1 || cr_offset == -1)) {
        at.cb_shift = cr_offset < 0 ? 8 : 0, at.cr_shift = cr_offset < 0 ? 0 : 8;
        if (cr_offset < 0) at.cb = at.cr;
        done = add_pairs(&at, count / 2, semi_planar_pairs, m, sums);
    } else if (shares_pairs && rows->y.step == 2 && rows->cb.step == 4 && (cr_offset == 2 || cr_offset == -2)) {
        const uint8_t *first_chroma = cr_offset < 0 ? at.cr : at.cb;
        const uint32_t odd = first_chroma < at.y ? 8 : 0;
        at.y0_shift = odd, at.y1_shift = odd + 16;
        at.cb_shift = 8 - odd + (cr_offset < 0 ? 16 : 0), at.cr_shift = 8 - odd + (cr_offset < 0 ? 0 : 16);
        if (odd) at.y = first_chroma;
        done = add_pairs(&at, count / 2, packed_pairs, m, sums);
    }
    add_pixels(rows, luma, x + 2 * done, count - 2 * done, m, sums);
}

// MARK: Entry points

BEST_OF_CPU
void cpixels_add_ycbcr(const cpixels_rows *rows, size_t first, size_t end, const cpixels_matrix *matrix,
                       cpixels_sums *sums) {
    const size_t cell = (size_t)1 << rows->cb.shift;
    // The pixels at both ends may share chroma with pixels outside of the columns, so they are not part of a run.
    size_t body = (first + cell - 1) & ~(cell - 1), body_end = end & ~(cell - 1);
    if (body > body_end) body = body_end = end;
    // The number of consecutive checks that failed, and the number of runs still to be clamped without a check.
    size_t clamped_in_a_row = 0, unchecked = 0;
    // The length of a run keeps luma and chroma to 256 bytes a lane. Interleaved chroma that is not shared takes two
    // bytes a pixel.
    const int32_t chroma_step = rows->cb.step >> rows->cb.shift;
    const size_t widest = (size_t)(rows->y.step > chroma_step ? rows->y.step : chroma_step);
    const size_t run = widest >= 3 ? RUN / 2 : RUN * 2 / widest;
    for (size_t x = body; x < body_end; x += run) {
        size_t count = body_end - x < run ? body_end - x : run;
        if (unchecked > 0) {
            unchecked--;
        } else if (add_linear(rows, x, count, matrix, sums)) {
            clamped_in_a_row = 0;
            continue;
        } else {
            unchecked = clamped_in_a_row;
            if (clamped_in_a_row < 8) clamped_in_a_row++;
        }
        const uint8_t *luma = rows->y.first;
        for (int32_t row = 0; row < rows->rows; row++, luma += rows->y_stride) {
            add_clamped(rows, luma, x, count, matrix, sums);
        }
    }
    const uint8_t *luma = rows->y.first;
    for (int32_t row = 0; row < rows->rows; row++, luma += rows->y_stride) {
        add_pixels(rows, luma, first, body - first, matrix, sums);
        add_pixels(rows, luma, body_end, end - body_end, matrix, sums);
    }
}

/// Adds bytes. Callers pass a constant for `width`, the bytes of a round.
INLINE void add_bytes(const uint8_t *bytes, size_t count, size_t rows, ptrdiff_t stride, uint8_t low, uint8_t high,
                      size_t width, uint64_t sums[12]) {
    enum { MOST_ROUNDS = 256 };
    uint16_t sum[96] = {0};
    size_t rounds = 0;
    for (size_t row = 0; row < rows; row++, bytes += stride) {
        size_t done = 0;
        while (done + width <= count) {
            size_t batch = (count - done) / width;
            if (batch > MOST_ROUNDS - rounds) batch = MOST_ROUNDS - rounds;
            for (size_t round = 0; round < batch; round++, done += width) {
                for (size_t lane = 0; lane < width; lane++) sum[lane] += greatest(low, least(high, bytes[done + lane]));
            }
            rounds += batch;
            if (rounds < MOST_ROUNDS) continue;
            for (size_t lane = 0; lane < width; lane++) sums[lane % 12] += sum[lane];
            memset(sum, 0, sizeof sum);
            rounds = 0;
        }
        for (size_t lane = 0; done < count; done++, lane++) sums[lane % 12] += greatest(low, least(high, bytes[done]));
    }
    for (size_t lane = 0; lane < width; lane++) sums[lane % 12] += sum[lane];
}

BEST_OF_CPU
void cpixels_add_bytes(const uint8_t *bytes, size_t count, size_t step, size_t rows, ptrdiff_t stride, uint8_t low,
                       uint8_t high, uint64_t sums[12]) {
    if (step == 3) {
        add_bytes(bytes, count, rows, stride, low, high, 96, sums);
    } else {
        add_bytes(bytes, count, rows, stride, low, high, 32, sums);
    }
}
