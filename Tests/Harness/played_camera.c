// A V4L2 camera in a library to preload (LD_PRELOAD): it plays files as frames, so the whole program can be tested with any
// camera, without a virtual machine. PLAYED_CAMERA names its instructions, one to a line, which are read again before each
// frame:
//
//   node PATH                   the path that opens it; nothing needs to exist there
//   format FOURCC WIDTH HEIGHT  what it offers and grants (MJPG 640 480)
//   rate FRAMES                 frames a second, also fewer than one (30)
//   promise FRAMES              the rate that VIDIOC_G_PARM names, if it is another
//   delay SECONDS               before the first frame of each stream (0)
//   name TEXT                   what it calls itself (Played camera)
//   grant FOURCC WIDTH HEIGHT   what it grants, if it is not what it offers
//   strict                      refuses other sizes than its own (EINVAL) instead of granting its own
//   stride|size|field NUMBER    what it says of its format: bytesperline, sizeimage, and enum v4l2_field
//   range WIDTH HEIGHT          the largest size: it offers every size up to this one
//   buffers COUNT               how many it grants (5)
//   refuse REQUEST ERRNO [N]    the name without VIDIOC_, such as S_PARM 5; only every Nth time if N is given
//   times monotonic|zero|still|wild   what the driver gives as the time of capture; wild begins in the far future
//   late SECONDS                how much too early the monotonic times are (0)
//   used BYTES                  what it says of the length of each frame, instead of the true one
//   numbers count|zero|still    what it gives as the number of the frame
//   control ID TYPE MINIMUM MAXIMUM STEP DEFAULT FLAGS NAME   numbers as in videodev2.h; it begins at its default
//   choice ID INDEX NAME        an entry of a menu
//   frame FILE [damaged] [empty]   the next frame; damaged sets V4L2_BUF_FLAG_ERROR, empty uses 0 bytes
//   last                        after the last frame it is repeated; otherwise all are
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

enum { most_frames = 256, most_controls = 32, most_refusals = 16, buffers = 5, buffer_size = 8 << 20 };

struct instructions {
    char node[256], name[32], format[5], granted[5], times[16], numbers[16];
    unsigned width, height, granted_width, granted_height, buffers, frames, controls, choices, refusals;
    double rate, promise, delay, late;
    int stride, size, field;
    unsigned range_width, range_height, used;
    bool repeats_last, is_strict;
    struct { char file[256]; bool is_damaged, is_empty; } frame[most_frames];
    struct { unsigned id, type, flags; long long minimum, maximum, step, initial; char name[32]; } control[most_controls];
    struct { unsigned id, index; char name[32]; } choice[most_controls];
    struct { char request[32]; int code; unsigned every; } refusal[most_refusals];
};

struct buffer {
    bool is_queued;
    struct v4l2_buffer filled;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct buffer buffer[buffers];
static unsigned waiting[buffers], queue[buffers], waiting_count, queue_count;
static int cameras[64], memory = -1, streaming = -1;
static unsigned camera_count;
static uint64_t stream;
static long long values[most_controls];
static bool has_values;

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void read_instructions(struct instructions *result) {
    memset(result, 0, sizeof *result);
    struct instructions all = {.format = "MJPG", .width = 640, .height = 480, .rate = 30, .times = "monotonic", .numbers = "count",
        .name = "Played camera", .stride = -1, .size = -1, .field = -1, .buffers = buffers};
    *result = all;
    const char *path = getenv("PLAYED_CAMERA");
    FILE *file = path ? fopen(path, "re") : NULL;
    if (!file) return;
    char line[512], word[32], rest[3][256];
    while (fgets(line, sizeof line, file)) {
        int count = sscanf(line, "%31s %255s %255s %255s", word, rest[0], rest[1], rest[2]);
        if (count < 1) continue;
        if (!strcmp(word, "node")) strcpy(result->node, rest[0]);
        if (!strcmp(word, "format")) sscanf(line, "%*s %4s %u %u", result->format, &result->width, &result->height);
        if (!strcmp(word, "name")) sscanf(line, "%*s %31[^\n]", result->name);
        if (!strcmp(word, "grant")) sscanf(line, "%*s %4s %u %u", result->granted, &result->granted_width, &result->granted_height);
        if (!strcmp(word, "strict")) result->is_strict = true;
        if (!strcmp(word, "stride")) result->stride = atoi(rest[0]);
        if (!strcmp(word, "size")) result->size = atoi(rest[0]);
        if (!strcmp(word, "field")) result->field = atoi(rest[0]);
        if (!strcmp(word, "range")) sscanf(line, "%*s %u %u", &result->range_width, &result->range_height);
        if (!strcmp(word, "late")) result->late = atof(rest[0]);
        if (!strcmp(word, "used")) result->used = atoi(rest[0]);
        if (!strcmp(word, "buffers")) result->buffers = atoi(rest[0]);
        if (!strcmp(word, "rate")) result->rate = atof(rest[0]);
        if (!strcmp(word, "promise")) result->promise = atof(rest[0]);
        if (!strcmp(word, "delay")) result->delay = atof(rest[0]);
        if (!strcmp(word, "times")) sscanf(line, "%*s %15s", result->times);
        if (!strcmp(word, "numbers")) sscanf(line, "%*s %15s", result->numbers);
        if (!strcmp(word, "last")) result->repeats_last = true;
        if (!strcmp(word, "refuse") && result->refusals < most_refusals) {
            sscanf(line, "%*s %31s %d %u", result->refusal[result->refusals].request, &result->refusal[result->refusals].code,
                &result->refusal[result->refusals].every);
            result->refusals++;
        }
        if (!strcmp(word, "frame") && result->frames < most_frames) {
            strcpy(result->frame[result->frames].file, rest[0]);
            result->frame[result->frames].is_damaged = strstr(line, " damaged");
            result->frame[result->frames].is_empty = strstr(line, " empty");
            result->frames++;
        }
        if (!strcmp(word, "control") && result->controls < most_controls) {
            __typeof__(&result->control[0]) control = &result->control[result->controls++];
            sscanf(line, "%*s %i %i %lld %lld %lld %lld %i %31[^\n]", (int *)&control->id, (int *)&control->type, &control->minimum,
                &control->maximum, &control->step, &control->initial, (int *)&control->flags, control->name);
        }
        if (!strcmp(word, "choice") && result->choices < most_controls) {
            __typeof__(&result->choice[0]) choice = &result->choice[result->choices++];
            sscanf(line, "%*s %i %i %31[^\n]", (int *)&choice->id, (int *)&choice->index, choice->name);
        }
    }
    fclose(file);
    if (!*result->granted) {
        strcpy(result->granted, result->format);
        result->granted_width = result->width;
        result->granted_height = result->height;
    }
}

static bool is_camera(int file) {
    pthread_mutex_lock(&lock);
    bool is = false;
    for (unsigned i = 0; i < camera_count; i++) is = is || cameras[i] == file;
    pthread_mutex_unlock(&lock);
    return is;
}

static bool is_node(const char *path) {
    struct instructions camera;
    read_instructions(&camera);
    return path && *camera.node && !strcmp(path, camera.node);
}

// The frames

static void fill(const struct instructions *camera, unsigned number) {
    if (!queue_count || !camera->frames) return;
    unsigned index = queue[0];
    memmove(queue, queue + 1, --queue_count * sizeof *queue);
    unsigned which = camera->repeats_last && number >= camera->frames ? camera->frames - 1 : number % camera->frames;
    struct v4l2_buffer *filled = &buffer[index].filled;
    memset(filled, 0, sizeof *filled);
    filled->index = index;
    static char bytes[buffer_size];
    FILE *file = camera->frame[which].is_empty ? NULL : fopen(camera->frame[which].file, "re");
    if (file) {
        filled->bytesused = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        if (pwrite(memory, bytes, filled->bytesused, (off_t)index * buffer_size) < 0) perror("played camera");
        if (camera->used) filled->bytesused = camera->used;
    }
    filled->flags = camera->frame[which].is_damaged ? V4L2_BUF_FLAG_ERROR : 0;
    filled->field = V4L2_FIELD_NONE;
    filled->sequence = !strcmp(camera->numbers, "zero") ? 0 : !strcmp(camera->numbers, "still") ? 7 : number;
    if (strcmp(camera->times, "zero")) {
        static struct timespec now;
        if (strcmp(camera->times, "still") || !now.tv_sec) clock_gettime(CLOCK_MONOTONIC, &now);
        double time = now.tv_sec + now.tv_nsec / 1e9 - camera->late;
        if (!strcmp(camera->times, "wild") && number == 0) time = 4154505010;
        filled->timestamp = (struct timeval){(time_t)time, (time - (time_t)time) * 1e6};
        filled->flags |= V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
    }
    waiting[waiting_count++] = index;
    if (write(streaming, &(uint64_t){1}, 8) < 0) perror("played camera");
}

static void pause_for(double seconds) {
    struct timespec time = {(time_t)seconds, (long)((seconds - (time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

// Plays one stream; ends when another has begun or it is stopped.
static void *play(void *number) {
    struct instructions camera;
    read_instructions(&camera);
    pause_for(camera.delay);
    for (unsigned frame = 0;; frame++) {
        read_instructions(&camera);
        pause_for(1 / camera.rate);
        pthread_mutex_lock(&lock);
        bool goes_on = streaming >= 0 && stream == (uint64_t)(uintptr_t)number;
        if (goes_on) fill(&camera, frame);
        pthread_mutex_unlock(&lock);
        if (!goes_on) return NULL;
    }
}

static void stop(void) {
    streaming = -1;
    queue_count = waiting_count = 0;
}

// The requests

static int enumerate_control(const struct instructions *camera, struct v4l2_query_ext_ctrl *query) {
    bool wants_next = query->id & V4L2_CTRL_FLAG_NEXT_CTRL;
    unsigned id = query->id & ~(V4L2_CTRL_FLAG_NEXT_CTRL | V4L2_CTRL_FLAG_NEXT_COMPOUND);
    for (unsigned i = 0; i < camera->controls; i++) {
        if (wants_next ? camera->control[i].id <= id : camera->control[i].id != id) continue;
        memset(query, 0, sizeof *query);
        query->id = camera->control[i].id;
        query->type = camera->control[i].type;
        query->minimum = camera->control[i].minimum;
        query->maximum = camera->control[i].maximum;
        query->step = camera->control[i].step;
        query->default_value = camera->control[i].initial;
        query->flags = camera->control[i].flags;
        query->elem_size = 4;
        query->elems = 1;
        strcpy(query->name, camera->control[i].name);
        return 0;
    }
    return EINVAL;
}

static int exchange(const struct instructions *camera, struct v4l2_ext_controls *list, bool sets) {
    for (unsigned i = 0; i < camera->controls && !has_values; i++) values[i] = camera->control[i].initial;
    has_values = true;
    for (unsigned j = 0; j < list->count; j++) {
        unsigned i = 0;
        while (i < camera->controls && camera->control[i].id != list->controls[j].id) i++;
        if (i == camera->controls) return EINVAL;
        if (sets) values[i] = list->controls[j].value;
        list->controls[j].value = values[i];
    }
    return 0;
}

static int start(int file) {
    static pthread_t thread;
    streaming = file;
    stream++;
    if (pthread_create(&thread, NULL, play, (void *)(uintptr_t)stream)) return ENOMEM;
    pthread_detach(thread);
    return 0;
}

static int dequeue(int file, struct v4l2_buffer *result) {
    uint64_t one;
    if (!waiting_count || read(file, &one, 8) < 0) return EAGAIN;
    *result = buffer[waiting[0]].filled;
    result->type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    result->memory = V4L2_MEMORY_MMAP;
    result->length = buffer_size;
    memmove(waiting, waiting + 1, --waiting_count * sizeof *waiting);
    return 0;
}

static void describe(const struct instructions *camera, struct v4l2_pix_format *format) {
    memset(format, 0, sizeof *format);
    format->width = camera->granted_width;
    format->height = camera->granted_height;
    memcpy(&format->pixelformat, camera->granted, 4);
    format->field = camera->field >= 0 ? (unsigned)camera->field : V4L2_FIELD_NONE;
    format->bytesperline = strstr("MJPG JPEG", camera->granted) ? 0 : camera->granted_width * 2;
    if (camera->stride >= 0) format->bytesperline = camera->stride;
    format->sizeimage = camera->size >= 0 ? (unsigned)camera->size : buffer_size;
    format->colorspace = V4L2_COLORSPACE_SRGB;
    format->priv = V4L2_PIX_FMT_PRIV_MAGIC;
}

// Whether it is the turn of a refusal that happens only every so many times.
static bool is_turn(unsigned every) {
    static unsigned count;
    return every == 0 || ++count % every == 0;
}

#define REFUSABLE(name) \
    case VIDIOC_##name: \
        for (unsigned i = 0; i < camera.refusals; i++) \
            if (!strcmp(camera.refusal[i].request, #name) && is_turn(camera.refusal[i].every)) return camera.refusal[i].code; \
        break;

// Returns 0 or an errno.
static int answer(int file, unsigned request, void *argument) {
    struct instructions camera;
    read_instructions(&camera);
    switch (request) {
        REFUSABLE(G_PARM)
        REFUSABLE(S_PARM)
        REFUSABLE(G_FMT)
        REFUSABLE(S_FMT)
        REFUSABLE(QUERYBUF)
        REFUSABLE(DQBUF)
        REFUSABLE(REQBUFS)
        REFUSABLE(QBUF)
        REFUSABLE(STREAMON)
        REFUSABLE(G_INPUT)
        REFUSABLE(ENUM_FRAMESIZES)
        REFUSABLE(ENUM_FRAMEINTERVALS)
        REFUSABLE(QUERY_EXT_CTRL)
        REFUSABLE(S_EXT_CTRLS)
        REFUSABLE(G_EXT_CTRLS)
    }
    switch (request) {
        case VIDIOC_QUERYCAP: {
            struct v4l2_capability *capability = argument;
            memset(capability, 0, sizeof *capability);
            strcpy((char *)capability->driver, "uvcvideo");
            strcpy((char *)capability->card, camera.name);
            strcpy((char *)capability->bus_info, "usb-played-1");
            capability->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
            capability->capabilities = capability->device_caps | V4L2_CAP_DEVICE_CAPS;
            return 0;
        }
        case VIDIOC_ENUM_FMT: {
            struct v4l2_fmtdesc *format = argument;
            if (format->index > 0 || format->type != V4L2_BUF_TYPE_VIDEO_CAPTURE) return EINVAL;
            memcpy(&format->pixelformat, camera.format, 4);
            return 0;
        }
        case VIDIOC_ENUM_FRAMESIZES: {
            struct v4l2_frmsizeenum *size = argument;
            if (size->index > 0) return EINVAL;
            if (camera.range_width) {
                size->type = V4L2_FRMSIZE_TYPE_CONTINUOUS;
                size->stepwise = (struct v4l2_frmsize_stepwise){1, camera.range_width, 1, 1, camera.range_height, 1};
                return 0;
            }
            size->type = V4L2_FRMSIZE_TYPE_DISCRETE;
            size->discrete.width = camera.width;
            size->discrete.height = camera.height;
            return 0;
        }
        case VIDIOC_G_FMT:
        case VIDIOC_S_FMT:
        case VIDIOC_TRY_FMT: {
            struct v4l2_format *format = argument;
            if (format->type != V4L2_BUF_TYPE_VIDEO_CAPTURE) return EINVAL;
            bool is_own = format->fmt.pix.width == camera.width && format->fmt.pix.height == camera.height;
            if (camera.is_strict && request != VIDIOC_G_FMT && !is_own) return EINVAL;
            describe(&camera, &format->fmt.pix);
            return 0;
        }
        case VIDIOC_G_PARM:
        case VIDIOC_S_PARM: {
            struct v4l2_captureparm *parameters = &((struct v4l2_streamparm *)argument)->parm.capture;
            double rate = camera.promise > 0 ? camera.promise : camera.rate;
            memset(parameters, 0, sizeof *parameters);
            parameters->capability = V4L2_CAP_TIMEPERFRAME;
            parameters->timeperframe.numerator = rate < 1 ? 1000 / rate : 1000;
            parameters->timeperframe.denominator = rate < 1 ? 1000 : rate * 1000;
            return 0;
        }
        case VIDIOC_G_INPUT: *(int *)argument = 0; return 0;
        case VIDIOC_QUERY_EXT_CTRL: return enumerate_control(&camera, argument);
        case VIDIOC_QUERYMENU: {
            struct v4l2_querymenu *menu = argument;
            for (unsigned i = 0; i < camera.choices; i++) {
                if (camera.choice[i].id != menu->id || camera.choice[i].index != menu->index) continue;
                strcpy((char *)menu->name, camera.choice[i].name);
                return 0;
            }
            return EINVAL;
        }
        case VIDIOC_G_EXT_CTRLS: return exchange(&camera, argument, false);
        case VIDIOC_S_EXT_CTRLS: return exchange(&camera, argument, true);
        case VIDIOC_REQBUFS: {
            struct v4l2_requestbuffers *wanted = argument;
            if (memory < 0) memory = memfd_create("played camera", MFD_CLOEXEC);
            if (memory < 0 || ftruncate(memory, (off_t)buffers * buffer_size)) return ENOMEM;
            if (wanted->count > camera.buffers) wanted->count = camera.buffers;
            queue_count = waiting_count = 0;
            return 0;
        }
        case VIDIOC_QUERYBUF: {
            struct v4l2_buffer *asked = argument;
            if (asked->index >= buffers) return EINVAL;
            asked->length = buffer_size;
            asked->m.offset = asked->index * buffer_size;
            return 0;
        }
        case VIDIOC_QBUF: {
            unsigned index = ((struct v4l2_buffer *)argument)->index;
            if (index >= buffers || queue_count == buffers) return EINVAL;
            queue[queue_count++] = index;
            return 0;
        }
        case VIDIOC_DQBUF: return dequeue(file, argument);
        case VIDIOC_STREAMON: return start(file);
        case VIDIOC_STREAMOFF: {
            uint64_t one;
            while (read(file, &one, 8) == 8) {}
            stop();
            return 0;
        }
        default: return ENOTTY;
    }
}

// What takes the place of the C library's functions

static int open_camera(void) {
    int file = eventfd(0, EFD_NONBLOCK | EFD_SEMAPHORE | EFD_CLOEXEC);
    pthread_mutex_lock(&lock);
    if (file >= 0 && camera_count < 64) cameras[camera_count++] = file;
    pthread_mutex_unlock(&lock);
    return file;
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return is_node(path) ? open_camera() : NEXT(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return is_node(path) ? open_camera() : NEXT(open64)(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return is_node(path) ? open_camera() : NEXT(openat)(folder, path, flags, mode);
}

int close(int file) {
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < camera_count; i++) {
        if (cameras[i] != file) continue;
        cameras[i] = cameras[--camera_count];
        if (streaming == file) stop();
    }
    pthread_mutex_unlock(&lock);
    return NEXT(close)(file);
}

static void describe_node(struct stat *status) {
    memset(status, 0, sizeof *status);
    status->st_mode = S_IFCHR | 0660;
    status->st_rdev = makedev(81, 0);
}

int stat(const char *path, struct stat *status) {
    if (!is_node(path)) return NEXT(stat)(path, status);
    describe_node(status);
    return 0;
}

int lstat(const char *path, struct stat *status) {
    if (!is_node(path)) return NEXT(lstat)(path, status);
    describe_node(status);
    return 0;
}

int fstatat(int folder, const char *path, struct stat *status, int flags) {
    if (!is_node(path)) return NEXT(fstatat)(folder, path, status, flags);
    describe_node(status);
    return 0;
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
    return NEXT(mmap)(address, length, protection, flags, file >= 0 && is_camera(file) ? memory : file, offset);
}

int ioctl(int file, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (!is_camera(file)) return NEXT(ioctl)(file, request, argument);
    pthread_mutex_lock(&lock);
    int code = answer(file, (unsigned)request, argument);
    pthread_mutex_unlock(&lock);
    if (code) errno = code;
    return code ? -1 : 0;
}
