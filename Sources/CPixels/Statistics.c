#include "CPixels.h"
#include "Target.h"

/// The number of pixels that are converted before they are counted, few enough to stay in the first-level cache.
enum { RUN = 256 };
/// The bins of colours: 32 a channel, of which red's bits are the upper ones.
enum { BIN_BITS = 5, BINS = 1 << 3 * BIN_BITS };
enum { FIELD = 21, BIAS = 1 << 20, WHITE = (1 << 18) - 1, HALF = 514 };

// The loops over a run that need no table become vector instructions.

/// Returns a channel before it is clamped.
INLINE int32_t channel_of(uint64_t pixel, size_t channel) {
    return (int32_t)(pixel >> channel * FIELD & ((1 << FIELD) - 1)) - BIAS;
}

INLINE int32_t clamped(int32_t value) { return value < 0 ? 0 : value > WHITE ? WHITE : value; }

/// Returns the sum of the light of a channel of a run.
INLINE uint64_t light_of(const int32_t *values, size_t count, const uint64_t *curve) {
    uint64_t sum = 0;
    for (size_t index = 0; index < count; index++) {
        const uint32_t place = (uint32_t)values[index] + CPIXELS_KNOT, t = place & 127;
        const uint64_t piece = curve[place >> 7];
        const uint32_t a = (uint32_t)(piece >> 33), b = piece >> 10 & ((1 << 23) - 1), c = piece & 1023;
        sum += a + ((b * t + (c * t * t >> 6) + 256) >> 9) - CPIXELS_CURVE_BIAS;
    }
    return sum;
}

BEST_OF_CPU
void cpixels_add_light(const uint64_t *pixels, size_t count, const uint64_t curve[CPIXELS_CURVE],
                       cpixels_sums *sums) {
    int32_t values[RUN];
    while (count > 0) {
        const size_t run = count < RUN ? count : RUN;
        uint64_t *const channels[3] = {&sums->r, &sums->g, &sums->b};
        for (size_t channel = 0; channel < 3; channel++) {
            for (size_t index = 0; index < run; index++) values[index] = clamped(channel_of(pixels[index], channel));
            *channels[channel] += light_of(values, run, curve);
        }
        pixels += run, count -= run;
    }
}

/// Converts a channel of a run and adds up its sums.
INLINE void add_channel(const uint64_t *restrict pixels, size_t count, size_t channel, int32_t *restrict values,
                        uint8_t *restrict codes, uint8_t *restrict outside, cpixels_tally *tally) {
    uint32_t sum = 0;
    uint64_t squares = 0;
    for (size_t index = 0; index < count; index++) {
        int32_t value = channel_of(pixels[index], channel);
        outside[index] |= (value < -HALF) | (value > WHITE + HALF);
        value = clamped(value);
        values[index] = value;
        // Rounded to nearest; there are no halves. t / (2^18 - 1) is (t + t / 2^18 + 1) / 2^18, all rounded down.
        const uint32_t t = (uint32_t)value * 255 + WHITE / 2;
        codes[index] = (uint8_t)((t + (t >> 18) + 1) >> 18);
        sum += (uint32_t)value;
    }
    for (size_t index = 0; index < count; index++) squares += (uint64_t)(uint32_t)values[index] * (uint32_t)values[index];
    tally->sum[channel] += sum;
    tally->squares[channel] += squares;
}

/// Returns the index of the fullest bin; the least index if several bins are equally full.
INLINE uint32_t fullest_of(const uint16_t pixels_in[BINS]) {
    uint32_t fullest = 0;
    uint16_t most = 0;
    for (uint32_t first = 0; first < BINS; first += RUN) {
        uint16_t here = 0;
        for (uint32_t bin = first; bin < first + RUN; bin++) here = pixels_in[bin] > here ? pixels_in[bin] : here;
        if (here > most) fullest = first, most = here;
    }
    while (pixels_in[fullest] < most) fullest++;
    return fullest;
}

/// Returns whether two bins are at most one apart in the channel whose index begins at `bit`.
INLINE uint16_t are_near(uint32_t bin, uint32_t other, uint32_t bit) {
    const uint32_t last = (1 << BIN_BITS) - 1;
    return (uint16_t)((bin >> bit & last) - (other >> bit & last) + 1) <= 2;
}

/// Adds the pixels in a bin and in those next to it.
INLINE void add_near(const uint64_t *pixels, const uint16_t *bins, size_t count, uint32_t bin, cpixels_group *group) {
    while (count > 0) {
        const size_t run = count < RUN ? count : RUN;
        uint16_t is_near[RUN];
        uint32_t near = 0;
        for (size_t index = 0; index < run; index++) {
            is_near[index] = are_near(bins[index], bin, 0) & are_near(bins[index], bin, BIN_BITS) &
                             are_near(bins[index], bin, 2 * BIN_BITS);
            near += is_near[index];
        }
        for (size_t channel = 0; near > 0 && channel < 3; channel++) {
            uint32_t sum = 0;
            for (size_t index = 0; index < run; index++) {
                sum += is_near[index] ? (uint32_t)clamped(channel_of(pixels[index], channel)) : 0;
            }
            group->sum[channel] += sum;
        }
        group->pixels += near;
        pixels += run, bins += run, count -= run;
    }
}

BEST_OF_CPU
void cpixels_add_statistics(const uint64_t *pixels, size_t count, const uint64_t curve[CPIXELS_CURVE], uint16_t *bins,
                            uint32_t codes[768], cpixels_tally *tally) {
    uint16_t pixels_in[BINS] = {0};
    int32_t values[RUN];
    uint8_t code[3][RUN];
    for (size_t done = 0, run; done < count; done += run) {
        run = count - done < RUN ? count - done : RUN;
        uint8_t outside[RUN] = {0};
        for (size_t channel = 0; channel < 3; channel++) {
            add_channel(pixels + done, run, channel, values, code[channel], outside, tally);
            tally->light[channel] += light_of(values, run, curve);
        }
        uint32_t out_of_gamut = 0;
        for (size_t index = 0; index < run; index++) out_of_gamut += outside[index];
        tally->out_of_gamut += out_of_gamut;
        for (size_t index = 0; index < run; index++) {
            const uint32_t r = code[0][index] >> 3, g = code[1][index] >> 3, b = code[2][index] >> 3;
            bins[done + index] = (uint16_t)(r << 2 * BIN_BITS | g << BIN_BITS | b);
        }
        for (size_t index = 0; index < run; index++) {
            for (size_t channel = 0; channel < 3; channel++) codes[256 * channel + code[channel][index]]++;
            pixels_in[bins[done + index]]++;
        }
    }
    add_near(pixels, bins, count, fullest_of(pixels_in), &tally->dominant);
}
