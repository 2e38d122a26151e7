#include "CQREncode.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// The public interface of libqrencode 4 (SONAME 4), as far as it is used.
struct code {
    int version;
    int width;
    unsigned char *data;
};
enum { LEVEL_M = 1, MODE_8 = 2, DARK = 1 };

static struct {
    struct code *(*encode)(const char *, int, int, int, int);
    void (*free)(struct code *);
} library;

/// Loads the library, unless it is loaded. Returns NULL, or the reason why it cannot be loaded.
static const char *load(void) {
    static char reason[256];
    if (library.encode && library.free) return NULL;
    void *file = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL);
    if (file) {
        library.encode = (struct code * (*)(const char *, int, int, int, int)) dlsym(file, "QRcode_encodeString");
        library.free = (void (*)(struct code *))dlsym(file, "QRcode_free");
        if (library.encode && library.free) return NULL;
    }
    const char *problem = dlerror();
    strncpy(reason, problem ? problem : "it lacks a function", sizeof reason - 1);
    if (file) dlclose(file);
    return reason;
}

static int encode(const char *text, uint8_t *modules, size_t capacity, const char **problem) {
    if ((*problem = load())) return 0;
    struct code *code = library.encode(text, 0, LEVEL_M, MODE_8, 1);
    int width = code ? code->width : 0;
    if (!code) {
        *problem = "the text is too long";
    } else if (width <= 0 || (size_t)width * (size_t)width > capacity) {
        *problem = "the code is too large";
        width = 0;
    }
    for (size_t index = 0; index < (size_t)width * (size_t)width; index++) modules[index] = code->data[index] & DARK;
    if (code) library.free(code);
    return width;
}

int swatchcam_qr_encode(const char *text, uint8_t *modules, size_t capacity, const char **problem) {
    // The library has global state.
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    int width = encode(text, modules, capacity, problem);
    pthread_mutex_unlock(&mutex);
    return width;
}
