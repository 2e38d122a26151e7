#include "CPixels.h"
#include "Target.h"

/// The number of pixels that are converted before they are counted, few enough to stay in the first-level cache.
enum { RUN = 256 };
enum { FIELD = 21, BIAS = 1 << 20, WHITE = (1 << 18) - 1, HALF = 514 };

/// Converts a channel of a run and adds up what needs no table. These loops become vector instructions.
INLINE void add_channel(const uint64_t *restrict pixels, size_t count, size_t channel, int32_t *restrict values,
                        uint8_t *restrict codes, uint8_t *restrict outside, cpixels_tally *tally) {
    uint32_t sum = 0;
    uint64_t squares = 0;
    for (size_t index = 0; index < count; index++) {
        int32_t value = (int32_t)(pixels[index] >> channel * FIELD & ((1 << FIELD) - 1)) - BIAS;
        outside[index] |= (value < -HALF) | (value > WHITE + HALF);
        value = value < 0 ? 0 : value > WHITE ? WHITE : value;
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

BEST_OF_CPU
void cpixels_count(const uint64_t *pixels, size_t count, const uint32_t *light, uint32_t codes[768],
                   uint16_t numbers[CPIXELS_BINS], cpixels_bin *bins, cpixels_tally *tally) {
    int32_t values[3][RUN];
    uint8_t code[3][RUN];
    while (count > 0) {
        const size_t run = count < RUN ? count : RUN;
        uint8_t outside[RUN] = {0};
        for (size_t channel = 0; channel < 3; channel++) {
            add_channel(pixels, run, channel, values[channel], code[channel], outside, tally);
        }
        uint32_t out_of_gamut = 0;
        for (size_t index = 0; index < run; index++) out_of_gamut += outside[index];
        tally->out_of_gamut += out_of_gamut;
        uint64_t of_r = 0, of_g = 0, of_b = 0;
        for (size_t index = 0; index < run; index++) {
            const uint32_t r = code[0][index], g = code[1][index], b = code[2][index];
            codes[r]++;
            codes[256 + g]++;
            codes[512 + b]++;
            const uint32_t place = (r >> 3) << 2 * CPIXELS_BIN_BITS | (g >> 3) << CPIXELS_BIN_BITS | b >> 3;
            if (numbers[place] == 0) {
                bins[tally->bins] = (cpixels_bin){.index = place};
                numbers[place] = (uint16_t)++tally->bins;
            }
            cpixels_bin *bin = bins + numbers[place] - 1;
            bin->sum[0] += (uint32_t)values[0][index];
            bin->sum[1] += (uint32_t)values[1][index];
            bin->sum[2] += (uint32_t)values[2][index];
            bin->pixels++;
            of_r += light[values[0][index]];
            of_g += light[values[1][index]];
            of_b += light[values[2][index]];
        }
        tally->light[0] += of_r, tally->light[1] += of_g, tally->light[2] += of_b;
        pixels += run, count -= run;
    }
}
