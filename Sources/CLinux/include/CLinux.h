// epoll(7) and eventfd(2) for Swift, whose Glibc module does not export them.
#ifndef SWATCHCAM_CLINUX_H
#define SWATCHCAM_CLINUX_H
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

/// Calls epoll_ctl(2) with an event that carries its file descriptor. Returns 0, or -1 with errno set.
static inline int swatchcam_epoll_ctl(int epoll, int operation, int file, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.fd = file}};
    return epoll_ctl(epoll, operation, file, &event);
}

#endif
