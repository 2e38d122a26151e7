#include "CRivals.h"

#include <string.h>

uint64_t rival_read(const uint8_t *bytes, size_t count) {
    uint64_t sum = 0;
    for (size_t index = 0; index + 8 <= count; index += 8) {
        uint64_t word;
        memcpy(&word, bytes + index, sizeof word);
        sum += word;
    }
    return sum;
}

static int clamped(int value) { return value < 0 ? 0 : value > 255 << 16 ? 255 << 16 : value; }

// BT.601, limited range, times 65536.
enum { Y = 76309, CR_TO_R = 104597, CB_TO_G = -25675, CR_TO_G = -53279, CB_TO_B = 132201 };

static void add(int y, int cb, int cr, uint64_t sums[3]) {
    int luma = Y * (y - 16);
    sums[0] += clamped(luma + CR_TO_R * (cr - 128));
    sums[1] += clamped(luma + CB_TO_G * (cb - 128) + CR_TO_G * (cr - 128));
    sums[2] += clamped(luma + CB_TO_B * (cb - 128));
}

void rival_yuyv(const uint8_t *bytes, size_t width, size_t height, uint64_t sums[3]) {
    for (size_t index = 0; index < width * height * 2; index += 4) {
        add(bytes[index], bytes[index + 1], bytes[index + 3], sums);
        add(bytes[index + 2], bytes[index + 1], bytes[index + 3], sums);
    }
}

void rival_nv12(const uint8_t *bytes, size_t width, size_t height, uint64_t sums[3]) {
    for (size_t y = 0; y < height; y++) {
        const uint8_t *luma = bytes + y * width, *chroma = bytes + (height + y / 2) * width;
        for (size_t x = 0; x < width; x += 2) {
            add(luma[x], chroma[x], chroma[x + 1], sums);
            add(luma[x + 1], chroma[x], chroma[x + 1], sums);
        }
    }
}

void rival_rgb(const uint8_t *bytes, size_t width, size_t height, size_t size, uint64_t sums[3]) {
    uint64_t first = 0, second = 0, third = 0;
    for (size_t index = 0; index < width * height * size; index += size) {
        first += bytes[index];
        second += bytes[index + 1];
        third += bytes[index + 2];
    }
    sums[0] += first;
    sums[1] += second;
    sums[2] += third;
}
