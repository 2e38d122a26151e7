// The rivals: the same sums in straightforward C, and the limit that memory sets.

#pragma once
#include <stddef.h>
#include <stdint.h>

/// Adds up all bytes, eight at a time: the cost of reading them at all.
uint64_t rival_read(const uint8_t *bytes, size_t count);

/// Sums of R'G'B' with 16 fraction bits, each pixel decoded as limited-range BT.601 and clamped to 0...255.
void rival_yuyv(const uint8_t *bytes, size_t width, size_t height, uint64_t sums[3]);
void rival_nv12(const uint8_t *bytes, size_t width, size_t height, uint64_t sums[3]);

/// Sums of the first three bytes of each pixel of `size` bytes.
void rival_rgb(const uint8_t *bytes, size_t width, size_t height, size_t size, uint64_t sums[3]);

/// libjpeg-turbo's own work on a JPEG image: decodes it into planes.
/// Returns 0, or -1 after an error.
int rival_jpeg(const uint8_t *bytes, size_t count);

/// libjpeg-turbo's own encoding of ready-made planes of at most 1920 x 1080, at quality 80.
/// Returns the size of the image in bytes, or -1 after an error.
int rival_encode(int width, int height, int is_420, const uint8_t *planes);
