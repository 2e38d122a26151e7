// The loops that run over every byte of a picture: sums of 8-bit Y'CbCr and RGB, and copies of samples.
//
// In C for one reason: on x86-64 each is compiled for the baseline, for AVX2 and for AVX-512, and the loader takes the
// best that the processor has (target_clones). Swift cannot say that. Everything else about colour is in Swift.

#pragma once
#include <stddef.h>
#include <stdint.h>

/// From Y'CbCr to R'G'B' in whole numbers: r = y * Y' + r_cr * Cr + r_0, and so on, each clamped to 0...white.
/// `white` is at most 2^25, so that 64 pixels add up in 32 bits and no channel leaves 29 bits before it is clamped.
typedef struct {
    int32_t y, r_cr, g_cb, g_cr, b_cb;
    int32_t r_0, g_0, b_0;
    int32_t white;
} cpixels_matrix;

/// One component's samples in a row of pixels; that of pixel x is at first[(x >> shift) * step].
/// Of the step and the shift, packed and planar formats have step 1, 2, 3 or 4 and shift 0, 1 or 2.
typedef struct {
    const uint8_t *first;
    int32_t step;
    int32_t shift;
} cpixels_samples;

/// Rows of pixels that share one row of chroma.
typedef struct {
    /// The first row's; its shift is 0.
    cpixels_samples y;
    cpixels_samples cb, cr;
    /// How many rows of luma, and from one to the next in bytes.
    int32_t rows;
    ptrdiff_t y_stride;
} cpixels_rows;

typedef struct {
    uint64_t r, g, b;
} cpixels_sums;

/// Adds the pixels of columns first..<end. Nothing is read but their samples, and bytes that lie between those.
void cpixels_add_ycbcr(const cpixels_rows *rows, size_t first, size_t end, const cpixels_matrix *matrix,
                       cpixels_sums *sums);

/// Adds the bytes of `rows` rows of `count`, of pixels of `step` bytes (1, 2, 3 or 4), each clamped to low...high, to
/// sums by position: that of a byte's component is the sum of all those at its offset modulo the step.
void cpixels_add_bytes(const uint8_t *bytes, size_t count, size_t step, size_t rows, ptrdiff_t stride, uint8_t low,
                       uint8_t high, uint64_t sums[12]);

/// From a code value to another: (scale * code + offset) / 2^14, rounded down, clamped to 0...255.
typedef struct {
    int16_t scale;
    int32_t offset;
} cpixels_rescaling;

/// Copies `count` samples, every `step`-th byte, rescaled, so that they follow one another.
/// Nothing is read but the samples, and bytes that lie between them.
void cpixels_copy_samples(const uint8_t *samples, size_t step, size_t count, const cpixels_rescaling *rescaling,
                          uint8_t *copies);
