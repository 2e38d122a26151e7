#ifndef SWATCHCAM_FAKEDRIVER_H
#define SWATCHCAM_FAKEDRIVER_H

#include <stddef.h>
#include <stdint.h>

// A video driver whose every answer is given beforehand: the calling thread's V4L2 requests are answered from bytes
// instead of by the kernel. This makes it possible to test drivers that misbehave in ways that no real driver at hand
// does.
//
// The bytes are a list of answers, used one after the other whatever the request. An answer begins with a byte:
//
//   0           the request succeeds, and its structure stays as it is
//   1 n bytes   it succeeds; these n bytes are written to the beginning of the structure
//   2 o n bytes it succeeds; these n bytes are written to the structure from byte 4 * o on
//   3 errno     it fails
//
// of which only the two lowest bits count; if bit 7 is set, another answer for the same request follows. Pointers and
// array lengths, which the kernel never changes, are not changed here either. What pointers refer to has its own
// answers of the same form: each v4l2_plane, then each v4l2_ext_control and its string. When the bytes are used up,
// every request fails: a request for a frame with ENODEV, any other with EINVAL.

/// Starts answering the calling thread's V4L2 requests from these bytes, which must stay valid until the end.
void fake_driver_begin(const uint8_t *_Nullable answers, size_t count);

/// Lets the kernel answer the calling thread's requests again.
void fake_driver_end(void);

#endif
