// How pixels are handled
//
// cpixels_add_ycbcr cuts the rows that share chroma into runs of 256 to 1024 pixels. For each run, add_linear first
// reads the bytes once and takes the sum, the minimum and the maximum of those at each position (`lanes`), which give
// the sum and the range of Y', Cb and Cr (`range`). These ranges bound every channel of every pixel in the run. If a
// channel lies within 0...white, none of its pixels needs clamping. The conversion is then linear, so applying the
// matrix once to the three sums gives exactly the same as converting each pixel. If a channel lies below 0 or above
// white, all its pixels are clamped to the same value (add_bounded). Otherwise add_clamped converts and clamps each
// pixel: eight pairs at a time if pairs share chroma in a common layout, else pixels one by one. A failed check costs
// time. The more of them fail in a row, the more of the next runs, eight at most, are therefore clamped unchecked.
// Pixels at either end that share chroma with pixels outside of the columns are added one by one.
//
// cpixels_add_packed does the same for the most common layout of cameras, with strips of 16 columns in place of runs.
// Neighbours are alike in both directions, so a strip is more often within bounds than a run is. If the columns are no
// multiple of 16, the last strip overlaps the one before it, and a mask leaves out the pixels in both.

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
/// The number of pixels in a row of a strip, which has 32 bytes, and the distance in bytes between the bytes being added
/// and those being prefetched.
enum { STRIP = 16, STRIP_LOOK_AHEAD = 256 };
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

// MARK: Runs whose channels have bounds

/// The sum of a channel. Its pixels lie in least...greatest.
typedef struct {
    int64_t sum, least, greatest;
} bounds;

/// Clamps the sum of a channel, and returns whether its bounds permit this: whether all pixels are clamped alike.
INLINE bool clamp_alike(bounds *channel, int64_t white, int64_t pixels) {
    if (channel->least >= 0 && channel->greatest <= white) return true;
    if (channel->greatest > 0 && channel->least < white) return false;
    channel->sum = channel->greatest <= 0 ? 0 : white * pixels;
    return true;
}

/// Adds pixels to the sums if in each channel all of them are clamped alike, and returns whether it did. The bounds
/// follow from the least and the greatest samples, whichever pixels they belong to.
/// - shared: The number of pixels that share a sample of chroma.
INLINE bool add_bounded(range y, range u, range v, int64_t pixels, int64_t shared, const cpixels_matrix *m,
                        cpixels_sums *sums) {
    u.sum *= shared, v.sum *= shared;
    // Each bound uses the least or the greatest sample according to the sign of its coefficient: only those of green's
    // chroma are negative.
    const int64_t dark = m->y * y.least, light = m->y * y.greatest, of_y = m->y * y.sum;
    bounds red = {of_y + m->r_cr * v.sum + m->r_0 * pixels, dark + m->r_cr * v.least + m->r_0,
                  light + m->r_cr * v.greatest + m->r_0};
    bounds green = {of_y + m->g_cb * u.sum + m->g_cr * v.sum + m->g_0 * pixels,
                    dark + m->g_cb * u.greatest + m->g_cr * v.greatest + m->g_0,
                    light + m->g_cb * u.least + m->g_cr * v.least + m->g_0};
    bounds blue = {of_y + m->b_cb * u.sum + m->b_0 * pixels, dark + m->b_cb * u.least + m->b_0,
                   light + m->b_cb * u.greatest + m->b_0};
    if (!clamp_alike(&red, m->white, pixels) || !clamp_alike(&green, m->white, pixels) ||
        !clamp_alike(&blue, m->white, pixels)) {
        return false;
    }
    sums->r += (uint64_t)red.sum, sums->g += (uint64_t)green.sum, sums->b += (uint64_t)blue.sum;
    return true;
}

/// Adds a run of rows that share chroma, if it is within bounds, and returns whether it did.
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
    return add_bounded(y, u, v, (int64_t)count * rows->rows, (int64_t)rows->rows << shift, m, sums);
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

/// The sums of channels, which hold up to `GROUP` pairs.
typedef struct {
    uint32_lanes r, g, b;
} group;

INLINE void add_vector(const pairs p, const cpixels_matrix *m, group *group) {
    const int32_lanes of_r = m->r_cr * p.cr + m->r_0, of_g = m->g_cb * p.cb + m->g_cr * p.cr + m->g_0,
                      of_b = m->b_cb * p.cb + m->b_0, y0 = m->y * p.y0, y1 = m->y * p.y1;
    group->r += clamped_lanes(y0 + of_r, m->white) + clamped_lanes(y1 + of_r, m->white);
    group->g += clamped_lanes(y0 + of_g, m->white) + clamped_lanes(y1 + of_g, m->white);
    group->b += clamped_lanes(y0 + of_b, m->white) + clamped_lanes(y1 + of_b, m->white);
}

INLINE void add_group(const group *group, cpixels_sums *sums) {
    sums->r += total(group->r), sums->g += total(group->g), sums->b += total(group->b);
}

/// Adds as many of `count` pairs as fill whole vectors, and returns their number.
INLINE size_t add_pairs(const pairs_location *at, size_t count, pairs load(const pairs_location *, size_t),
                        const cpixels_matrix *m, cpixels_sums *sums) {
    const size_t end = count - count % PAIRS;
    for (size_t done = 0; done < end; done += GROUP) {
        const size_t group_end = end - done < GROUP ? end : done + GROUP;
        group group = {{0}, {0}, {0}};
        for (size_t index = done; index < group_end; index += PAIRS) add_vector(load(at, index), m, &group);
        add_group(&group, sums);
    }
    return end;
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { LOWER_BYTE_FIRST = 1 };
#else
enum { LOWER_BYTE_FIRST = 0 };
#endif

/// Whether components are packed, with chroma shared by two.
INLINE bool are_packed(const cpixels_rows *rows) {
    const ptrdiff_t cb = rows->cb.first - rows->y.first, cr = rows->cr.first - rows->y.first;
    return LOWER_BYTE_FIRST && rows->y.step == 2 && rows->cb.step == 4 && rows->cb.shift == 1 &&
           (cb - cr == 2 || cr - cb == 2) && (cb + cr == 0 || cb + cr == 4);
}

/// Returns the location of packed pairs, which begin at the first pixel of a pair.
INLINE pairs_location packed_at(const cpixels_rows *rows, const uint8_t *luma, size_t x) {
    const ptrdiff_t cb = rows->cb.first - rows->y.first, cr = rows->cr.first - rows->y.first;
    const uint32_t odd = cb < 0 || cr < 0;
    return (pairs_location){.y = luma + 2 * x - odd,
                            .y0_shift = 8 * odd,
                            .y1_shift = 8 * odd + 16,
                            .cb_shift = (uint32_t)(8 * (cb + (ptrdiff_t)odd)),
                            .cr_shift = (uint32_t)(8 * (cr + (ptrdiff_t)odd))};
}

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
    } else if (are_packed(rows)) {
        at = packed_at(rows, luma, x);
        done = add_pairs(&at, count / 2, packed_pairs, m, sums);
    }
    add_pixels(rows, luma, x + 2 * done, count - 2 * done, m, sums);
}

// MARK: Strips

// The vectors are written out here, too, because compilers keep the sums of a plain loop in memory.
typedef uint8_t bytes32 __attribute__((vector_size(32)));
typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef uint8_t bytes4 __attribute__((vector_size(4)));
typedef uint16_t words16 __attribute__((vector_size(32)));
typedef uint16_t words8 __attribute__((vector_size(16)));
typedef uint16_t words4 __attribute__((vector_size(8)));
typedef uint16_t words2 __attribute__((vector_size(4)));

#define LEAST(a, b) (((b) & ((a) > (b))) | ((a) & ~((a) > (b))))
#define GREATEST(a, b) (((a) & ((a) > (b))) | ((b) & ~((a) > (b))))
#define SUM(a, b) ((a) + (b))
/// Joins the two halves of a vector.
#define HALVE(join, half, name, vector)            \
    half name##_halves[2];                         \
    memcpy(name##_halves, &vector, sizeof vector); \
    const half name = join(name##_halves[0], name##_halves[1])

/// Joins sums to two: those of the even and those of the odd words.
INLINE uint32_t joined_sum(words16 sums) {
    HALVE(SUM, words8, eight, sums);
    HALVE(SUM, words4, four, eight);
    HALVE(SUM, words2, two, four);
    uint32_t word;
    memcpy(&word, &two, sizeof word);
    return word;
}

INLINE range range_at(uint32_t low, uint32_t high, const uint16_t sums[4], uint32_t shift) {
    return (range){sums[shift / 8], low >> shift & 255, high >> shift & 255};
}

/// The mask of the last `columns` columns of a strip, an even number.
INLINE bytes32 mask_of_last(size_t columns) {
    static const uint8_t bytes[4 * STRIP] = {[2 * STRIP ... 4 * STRIP - 1] = 255};
    bytes32 mask;
    memcpy(&mask, bytes + 2 * columns, sizeof mask);
    return mask;
}

/// Returns the distance in bytes from a strip to what is prefetched: bytes to the right of it, or those of the next rows
/// if the columns end before. A hint beyond the end is harmless.
INLINE ptrdiff_t look_ahead(size_t strip, size_t columns, size_t rows, ptrdiff_t stride) {
    const ptrdiff_t width = 2 * (ptrdiff_t)columns, distance = width < STRIP_LOOK_AHEAD ? width : STRIP_LOOK_AHEAD;
    const bool is_in_row = 2 * STRIP * (ptrdiff_t)strip + distance < width;
    return is_in_row ? distance : distance - width + (ptrdiff_t)rows * stride;
}

/// Prefetches the bytes `ahead` of a strip's row and, into the second-level cache, the same row of the next band. A band
/// has more rows than a processor prefetches by itself. Below the last band the hint is useless, but harmless.
INLINE void prefetch(const uint8_t *bytes, ptrdiff_t ahead, size_t rows, ptrdiff_t stride) {
    __builtin_prefetch(bytes + ahead);
    __builtin_prefetch(bytes + (ptrdiff_t)rows * stride, 0, 2);
}

/// Adds the last `columns` columns of a strip of packed rows if they are within bounds, and returns whether it did.
INLINE bool add_strip(const pairs_location *at, size_t columns, size_t rows, ptrdiff_t stride, ptrdiff_t ahead,
                      const cpixels_matrix *m, cpixels_sums *sums) {
    bytes32 low = ~(bytes32){0}, high = {0};
    words16 even = {0}, odd = {0};
    const uint8_t *bytes = at->y;
    for (size_t row = 0; row < rows; row++, bytes += stride) {
        prefetch(bytes, ahead, rows, stride);
        bytes32 here;
        memcpy(&here, bytes, sizeof here);
        low = LEAST(low, here), high = GREATEST(high, here);
        even += (words16)here & 255, odd += (words16)here >> 8;
    }
    if (columns < STRIP) {
        const bytes32 mask = mask_of_last(columns);
        low |= ~mask, high &= mask, even &= (words16)mask, odd &= (words16)mask;
    }
    HALVE(LEAST, bytes16, low16, low);
    HALVE(LEAST, bytes8, low8, low16);
    HALVE(LEAST, bytes4, low4, low8);
    HALVE(GREATEST, bytes16, high16, high);
    HALVE(GREATEST, bytes8, high8, high16);
    HALVE(GREATEST, bytes4, high4, high8);
    uint32_t lows, highs;
    memcpy(&lows, &low4, sizeof lows), memcpy(&highs, &high4, sizeof highs);
    const uint32_t evens = joined_sum(even), odds = joined_sum(odd);
    const uint16_t all[4] = {(uint16_t)evens, (uint16_t)odds, (uint16_t)(evens >> 16), (uint16_t)(odds >> 16)};
    range y = range_at(lows, highs, all, at->y0_shift);
    const range y1 = range_at(lows, highs, all, at->y1_shift);
    y.sum += y1.sum;
    if (y1.least < y.least) y.least = y1.least;
    if (y1.greatest > y.greatest) y.greatest = y1.greatest;
    return add_bounded(y, range_at(lows, highs, all, at->cb_shift), range_at(lows, highs, all, at->cr_shift),
                       (int64_t)(columns * rows), 2, m, sums);
}

/// Adds the last `columns` columns of a strip, pixel by pixel.
INLINE void add_clamped_strip(pairs_location at, size_t columns, size_t rows, ptrdiff_t stride, ptrdiff_t ahead,
                              const cpixels_matrix *m, cpixels_sums *sums) {
    group group = {{0}, {0}, {0}};
    for (size_t row = 0; row < rows; row++, at.y += stride) {
        prefetch(at.y, ahead, rows, stride);
        add_vector(packed_pairs(&at, 0), m, &group);
    }
    if (columns < STRIP) {
        const bytes32 bytes = mask_of_last(columns);
        uint32_lanes mask;
        memcpy(&mask, &bytes, sizeof mask);
        group.r &= mask, group.g &= mask, group.b &= mask;
    }
    add_group(&group, sums);
}

// MARK: Entry points

BEST_OF_CPU
void cpixels_add_ycbcr(const cpixels_rows *rows, size_t first, size_t end, const cpixels_matrix *matrix,
                       cpixels_checks *checks, cpixels_sums *sums) {
    const size_t cell = (size_t)1 << rows->cb.shift;
    // The pixels at both ends may share chroma with pixels outside of the columns, so they are not part of a run.
    size_t body = (first + cell - 1) & ~(cell - 1), body_end = end & ~(cell - 1);
    if (body > body_end) body = body_end = end;
    // The length of a run keeps luma and chroma to 256 bytes a lane. Interleaved chroma that is not shared takes two
    // bytes a pixel.
    const int32_t chroma_step = rows->cb.step >> rows->cb.shift;
    const size_t widest = (size_t)(rows->y.step > chroma_step ? rows->y.step : chroma_step);
    const size_t run = widest >= 3 ? RUN / 2 : RUN * 2 / widest;
    for (size_t x = body; x < body_end; x += run) {
        size_t count = body_end - x < run ? body_end - x : run;
        if (checks->unchecked > 0) {
            checks->unchecked--;
        } else if (add_linear(rows, x, count, matrix, sums)) {
            checks->failed = 0;
            continue;
        } else {
            checks->unchecked = checks->failed;
            if (checks->failed < 8) checks->failed++;
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

BEST_OF_CPU
bool cpixels_add_packed(const cpixels_rows *rows, size_t first, size_t end, const cpixels_matrix *matrix,
                        cpixels_checks *checks, cpixels_sums *sums) {
    if (!are_packed(rows)) return false;
    // A pair of pixels begins in an even column.
    const size_t body = first + first % 2, count = end > body ? (end - body) & ~(size_t)1 : 0;
    const size_t height = (size_t)rows->rows;
    const size_t strips = count / STRIP, rest = count % STRIP;
    for (size_t strip = 0; strip < strips; strip++) {
        const pairs_location at = packed_at(rows, rows->y.first, body + STRIP * strip);
        const ptrdiff_t ahead = look_ahead(strip, count, height, rows->y_stride);
        if (checks->unchecked > 0) {
            checks->unchecked--;
        } else if (add_strip(&at, STRIP, height, rows->y_stride, ahead, matrix, sums)) {
            checks->failed = 0;
            continue;
        } else {
            checks->unchecked = checks->failed;
            if (checks->failed < 8) checks->failed++;
        }
        add_clamped_strip(at, STRIP, height, rows->y_stride, ahead, matrix, sums);
    }
    if (strips > 0 && rest > 0) {
        const pairs_location at = packed_at(rows, rows->y.first, body + count - STRIP);
        if (checks->failed > 0 || !add_strip(&at, rest, height, rows->y_stride, STRIP_LOOK_AHEAD, matrix, sums)) {
            add_clamped_strip(at, rest, height, rows->y_stride, STRIP_LOOK_AHEAD, matrix, sums);
        }
    }
    const size_t added = strips > 0 ? count : 0;
    cpixels_rows row = *rows;
    for (size_t index = 0; index < height; index++) {
        add_pixels(&row, row.y.first, first, (body < end ? body : end) - first, matrix, sums);
        if (body < end) add_pixels(&row, row.y.first, body + added, end - body - added, matrix, sums);
        row.y.first += row.y_stride, row.cb.first += row.y_stride, row.cr.first += row.y_stride;
    }
    return true;
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
