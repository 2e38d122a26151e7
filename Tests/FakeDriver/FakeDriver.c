#include "FakeDriver.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Thread_local bool is_fake;
static _Thread_local const uint8_t *next;
static _Thread_local size_t left;
static _Thread_local fake_driver_answer *model;
static _Thread_local void *context;

void fake_driver_begin(const uint8_t *answers, size_t count) {
    is_fake = true;
    next = answers;
    left = count;
}

void fake_driver_begin_model(fake_driver_answer *answer, void *context_of_answer) {
    is_fake = true;
    model = answer;
    context = context_of_answer;
}

void fake_driver_end(void) {
    is_fake = false;
    left = 0;
    model = NULL;
    context = NULL;
}

static uint8_t take(void) {
    if (left == 0) return 0;
    left--;
    return *next++;
}

/// Writes an answer into a structure. Returns 0, an errno, or -1 if no answer is left.
static int answer(uint8_t *target, size_t size) {
    bool has_next = true;
    for (int part = 0; has_next && part < 16; part++) {
        if (left == 0) return part == 0 ? -1 : 0;
        uint8_t kind = take();
        has_next = kind & 0x80;
        if ((kind & 3) == 0) continue;
        if ((kind & 3) == 3) {
            uint8_t code = take();
            // CV4L2 repeats a request that fails with EINTR, which would use up the answer to the next one.
            return code == 0 || code == EINTR ? EIO : code;
        }
        size_t start = (kind & 3) == 2 ? 4 * (size_t)take() : 0;
        size_t count = take();
        for (size_t index = 0; index < count && left > 0; index++) {
            uint8_t byte = take();
            if (start + index < size) target[start + index] = byte;
        }
    }
    return 0;
}

static int answer_buffer(struct v4l2_buffer *buffer) {
    struct v4l2_buffer asked = *buffer;
    int code = answer((uint8_t *)buffer, sizeof *buffer);
    if (asked.type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE) {
        buffer->m.planes = asked.m.planes;
        buffer->length = asked.length;
        for (uint32_t index = 0; code == 0 && index < asked.length; index++) {
            answer((uint8_t *)&asked.m.planes[index], sizeof asked.m.planes[index]);
        }
    }
    return code;
}

static int answer_controls(struct v4l2_ext_controls *controls) {
    struct v4l2_ext_controls asked = *controls;
    int code = answer((uint8_t *)controls, sizeof *controls);
    controls->controls = asked.controls;
    controls->count = asked.count;
    for (uint32_t index = 0; code == 0 && index < asked.count; index++) {
        struct v4l2_ext_control *control = &asked.controls[index];
        if (control->size > 0) {
            answer((uint8_t *)control->string, control->size);
        } else {
            answer((uint8_t *)&control->value64, sizeof control->value64);
        }
    }
    return code;
}

/// Replaces the C library's ioctl(2).
int ioctl(int fd, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    // '|' is the type of a media device's requests.
    bool is_ours = _IOC_TYPE(request) == 'V' || (model && _IOC_TYPE(request) == '|');
    if (!is_fake || !is_ours) return (int)syscall(SYS_ioctl, fd, request, argument);
    int code;
    if (model) {
        code = model(context, fd, (fake_driver_request)request, argument);
        if (code != 0) errno = code;
        return code == 0 ? 0 : -1;
    }
    switch (request) {
        case VIDIOC_QUERYBUF:
        case VIDIOC_QBUF:
        case VIDIOC_DQBUF: code = answer_buffer(argument); break;
        case VIDIOC_G_EXT_CTRLS:
        case VIDIOC_S_EXT_CTRLS: code = answer_controls(argument); break;
        default: code = answer(argument, _IOC_SIZE(request)); break;
    }
    if (code == -1) code = request == VIDIOC_DQBUF ? ENODEV : EINVAL;
    errno = code;
    return code == 0 ? 0 : -1;
}
