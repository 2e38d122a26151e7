#include "CJPEG.h"

#include <setjmp.h>
#include <stdio.h>

// After stdio.h, which it needs.
#include <jpeglib.h>
#include <jerror.h>

// Cameras leave one to four bytes; Logitech's pad to a multiple of 16.
enum { most_stray_bytes = 16 };

// libjpeg-turbo reads up to 8 bytes ahead. Stray bytes among them cause no warning of their own: they are added to the next.
enum { most_bytes_ahead = 8 };

struct reader {
    struct jpeg_error_mgr errors;
    jmp_buf failed;
    const JOCTET *start;
    // The position of the last warning.
    const JOCTET *checked;
};

static void fail(j_common_ptr image) {
    longjmp(((struct reader *)image->err)->failed, 1);
}

static bool are_equal(const JOCTET *bytes, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (bytes[i] != bytes[0]) return false;
    return true;
}

// libjpeg calls this for each warning (a negative level) and for each step.
static void hear(j_common_ptr image, int level) {
    struct reader *reader = (struct reader *)image->err;
    if (level >= 0) return;
    const JOCTET *position = ((j_decompress_ptr)image)->src->next_input_byte;
    if (reader->errors.msg_code != JWRN_EXTRANEOUS_DATA) {
        // An unknown revision of JFIF does not change the picture. All else ends the reading: behind the end of the data,
        // libjpeg reads from a buffer of its own.
        if (reader->errors.msg_code != JWRN_JFIF_MAJOR) fail(image);
        return;
    }
    size_t count = reader->errors.msg_parm.i[0], restarts = 0;
    for (const JOCTET *byte = reader->checked; byte + 1 < position; byte++)
        if (byte[0] == 0xFF && byte[1] >= JPEG_RST0 && byte[1] <= JPEG_RST0 + 7) restarts++;
    // The position is that of the marker.
    bool is_padding = count <= (size_t)(position - reader->start) && are_equal(position - count, count);
    if (count > most_stray_bytes + most_bytes_ahead * restarts && !is_padding) fail(image);
    reader->checked = position;
}

bool cjpeg_is_whole(const uint8_t *bytes, size_t length) {
    struct jpeg_decompress_struct image = {0};
    struct reader reader = {.start = bytes, .checked = bytes};
    image.err = jpeg_std_error(&reader.errors);
    reader.errors.error_exit = fail;
    reader.errors.emit_message = hear;
    if (setjmp(reader.failed)) {
        jpeg_destroy_decompress(&image);
        return false;
    }
    jpeg_create_decompress(&image);
    jpeg_mem_src(&image, bytes, length);
    jpeg_read_header(&image, true);
    bool is_whole = !jpeg_has_multiple_scans(&image);
    if (is_whole) {
        image.scale_num = 1;
        image.scale_denom = DCTSIZE;
        image.out_color_space = JCS_GRAYSCALE;
        jpeg_start_decompress(&image);
        JSAMPARRAY row = image.mem->alloc_sarray((j_common_ptr)&image, JPOOL_IMAGE, image.output_width, 1);
        while (image.output_scanline < image.output_height) jpeg_read_scanlines(&image, row, 1);
        jpeg_finish_decompress(&image);
    }
    jpeg_destroy_decompress(&image);
    return is_whole;
}
