#include "CLinux.h"

static char **arguments;

// glibc passes main's arguments to constructors too.
__attribute__((constructor)) static void keep_arguments(int count, char **vector) {
    (void)count;
    arguments = vector;
}

char **swatchcam_arguments(void) {
    return arguments;
}
