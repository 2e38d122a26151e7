// The loops that run over every byte of a picture: sums of 8-bit Y'CbCr and RGB, copies of samples, and changes of the
// light; and those that run over decoded pixels: sums of their light, and statistics.
//
// They are in C for one reason: on x86-64, each is compiled for the baseline, for AVX2 and for AVX-512, and the loader
// chooses the best version for the processor (target_clones). Swift cannot express that. Everything else about colour
// is in Swift.

#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The conversion from Y'CbCr to R'G'B' in whole numbers: r = y * Y' + r_cr * Cr + r_0, and so on, each clamped to
/// 0...white. `white` is at most 2^25, so that 64 pixels can be added up in 32 bits and no channel exceeds 29 bits
/// before it is clamped.
typedef struct {
    int32_t y, r_cr, g_cb, g_cr, b_cb;
    int32_t r_0, g_0, b_0;
    int32_t white;
} cpixels_matrix;

/// One component's samples in a row of pixels. The sample of pixel x is at first[(x >> shift) * step]; step is 1, 2, 3
/// or 4, and shift is 0, 1 or 2.
typedef struct {
    const uint8_t *first;
    int32_t step;
    int32_t shift;
} cpixels_samples;

/// Rows of pixels that share one row of chroma.
typedef struct {
    /// The luma of the first row; its shift is 0.
    cpixels_samples y;
    cpixels_samples cb, cr;
    /// The number of luma rows, and the distance from one to the next in bytes.
    int32_t rows;
    ptrdiff_t y_stride;
} cpixels_rows;

typedef struct {
    uint64_t r, g, b;
} cpixels_sums;

/// What is remembered from call to call, because it tells whether checks pay: the number of checks in a row that failed,
/// and the number of runs that are not to be checked. It begins with zeros, and does not change the sums.
typedef struct {
    uint32_t failed, unchecked;
} cpixels_checks;

/// Adds the pixels of columns first..<end. Only their samples and the bytes between those are read.
void cpixels_add_ycbcr(const cpixels_rows *rows, size_t first, size_t end, const cpixels_matrix *matrix,
                       cpixels_checks *checks, cpixels_sums *sums);

/// The maximum number of rows that cpixels_add_packed adds together: 16 bits hold the sum of eight bytes of each.
enum { CPIXELS_BAND = 32 };

/// Adds the pixels of columns first..<end, unless the components are not packed, with chroma shared by two; returns
/// whether they are. Each row has chroma of its own, and y_stride applies to all components.
bool cpixels_add_packed(const cpixels_rows *rows, size_t first, size_t end, const cpixels_matrix *matrix,
                        cpixels_checks *checks, cpixels_sums *sums);

/// Adds `rows` rows of `count` bytes, each clamped to low...high, to 12 sums by position. A pixel has `step` bytes (1,
/// 2, 3 or 4); the sum of a component is the total of all sums whose index is its offset modulo the step.
void cpixels_add_bytes(const uint8_t *bytes, size_t count, size_t step, size_t rows, ptrdiff_t stride, uint8_t low,
                       uint8_t high, uint64_t sums[12]);

/// A mapping from one code value to another: (scale * code + offset) / 2^14, rounded down, clamped to 0...255.
typedef struct {
    int16_t scale;
    int32_t offset;
} cpixels_rescaling;

/// Copies `count` samples, which are every `step`-th byte, rescales them and stores them without gaps. Only the samples
/// and the bytes between them are read.
void cpixels_copy_samples(const uint8_t *samples, size_t step, size_t count, const cpixels_rescaling *rescaling,
                          uint8_t *copies);

/// The greatest code value that sRGB encodes linearly (IEC 61966-2-1): 0.04045 * 255, rounded down.
enum { CPIXELS_DARK = 10 };

/// A gain on the linear light of red, green and blue, expressed by its effect on their code values, in units of 2^-15:
/// code * scale + offset, and for codes up to CPIXELS_DARK, code * dark_scale. Gains are below 2.
typedef struct {
    int32_t scale[3], offset[3], dark_scale[3];
} cpixels_gain;

/// Applies a gain to `count` bytes of R, G, B in turn and adds noise, in units of 2^-8, before it rounds to nearest.
void cpixels_light(const uint8_t *scene, const int16_t *noise, size_t count, const cpixels_gain *gain,
                   uint8_t *picture);

/// The light of a channel's value, 0...2^18 - 1, as a curve of pieces that span 2^7 values each. CPIXELS_KNOT is added
/// to a value; its upper bits then are the number of its piece, and its lower seven are t. Its light is
/// a + (b * t + c * t^2 / 2^6 + 2^8) / 2^9 - CPIXELS_CURVE_BIAS, both quotients rounded down, in units of 2^-30. A
/// piece packs a, b and c from the top, with 31, 23 and 10 bits. CPIXELS_KNOT makes a piece begin where sRGB changes
/// from a line to a power. The curve takes 16 KiB and stays in the first-level cache; a table of the light of all
/// values does not.
enum { CPIXELS_CURVE = 2049, CPIXELS_KNOT = 20, CPIXELS_CURVE_BIAS = 1 << 13 };

/// Adds the light of pixels as cpixels_add_statistics takes them.
void cpixels_add_light(const uint64_t *pixels, size_t count, const uint64_t curve[CPIXELS_CURVE],
                       cpixels_sums *sums);

/// The number of some pixels, and the sums of their clamped channels.
typedef struct {
    uint64_t sum[3];
    uint64_t pixels;
} cpixels_group;

/// Code values of some pixels in ascending order: the first, the two in the middle, and the last. Of an odd number of
/// pixels, both in the middle are the same.
typedef struct {
    uint8_t minimum, lower_median, upper_median, maximum;
} cpixels_order;

/// The counts and sums of some pixels, for red, green and blue. 2^18 - 1 stands for 255.
typedef struct {
    cpixels_order order[3];
    /// The sums of the clamped channels, of their squares and of their light.
    uint64_t sum[3], squares[3], light[3];
    /// The number of pixels with a channel below -0.5 or above 255.5 before clamping.
    uint64_t out_of_gamut;
    /// The pixels in the fullest bin of colours and in those next to it, by at most one in each channel. A channel has
    /// 32 bins of 8 code values. Of several fullest bins, it is the one with the least red, then green, then blue.
    cpixels_group dominant;
} cpixels_tally;

/// Adds the statistics of up to 65,535 pixels: each has three fields of 21 bits, a channel plus 2^20. It uses 64 KiB of
/// the stack.
/// - curve: The light of a channel.
/// - bins: Room for the index of each pixel's bin.
/// - red, green, blue: Zeros, to which the number of pixels of each code value is added. Values are rounded to nearest.
/// - tally: Zeros, to which all else is added.
void cpixels_add_statistics(const uint64_t *pixels, size_t count, const uint64_t curve[CPIXELS_CURVE], uint16_t *bins,
                            size_t red[256], size_t green[256], size_t blue[256], cpixels_tally *tally);
