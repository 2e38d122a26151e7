#include "CPixels.h"
#include "Target.h"

/// The number of bytes that are lit at once: whole pixels, and whole vectors of any processor.
enum { RUN_BYTES = 48 };

INLINE uint8_t lit(uint8_t byte, int16_t noise, int32_t scale, int32_t offset, int32_t dark_scale) {
    // Both are computed, so that vector instructions can select one.
    const int32_t bright = byte * scale + offset, dark = byte * dark_scale;
    const int32_t value = ((byte <= CPIXELS_DARK ? dark : bright) + noise * (1 << 7) + (1 << 14)) >> 15;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

BEST_OF_CPU
void cpixels_light(const uint8_t *restrict scene, const int16_t *restrict noise, size_t count,
                   const cpixels_gain *gain, uint8_t *restrict picture) {
    int32_t scale[RUN_BYTES], offset[RUN_BYTES], dark_scale[RUN_BYTES];
    for (size_t lane = 0; lane < RUN_BYTES; lane++) {
        scale[lane] = gain->scale[lane % 3];
        offset[lane] = gain->offset[lane % 3];
        dark_scale[lane] = gain->dark_scale[lane % 3];
    }
    size_t done = 0;
    for (; done + RUN_BYTES <= count; done += RUN_BYTES) {
        for (size_t lane = 0; lane < RUN_BYTES; lane++) {
            picture[done + lane] =
                lit(scene[done + lane], noise[done + lane], scale[lane], offset[lane], dark_scale[lane]);
        }
    }
    for (size_t lane = 0; done + lane < count; lane++) {
        picture[done + lane] = lit(scene[done + lane], noise[done + lane], scale[lane], offset[lane], dark_scale[lane]);
    }
}
