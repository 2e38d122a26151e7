// epoll(7), eventfd(2), the names of threads, the resolver and the arguments of main for Swift, whose Glibc module lacks them.
#ifndef SWATCHCAM_CLINUX_H
#define SWATCHCAM_CLINUX_H
#include <resolv.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

/// Calls epoll_ctl(2) with an event that carries its file descriptor. Returns 0, or -1 with errno set.
static inline int swatchcam_epoll_ctl(int epoll, int operation, int file, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.fd = file}};
    return epoll_ctl(epoll, operation, file, &event);
}

/// Names the calling thread, for debuggers. Anything after the first 15 bytes is cut off.
static inline void swatchcam_name_thread(const char *name) {
    prctl(PR_SET_NAME, name);
}

/// Sets how long getaddrinfo(3) waits for a name server on the calling thread: so many seconds, so many times.
static inline void swatchcam_set_resolver_patience(int seconds, int attempts) {
    if (res_init() != 0) return;
    _res.retrans = seconds;
    _res.retry = attempts;
}

/// Returns the arguments of main, the program's name first and NULL last.
char **swatchcam_arguments(void);

#endif
