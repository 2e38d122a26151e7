// A library to preload (LD_PRELOAD), which makes every VIDIOC_S_FMT request rows that are 96 bytes longer. If the
// driver grants them, the library writes "granted" to the file that PADDING_REPORT names.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/videodev2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { PADDING = 96 };

static int (*next)(int, unsigned long, ...);

static void report(int granted) {
    const char *path = getenv("PADDING_REPORT");
    FILE *file = path && granted ? fopen(path, "w") : NULL;
    if (file) {
        fputs("granted", file);
        fclose(file);
    }
}

static int set_format(int fd, struct v4l2_format *format) {
    int status = next(fd, VIDIOC_S_FMT, format);
    if (status != 0) return status;
    int granted = 1;
    if (format->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE) {
        struct v4l2_pix_format_mplane *pix = &format->fmt.pix_mp;
        unsigned wanted[VIDEO_MAX_PLANES];
        for (int plane = 0; plane < pix->num_planes; plane++) {
            wanted[plane] = pix->plane_fmt[plane].bytesperline += PADDING;
            pix->plane_fmt[plane].sizeimage = 0;
        }
        status = next(fd, VIDIOC_S_FMT, format);
        for (int plane = 0; plane < pix->num_planes; plane++)
            granted = granted && pix->plane_fmt[plane].bytesperline == wanted[plane];
    } else {
        struct v4l2_pix_format *pix = &format->fmt.pix;
        unsigned wanted = pix->bytesperline += PADDING;
        pix->sizeimage = 0;
        status = next(fd, VIDIOC_S_FMT, format);
        granted = pix->bytesperline == wanted;
    }
    report(granted);
    return status;
}

int ioctl(int fd, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (!next) next = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
    return request == VIDIOC_S_FMT ? set_format(fd, argument) : next(fd, request, argument);
}
