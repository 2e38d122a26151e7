// Checks that the shims in CV4L2 and CLinux match the kernel's ABI: the sizes of its structures, which are the same on
// all 64-bit processors (only x86-64 packs epoll_event), and the numbers of its requests, which the program prints.

#include "CLinux.h"
#include "CV4L2.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/inotify.h>

#define IS(type, size) _Static_assert(sizeof(type) == (size), #type)
IS(struct v4l2_capability, 104);
IS(struct v4l2_fmtdesc, 64);
IS(struct v4l2_frmsizeenum, 44);
IS(struct v4l2_frmivalenum, 52);
IS(struct v4l2_format, 208);
IS(struct v4l2_pix_format, 48);
IS(struct v4l2_pix_format_mplane, 192);
IS(struct v4l2_streamparm, 204);
IS(struct v4l2_requestbuffers, 20);
IS(struct v4l2_buffer, 88);
IS(struct v4l2_plane, 64);
IS(struct v4l2_input, 80);
IS(struct v4l2_dv_timings, 132);
IS(struct v4l2_event_subscription, 32);
IS(struct v4l2_event, 136);
IS(struct v4l2_query_ext_ctrl, 232);
IS(struct v4l2_querymenu, 44);
IS(struct v4l2_ext_control, 20);
IS(struct v4l2_ext_controls, 32);
IS(v4l2_std_id, 8);
IS(struct inotify_event, 16);
#ifdef __x86_64__
IS(struct epoll_event, 12);
#else
IS(struct epoll_event, 16);
#endif

static unsigned long asked;

/// Replaces the C library's ioctl(2), and records the number of the request.
int ioctl(int file, unsigned long request, ...) {
    (void)file;
    asked = request;
    return 0;
}

#define REQUEST(name, type) \
    do { \
        type argument = {0}; \
        name(-1, &argument); \
        printf("%s 0x%08lx\n", #name, asked); \
    } while (0)

int main(void) {
    REQUEST(cv4l2_querycap, struct v4l2_capability);
    REQUEST(cv4l2_enum_fmt, struct v4l2_fmtdesc);
    REQUEST(cv4l2_enum_framesizes, struct v4l2_frmsizeenum);
    REQUEST(cv4l2_enum_frameintervals, struct v4l2_frmivalenum);
    REQUEST(cv4l2_g_fmt, struct v4l2_format);
    REQUEST(cv4l2_s_fmt, struct v4l2_format);
    REQUEST(cv4l2_g_parm, struct v4l2_streamparm);
    REQUEST(cv4l2_s_parm, struct v4l2_streamparm);
    REQUEST(cv4l2_reqbufs, struct v4l2_requestbuffers);
    REQUEST(cv4l2_querybuf, struct v4l2_buffer);
    REQUEST(cv4l2_qbuf, struct v4l2_buffer);
    REQUEST(cv4l2_dqbuf, struct v4l2_buffer);
    REQUEST(cv4l2_streamon, int32_t);
    REQUEST(cv4l2_streamoff, int32_t);
    REQUEST(cv4l2_g_input, int32_t);
    REQUEST(cv4l2_enuminput, struct v4l2_input);
    REQUEST(cv4l2_g_std, v4l2_std_id);
    REQUEST(cv4l2_s_std, v4l2_std_id);
    REQUEST(cv4l2_querystd, v4l2_std_id);
    REQUEST(cv4l2_s_dv_timings, struct v4l2_dv_timings);
    REQUEST(cv4l2_query_dv_timings, struct v4l2_dv_timings);
    REQUEST(cv4l2_subscribe_event, struct v4l2_event_subscription);
    REQUEST(cv4l2_dqevent, struct v4l2_event);
    REQUEST(cv4l2_query_ext_ctrl, struct v4l2_query_ext_ctrl);
    REQUEST(cv4l2_querymenu, struct v4l2_querymenu);
    REQUEST(cv4l2_g_ext_ctrls, struct v4l2_ext_controls);
    REQUEST(cv4l2_s_ext_ctrls, struct v4l2_ext_controls);

    // An event that carries a descriptor, through the kernel and back.
    int epoll = epoll_create1(EPOLL_CLOEXEC), event = eventfd(1, EFD_CLOEXEC);
    struct epoll_event events[2] = {0};
    int status = swatchcam_epoll_ctl(epoll, EPOLL_CTL_ADD, event, EPOLLIN);
    int count = epoll_wait(epoll, events, 2, 0);
    printf("epoll %d: %d event, of %s\n", status, count, events[0].data.fd == event ? "its file" : "another");
    return 0;
}
