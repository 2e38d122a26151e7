#ifndef SWATCHCAM_FAKEDRIVER_H
#define SWATCHCAM_FAKEDRIVER_H

// Not <linux/videodev2.h> itself: its structures would belong to two Clang modules, and an incremental build would take
// them for different types.
#include <CV4L2.h>
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
// Only the two lowest bits of that byte count; if bit 7 is set, another answer for the same request follows. Pointers
// and array lengths, which the kernel never changes, are not changed here either. What pointers refer to has its own
// answers of the same form: each v4l2_plane, then each v4l2_ext_control and its string. When the bytes are used up,
// every request fails: a request for a frame with ENODEV, any other with EINVAL.

/// Starts answering the calling thread's V4L2 requests from these bytes, which must stay valid until the end.
void fake_driver_begin(const uint8_t *_Nullable answers, size_t count);

/// The requests that a program makes, by their numbers.
typedef enum {
    FAKE_QUERYCAP = _IOC_NR(VIDIOC_QUERYCAP),
    FAKE_ENUM_FMT = _IOC_NR(VIDIOC_ENUM_FMT),
    FAKE_ENUM_FRAMESIZES = _IOC_NR(VIDIOC_ENUM_FRAMESIZES),
    FAKE_ENUM_FRAMEINTERVALS = _IOC_NR(VIDIOC_ENUM_FRAMEINTERVALS),
    FAKE_S_FMT = _IOC_NR(VIDIOC_S_FMT),
    FAKE_G_PARM = _IOC_NR(VIDIOC_G_PARM),
    FAKE_S_PARM = _IOC_NR(VIDIOC_S_PARM),
    FAKE_REQBUFS = _IOC_NR(VIDIOC_REQBUFS),
    FAKE_QUERYBUF = _IOC_NR(VIDIOC_QUERYBUF),
    FAKE_QBUF = _IOC_NR(VIDIOC_QBUF),
    FAKE_DQBUF = _IOC_NR(VIDIOC_DQBUF),
    FAKE_STREAMON = _IOC_NR(VIDIOC_STREAMON),
    FAKE_STREAMOFF = _IOC_NR(VIDIOC_STREAMOFF),
    FAKE_G_INPUT = _IOC_NR(VIDIOC_G_INPUT),
    FAKE_ENUMINPUT = _IOC_NR(VIDIOC_ENUMINPUT),
    FAKE_G_STD = _IOC_NR(VIDIOC_G_STD),
    FAKE_S_STD = _IOC_NR(VIDIOC_S_STD),
    FAKE_QUERYSTD = _IOC_NR(VIDIOC_QUERYSTD),
    FAKE_S_DV_TIMINGS = _IOC_NR(VIDIOC_S_DV_TIMINGS),
    FAKE_QUERY_DV_TIMINGS = _IOC_NR(VIDIOC_QUERY_DV_TIMINGS),
    FAKE_SUBSCRIBE_EVENT = _IOC_NR(VIDIOC_SUBSCRIBE_EVENT),
    FAKE_DQEVENT = _IOC_NR(VIDIOC_DQEVENT),
    FAKE_QUERY_EXT_CTRL = _IOC_NR(VIDIOC_QUERY_EXT_CTRL),
    FAKE_QUERYMENU = _IOC_NR(VIDIOC_QUERYMENU),
    FAKE_G_EXT_CTRLS = _IOC_NR(VIDIOC_G_EXT_CTRLS),
    FAKE_S_EXT_CTRLS = _IOC_NR(VIDIOC_S_EXT_CTRLS),
} fake_driver_request;

/// Answers a request, whose structure it may change, with 0 or an errno.
typedef int fake_driver_answer(void *_Nonnull context, fake_driver_request request, void *_Nonnull argument);

/// Starts answering the calling thread's V4L2 requests with a function.
void fake_driver_begin_model(fake_driver_answer *_Nonnull answer, void *_Nonnull context);

/// Lets the kernel answer the calling thread's requests again.
void fake_driver_end(void);

#endif
