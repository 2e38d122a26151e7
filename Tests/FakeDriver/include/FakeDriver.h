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

/// The requests that a program makes. The number of a request (`_IOC_NR`) does not identify it: that of VIDIOC_S_FMT is
/// also that of VIDIOC_SUBDEV_S_FMT.
typedef enum {
    FAKE_QUERYCAP = VIDIOC_QUERYCAP,
    FAKE_ENUM_FMT = VIDIOC_ENUM_FMT,
    FAKE_ENUM_FRAMESIZES = VIDIOC_ENUM_FRAMESIZES,
    FAKE_ENUM_FRAMEINTERVALS = VIDIOC_ENUM_FRAMEINTERVALS,
    FAKE_G_FMT = VIDIOC_G_FMT,
    FAKE_S_FMT = VIDIOC_S_FMT,
    FAKE_G_PARM = VIDIOC_G_PARM,
    FAKE_S_PARM = VIDIOC_S_PARM,
    FAKE_REQBUFS = VIDIOC_REQBUFS,
    FAKE_QUERYBUF = VIDIOC_QUERYBUF,
    FAKE_QBUF = VIDIOC_QBUF,
    FAKE_DQBUF = VIDIOC_DQBUF,
    FAKE_STREAMON = VIDIOC_STREAMON,
    FAKE_STREAMOFF = VIDIOC_STREAMOFF,
    FAKE_G_INPUT = VIDIOC_G_INPUT,
    FAKE_ENUMINPUT = VIDIOC_ENUMINPUT,
    FAKE_G_STD = VIDIOC_G_STD,
    FAKE_S_STD = VIDIOC_S_STD,
    FAKE_QUERYSTD = VIDIOC_QUERYSTD,
    FAKE_S_DV_TIMINGS = VIDIOC_S_DV_TIMINGS,
    FAKE_QUERY_DV_TIMINGS = VIDIOC_QUERY_DV_TIMINGS,
    FAKE_SUBSCRIBE_EVENT = VIDIOC_SUBSCRIBE_EVENT,
    FAKE_DQEVENT = VIDIOC_DQEVENT,
    FAKE_QUERY_EXT_CTRL = VIDIOC_QUERY_EXT_CTRL,
    FAKE_QUERYMENU = VIDIOC_QUERYMENU,
    FAKE_G_EXT_CTRLS = VIDIOC_G_EXT_CTRLS,
    FAKE_S_EXT_CTRLS = VIDIOC_S_EXT_CTRLS,
    FAKE_SUBDEV_ENUM_MBUS_CODE = VIDIOC_SUBDEV_ENUM_MBUS_CODE,
    FAKE_SUBDEV_ENUM_FRAME_SIZE = VIDIOC_SUBDEV_ENUM_FRAME_SIZE,
    FAKE_SUBDEV_G_FMT = VIDIOC_SUBDEV_G_FMT,
    FAKE_SUBDEV_S_FMT = VIDIOC_SUBDEV_S_FMT,
    FAKE_MEDIA_DEVICE_INFO = MEDIA_IOC_DEVICE_INFO,
    FAKE_MEDIA_G_TOPOLOGY = MEDIA_IOC_G_TOPOLOGY,
    FAKE_MEDIA_SETUP_LINK = MEDIA_IOC_SETUP_LINK,
} fake_driver_request;

/// Answers a request, whose structure it may change, with 0 or an errno.
typedef int fake_driver_answer(void *_Nonnull context, int fd, fake_driver_request request, void *_Nonnull argument);

/// Starts answering the calling thread's V4L2 requests, and those to media devices, with a function.
void fake_driver_begin_model(fake_driver_answer *_Nonnull answer, void *_Nonnull context);

/// Lets the kernel answer the calling thread's requests again.
void fake_driver_end(void);

#endif
