#include "CPixels.h"
#include "Target.h"

#include <stdbool.h>
#include <string.h>

enum { BITS = 14 };

/// Copies samples. Callers pass a constant for `step` where possible, so that vector shuffles pick the samples.
INLINE void copy_samples(const uint8_t *restrict samples, size_t step, size_t count, cpixels_rescaling rescaling,
                         uint8_t *restrict copies) {
    for (size_t index = 0; index < count; index++) {
        int32_t value = (rescaling.scale * samples[index * step] + rescaling.offset) >> BITS;
        value = value < 0 ? 0 : value;
        copies[index] = (uint8_t)(value > 255 ? 255 : value);
    }
}

BEST_OF_CPU
void cpixels_copy_samples(const uint8_t *samples, size_t step, size_t count, const cpixels_rescaling *rescaling,
                          uint8_t *copies) {
    const bool changes_nothing = rescaling->scale == 1 << BITS && rescaling->offset >> BITS == 0;
    if (step == 1 && changes_nothing) {
        memcpy(copies, samples, count);
    } else if (step == 1) {
        copy_samples(samples, 1, count, *rescaling, copies);
    } else if (step == 2) {
        copy_samples(samples, 2, count, *rescaling, copies);
    } else if (step == 4) {
        copy_samples(samples, 4, count, *rescaling, copies);
    } else {
        copy_samples(samples, step, count, *rescaling, copies);
    }
}
