#include <limits.h>
#include <string.h>
#include <zlib.h>

/// Compresses bytes in gzip's format. The library's own functions are macros or need a structure with pointers.
///
/// Returns the number of bytes written; 0 if they do not fit, if there is no memory, or if `length` or `room` exceeds
/// UINT_MAX.
static inline unsigned long swatchcam_gzip(
    const unsigned char *input, unsigned long length, unsigned char *output, unsigned long room)
{
    z_stream stream;
    int isDone;

    if (length > UINT_MAX || room > UINT_MAX)
        return 0;
    memset(&stream, 0, sizeof stream);
    // The largest window, and 16 for gzip's header instead of zlib's.
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    stream.next_in = (unsigned char *)input;
    stream.avail_in = (unsigned int)length;
    stream.next_out = output;
    stream.avail_out = (unsigned int)room;
    isDone = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    deflateEnd(&stream);
    return isDone ? stream.total_out : 0;
}
