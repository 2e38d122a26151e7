#include "CRivals.h"

#include <string.h>
#include <turbojpeg.h>

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

int rival_jpeg(const uint8_t *bytes, size_t count) {
    static unsigned char planes[3][1920 * 1088];
    unsigned char *pointers[3] = {planes[0], planes[1], planes[2]};
    int width, height, subsampling, space;
    tjhandle handle = tjInitDecompress();
    if (!handle) return -1;
    int status = tjDecompressHeader3(handle, bytes, count, &width, &height, &subsampling, &space);
    if (status == 0) {
        status = tjDecompressToYUVPlanes(handle, bytes, count, pointers, width, NULL, height, 0);
    }
    tjDestroy(handle);
    return status;
}

int rival_encode(int width, int height, int is_420, const uint8_t *planes) {
    static unsigned char output[8 << 20];
    const int subsampling = is_420 ? TJSAMP_420 : TJSAMP_422;
    const unsigned char *pointers[3] = {planes, planes + width * height, planes + width * height * 3 / 2};
    unsigned char *target = output;
    unsigned long size = sizeof output;
    tjhandle handle = tjInitCompress();
    if (!handle) return -1;
    int status = tjCompressFromYUVPlanes(handle, pointers, width, NULL, height, subsampling, &target, &size, 80,
                                         TJFLAG_NOREALLOC);
    tjDestroy(handle);
    return status == 0 ? (int)size : -1;
}
