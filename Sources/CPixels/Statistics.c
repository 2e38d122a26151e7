#include "CPixels.h"
#include "Target.h"

#include <string.h>

/// The number of pixels that are converted before they are counted, few enough to stay in the first-level cache.
enum { RUN = 256 };
/// The bins of colours: 32 a channel, of which red's bits are the upper ones.
enum { BIN_BITS = 5, BINS = 1 << 3 * BIN_BITS };
enum { FIELD = 21, BIAS = 1 << 20, WHITE = (1 << 18) - 1, HALF = 514 };
/// A pixel whose channels are 0.
static const uint64_t BLACK = BIAS * (1 + ((uint64_t)1 << FIELD) + ((uint64_t)1 << 2 * FIELD));

// Pixels are handled eight at a time. The vectors are written out: when compilers vectorise a loop that converts
// between widths, they use narrower vectors. Only inlined functions pass vectors.
#pragma GCC diagnostic ignored "-Wpsabi"

enum { LANES = 8 };
typedef int32_t int32_lanes __attribute__((vector_size(4 * LANES)));
typedef uint32_t uint32_lanes __attribute__((vector_size(4 * LANES)));
typedef uint64_t uint64_lanes __attribute__((vector_size(8 * LANES)));
typedef uint16_t uint16_lanes __attribute__((vector_size(2 * LANES)));

/// The channels of pixels before they are clamped.
typedef struct {
    int32_lanes of[3];
} channels;

/// Returns the channels of eight pixels. If there are fewer, the others are black.
INLINE channels channels_of(const uint64_t *pixels, size_t count) {
    uint64_lanes words;
    if (count < LANES) {
        for (size_t lane = 0; lane < LANES; lane++) words[lane] = lane < count ? pixels[lane] : BLACK;
    } else {
        memcpy(&words, pixels, sizeof words);
    }
    const uint32_lanes low = __builtin_convertvector(words, uint32_lanes);
    const uint32_lanes high = __builtin_convertvector(words >> 32, uint32_lanes);
    const uint32_lanes mask = (uint32_lanes){0} + ((1 << FIELD) - 1);
    return (channels){{(int32_lanes)(low & mask) - BIAS,
                       (int32_lanes)((low >> FIELD | high << (32 - FIELD)) & mask) - BIAS,
                       (int32_lanes)(high >> (2 * FIELD - 32) & mask) - BIAS}};
}

INLINE int32_lanes clamped(int32_lanes value) {
    // A comparison gives all ones or zeros.
    value &= value > 0;
    const int32_lanes is_above = value > WHITE;
    return (is_above & WHITE) | (~is_above & value);
}

INLINE uint64_t total(uint64_lanes sums) {
    uint64_t sum = 0;
    for (size_t lane = 0; lane < LANES; lane++) sum += sums[lane];
    return sum;
}

INLINE uint64_lanes widened(uint32_lanes sums) { return __builtin_convertvector(sums, uint64_lanes); }

/// The sum of the light of a channel, without the curve's bias. The rest holds up to 256 pixels in a lane.
typedef struct {
    uint64_lanes whole;
    uint32_lanes rest;
} light;

/// Adds the light of clamped values.
INLINE void add_light(int32_lanes values, const uint64_t *curve, light *light) {
    const uint32_lanes places = (uint32_lanes)values + CPIXELS_KNOT, t = places & 127, indices = places >> 7;
    uint64_lanes pieces = {0};
    for (size_t lane = 0; lane < LANES; lane++) pieces[lane] = curve[indices[lane]];
    const uint32_lanes b = __builtin_convertvector(pieces >> 10, uint32_lanes) & ((1 << 23) - 1);
    const uint32_lanes c = __builtin_convertvector(pieces, uint32_lanes) & 1023;
    light->whole += pieces >> 33;
    light->rest += (b * t + (c * (t * t) >> 6) + 256) >> 9;
}

/// Returns the sum of the light of `count` pixels. The others were black.
INLINE uint64_t total_light(const light *light, size_t count, const uint64_t *curve) {
    const size_t others = (LANES - count % LANES) % LANES;
    const uint64_t piece = curve[CPIXELS_KNOT >> 7], t = CPIXELS_KNOT & 127;
    const uint64_t black =
        (piece >> 33) + (((piece >> 10 & ((1 << 23) - 1)) * t + ((piece & 1023) * t * t >> 6) + 256) >> 9);
    return total(light->whole + widened(light->rest)) - others * black - (uint64_t)count * CPIXELS_CURVE_BIAS;
}

/// Adds the light of a run.
INLINE void add_light_of_run(const uint64_t *pixels, size_t count, const uint64_t *curve, cpixels_sums *sums) {
    light light[3] = {0};
    for (size_t index = 0; index < count; index += LANES) {
        const channels channels = channels_of(pixels + index, count - index);
        for (size_t channel = 0; channel < 3; channel++) {
            add_light(clamped(channels.of[channel]), curve, &light[channel]);
        }
    }
    sums->r += total_light(&light[0], count, curve);
    sums->g += total_light(&light[1], count, curve);
    sums->b += total_light(&light[2], count, curve);
}

BEST_OF_CPU
void cpixels_add_light(const uint64_t *pixels, size_t count, const uint64_t curve[CPIXELS_CURVE],
                       cpixels_sums *sums) {
    for (size_t done = 0; done < count; done += RUN) {
        add_light_of_run(pixels + done, count - done < RUN ? count - done : RUN, curve, sums);
    }
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

/// Counts the pixels in each bin, and returns what `fullest_of` does. Of few pixels, only their own bins are touched:
/// clearing and searching all bins would take longer than everything else.
INLINE uint32_t count_bins(const uint16_t *bins, size_t count) {
    uint16_t pixels_in[BINS];
    if (count >= BINS / 64) {
        memset(pixels_in, 0, sizeof pixels_in);
        for (size_t index = 0; index < count; index++) pixels_in[bins[index]]++;
        return fullest_of(pixels_in);
    }
    for (size_t index = 0; index < count; index++) pixels_in[bins[index]] = 0;
    // The number of pixels above the bin's complement: the greatest is that of the fullest bin with the least index.
    uint32_t greatest = 0;
    for (size_t index = 0; index < count; index++) {
        const uint32_t here = (uint32_t)++pixels_in[bins[index]] << 16 | (uint16_t)~bins[index];
        greatest = here > greatest ? here : greatest;
    }
    return (uint16_t)~greatest;
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
        uint16_t is_near[RUN] = {0};
        uint32_t near = 0;
        for (size_t index = 0; index < run; index++) {
            is_near[index] = are_near(bins[index], bin, 0) & are_near(bins[index], bin, BIN_BITS) &
                             are_near(bins[index], bin, 2 * BIN_BITS);
            near += is_near[index];
        }
        uint32_lanes sums[3] = {{0}, {0}, {0}};
        for (size_t index = 0; near > 0 && index < run; index += LANES) {
            const channels channels = channels_of(pixels + index, run - index);
            uint16_lanes here;
            memcpy(&here, is_near + index, sizeof here);
            const int32_lanes mask = __builtin_convertvector(here, int32_lanes) > 0;
            for (size_t channel = 0; channel < 3; channel++) {
                sums[channel] += (uint32_lanes)(clamped(channels.of[channel]) & mask);
            }
        }
        for (size_t channel = 0; channel < 3; channel++) group->sum[channel] += total(widened(sums[channel]));
        group->pixels += near;
        pixels += run, bins += run, count -= run;
    }
}

/// Adds the statistics of a run.
INLINE void add_run(const uint64_t *pixels, size_t count, const uint64_t *curve, uint16_t *bins, size_t *const codes[3],
                    cpixels_tally *tally) {
    uint32_t code[3][RUN];
    uint16_t bin[RUN];
    light light[3] = {0};
    uint32_lanes sum[3] = {{0}, {0}, {0}};
    uint64_lanes squares[3] = {{0}, {0}, {0}};
    int32_lanes out_of_gamut = {0};
    for (size_t index = 0; index < count; index += LANES) {
        const channels channels = channels_of(pixels + index, count - index);
        int32_lanes is_outside = {0};
        uint32_lanes of_bin = {0};
        for (size_t channel = 0; channel < 3; channel++) {
            is_outside |= (channels.of[channel] < -HALF) | (channels.of[channel] > WHITE + HALF);
            const int32_lanes value = clamped(channels.of[channel]);
            // Rounded to nearest; there are no halves. t / (2^18 - 1) is (t + t / 2^18 + 1) / 2^18, all rounded down.
            const uint32_lanes t = (uint32_lanes)value * 255 + WHITE / 2, rounded = (t + (t >> 18) + 1) >> 18;
            memcpy(code[channel] + index, &rounded, sizeof rounded);
            of_bin = of_bin << BIN_BITS | rounded >> 3;
            sum[channel] += (uint32_lanes)value;
            squares[channel] += widened((uint32_lanes)value) * widened((uint32_lanes)value);
            add_light(value, curve, &light[channel]);
        }
        out_of_gamut -= is_outside;
        const uint16_lanes narrow = __builtin_convertvector(of_bin, uint16_lanes);
        memcpy(bin + index, &narrow, sizeof narrow);
    }
    for (size_t channel = 0; channel < 3; channel++) {
        tally->sum[channel] += total(widened(sum[channel]));
        tally->squares[channel] += total(squares[channel]);
        tally->light[channel] += total_light(&light[channel], count, curve);
    }
    tally->out_of_gamut += total(widened((uint32_lanes)out_of_gamut));
    for (size_t index = 0; index < count; index++) {
        codes[0][code[0][index]]++;
        codes[1][code[1][index]]++;
        codes[2][code[2][index]]++;
    }
    memcpy(bins, bin, count * sizeof bin[0]);
}

/// The number of code values that are passed over together in a search.
enum { BLOCK = 16 };

INLINE size_t pixels_of_block(const size_t codes[BLOCK]) {
    size_t pixels = 0;
    for (size_t code = 0; code < BLOCK; code++) pixels += codes[code];
    return pixels;
}

/// Returns the order of `count` pixels, at least one.
INLINE cpixels_order order_of(const size_t codes[256], size_t count) {
    size_t minimum = 0, maximum = 255;
    while (pixels_of_block(codes + minimum) == 0) minimum += BLOCK;
    size_t median = minimum, place = (count - 1) / 2;
    while (codes[minimum] == 0) minimum++;
    while (pixels_of_block(codes + maximum + 1 - BLOCK) == 0) maximum -= BLOCK;
    while (codes[maximum] == 0) maximum--;
    for (size_t here; (here = pixels_of_block(codes + median)) <= place; median += BLOCK) place -= here;
    for (; codes[median] <= place; median++) place -= codes[median];
    size_t upper_median = median;
    // Of an even number of pixels, the next one is in the middle, too.
    if (count % 2 == 0 && place + 1 == codes[median]) {
        do upper_median++; while (codes[upper_median] == 0);
    }
    return (cpixels_order){(uint8_t)minimum, (uint8_t)median, (uint8_t)upper_median, (uint8_t)maximum};
}

BEST_OF_CPU
void cpixels_add_statistics(const uint64_t *pixels, size_t count, const uint64_t curve[CPIXELS_CURVE], uint16_t *bins,
                            size_t red[256], size_t green[256], size_t blue[256], cpixels_tally *tally) {
    if (count == 0) return;
    size_t *const codes[3] = {red, green, blue};
    for (size_t done = 0; done < count; done += RUN) {
        add_run(pixels + done, count - done < RUN ? count - done : RUN, curve, bins + done, codes, tally);
    }
    for (size_t channel = 0; channel < 3; channel++) {
        tally->order[channel] = order_of(codes[channel], count);
    }
    add_near(pixels, bins, count, count_bins(bins, count), &tally->dominant);
}
