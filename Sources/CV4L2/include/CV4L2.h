#ifndef SWATCHCAM_CV4L2_H
#define SWATCHCAM_CV4L2_H

// The parts of <linux/videodev2.h>, <linux/v4l2-subdev.h> and <linux/media.h> that Swift cannot import: ioctl(2) is
// variadic, and the request numbers are macros that Swift does not import. Each request becomes one function with its
// own argument type.

#include <errno.h>
#include <linux/media-bus-format.h>
#include <linux/media.h>
#include <linux/v4l2-subdev.h>
#include <linux/videodev2.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <sys/types.h>

// The major number of every video4linux device: the kernel's Documentation/admin-guide/devices.txt, "81 char", and
// VIDEO_MAJOR in its include/media/v4l2-dev.h, which is not among the headers for programs.
#define CV4L2_MAJOR 81u

static inline uint32_t cv4l2_major(dev_t device) { return major(device); }

// Under libcamera's V4L2 layer (v4l2-compat.so in LD_PRELOAD), lets one thread at a time make a request, or open, close or
// map a device: the layer keeps its cameras and their buffers in maps without a lock (libcamera 0.7.1,
// src/v4l2/v4l2_compat_manager.cpp). Without it, these do nothing.
void cv4l2_lock(void);
void cv4l2_unlock(void);

// Returns 0, or the errno of the failure. A call that a signal interrupts is repeated.
#define CV4L2_REQUEST(name, request, type)                                  \
    static inline int32_t name(int32_t fd, type *_Nonnull argument) {       \
        int result;                                                         \
        cv4l2_lock();                                                       \
        do {                                                                \
            result = ioctl(fd, request, argument);                          \
        } while (result == -1 && errno == EINTR);                           \
        int code = result == -1 ? errno : 0;                                \
        cv4l2_unlock();                                                     \
        return code;                                                        \
    }

CV4L2_REQUEST(cv4l2_querycap, VIDIOC_QUERYCAP, struct v4l2_capability)
CV4L2_REQUEST(cv4l2_enum_fmt, VIDIOC_ENUM_FMT, struct v4l2_fmtdesc)
CV4L2_REQUEST(cv4l2_enum_framesizes, VIDIOC_ENUM_FRAMESIZES, struct v4l2_frmsizeenum)
CV4L2_REQUEST(cv4l2_enum_frameintervals, VIDIOC_ENUM_FRAMEINTERVALS, struct v4l2_frmivalenum)
CV4L2_REQUEST(cv4l2_g_fmt, VIDIOC_G_FMT, struct v4l2_format)
CV4L2_REQUEST(cv4l2_s_fmt, VIDIOC_S_FMT, struct v4l2_format)
CV4L2_REQUEST(cv4l2_g_parm, VIDIOC_G_PARM, struct v4l2_streamparm)
CV4L2_REQUEST(cv4l2_s_parm, VIDIOC_S_PARM, struct v4l2_streamparm)
CV4L2_REQUEST(cv4l2_reqbufs, VIDIOC_REQBUFS, struct v4l2_requestbuffers)
CV4L2_REQUEST(cv4l2_querybuf, VIDIOC_QUERYBUF, struct v4l2_buffer)
CV4L2_REQUEST(cv4l2_qbuf, VIDIOC_QBUF, struct v4l2_buffer)
CV4L2_REQUEST(cv4l2_dqbuf, VIDIOC_DQBUF, struct v4l2_buffer)
CV4L2_REQUEST(cv4l2_streamon, VIDIOC_STREAMON, int32_t)
CV4L2_REQUEST(cv4l2_streamoff, VIDIOC_STREAMOFF, int32_t)
CV4L2_REQUEST(cv4l2_g_input, VIDIOC_G_INPUT, int32_t)
CV4L2_REQUEST(cv4l2_enuminput, VIDIOC_ENUMINPUT, struct v4l2_input)
CV4L2_REQUEST(cv4l2_g_std, VIDIOC_G_STD, v4l2_std_id)
CV4L2_REQUEST(cv4l2_s_std, VIDIOC_S_STD, v4l2_std_id)
CV4L2_REQUEST(cv4l2_querystd, VIDIOC_QUERYSTD, v4l2_std_id)
CV4L2_REQUEST(cv4l2_s_dv_timings, VIDIOC_S_DV_TIMINGS, struct v4l2_dv_timings)
CV4L2_REQUEST(cv4l2_query_dv_timings, VIDIOC_QUERY_DV_TIMINGS, struct v4l2_dv_timings)
CV4L2_REQUEST(cv4l2_subscribe_event, VIDIOC_SUBSCRIBE_EVENT, struct v4l2_event_subscription)
CV4L2_REQUEST(cv4l2_dqevent, VIDIOC_DQEVENT, struct v4l2_event)
CV4L2_REQUEST(cv4l2_query_ext_ctrl, VIDIOC_QUERY_EXT_CTRL, struct v4l2_query_ext_ctrl)
CV4L2_REQUEST(cv4l2_querymenu, VIDIOC_QUERYMENU, struct v4l2_querymenu)
CV4L2_REQUEST(cv4l2_g_ext_ctrls, VIDIOC_G_EXT_CTRLS, struct v4l2_ext_controls)
CV4L2_REQUEST(cv4l2_s_ext_ctrls, VIDIOC_S_EXT_CTRLS, struct v4l2_ext_controls)

CV4L2_REQUEST(cv4l2_subdev_enum_mbus_code, VIDIOC_SUBDEV_ENUM_MBUS_CODE, struct v4l2_subdev_mbus_code_enum)
CV4L2_REQUEST(cv4l2_subdev_enum_frame_size, VIDIOC_SUBDEV_ENUM_FRAME_SIZE, struct v4l2_subdev_frame_size_enum)
CV4L2_REQUEST(cv4l2_subdev_g_fmt, VIDIOC_SUBDEV_G_FMT, struct v4l2_subdev_format)
CV4L2_REQUEST(cv4l2_subdev_s_fmt, VIDIOC_SUBDEV_S_FMT, struct v4l2_subdev_format)
CV4L2_REQUEST(cmedia_device_info, MEDIA_IOC_DEVICE_INFO, struct media_device_info)
CV4L2_REQUEST(cmedia_g_topology, MEDIA_IOC_G_TOPOLOGY, struct media_v2_topology)
CV4L2_REQUEST(cmedia_setup_link, MEDIA_IOC_SETUP_LINK, struct media_link_desc)

#undef CV4L2_REQUEST

#endif
