#ifndef SWATCHCAM_FAKEDRIVER_H
#define SWATCHCAM_FAKEDRIVER_H

#include <stddef.h>
#include <stdint.h>

// A video driver of which every answer is known beforehand: the V4L2 requests of the calling thread are answered from
// bytes, instead of by the kernel. So a driver can be tried that is wrong in a way that none at hand is.
//
// The bytes are a list of answers, one after the other, whatever is asked. An answer begins with a byte:
//
//   0           the request succeeds, and its structure stays as it is
//   1 n bytes   it succeeds; the structure begins with these n bytes
//   2 o n bytes it succeeds; these n bytes stand from byte 4 * o of the structure on
//   3 errno     it fails
//
// of which the two lowest bits count; with bit 7 set, another answer for the same request follows. What the kernel never
// changes is not changed here either: pointers, the lengths of arrays. What they point to has answers of its own, of the
// same form: each v4l2_plane, then each v4l2_ext_control and its string.
// When the bytes are at an end, every request fails: with ENODEV where a frame is asked for, otherwise with EINVAL.

/// From here on the calling thread's V4L2 requests are answered from these bytes, which have to stay where they are.
void fake_driver_begin(const uint8_t *_Nullable answers, size_t count);

/// From here on they are answered by the kernel again.
void fake_driver_end(void);

#endif
