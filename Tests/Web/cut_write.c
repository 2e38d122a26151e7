// A library to preload (LD_PRELOAD), which ends the program in the middle of a write to a table of readings, as kill -9
// may. CUT_WRITE is the number of bytes to write before.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_table(int file) {
    char name[32], path[4096];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t length = readlink(name, path, sizeof path);
    // A day, then .csv; the name of a table of marks has more between them.
    return length > 7 && memcmp(path + length - 4, ".csv", 4) == 0 && path[length - 7] == '-';
}

ssize_t write(int file, const void *bytes, size_t count) {
    ssize_t (*next)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    const char *cut = getenv("CUT_WRITE");
    if (cut == NULL || !is_table(file)) return next(file, bytes, count);
    size_t part = strtoul(cut, NULL, 10);
    next(file, bytes, part < count ? part : count - 1);
    kill(getpid(), SIGKILL);
    for (;;) pause();
}
