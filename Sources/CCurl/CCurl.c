#define _GNU_SOURCE
#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// The public interface of libcurl 7.68 and later (SONAME 4), as far as it is used. Its numbers never change.
typedef void CURL;
typedef void CURLM;
struct curl_slist;
struct message {
    int kind;
    CURL *handle;
    union {
        void *whatever;
        int result;
    } data;
};
enum { GLOBAL_DEFAULT = 3, MESSAGE_DONE = 1, INFO_RESPONSE_CODE = 0x200002 };
enum {
    PROTOCOL_HTTP = 1,
    PROTOCOL_HTTPS = 2,
    REDIRECTED_POST_STAYS = 7,
    VERIFY_NAME = 2,
    TLS_1_2 = 6,
    HTTP_1_1 = 2,
};
// curl.h: CURLOPTTYPE_LONG is 0, of pointers 10000, of functions 20000.
enum {
    OPT_WRITEDATA = 10001,
    OPT_URL = 10002,
    OPT_ERRORBUFFER = 10010,
    OPT_WRITEFUNCTION = 20011,
    OPT_POSTFIELDS = 10015,
    OPT_USERAGENT = 10018,
    OPT_HTTPHEADER = 10023,
    OPT_SSLVERSION = 32,
    OPT_POST = 47,
    OPT_FOLLOWLOCATION = 52,
    OPT_POSTFIELDSIZE = 60,
    OPT_SSL_VERIFYPEER = 64,
    OPT_MAXREDIRS = 68,
    OPT_FORBID_REUSE = 75,
    OPT_SSL_VERIFYHOST = 81,
    OPT_HTTP_VERSION = 84,
    OPT_NOSIGNAL = 99,
    OPT_TIMEOUT_MS = 155,
    OPT_CONNECTTIMEOUT_MS = 156,
    OPT_POSTREDIR = 161,
    OPT_PROTOCOLS = 181,
    OPT_REDIR_PROTOCOLS = 182,
};
/// The redirections that are followed, and the bytes of a response that are read.
enum { MAX_REDIRECTIONS = 3, MAX_RESPONSE = 1 << 18 };

#define FUNCTIONS                                                                                                      \
    F(int, global_init, (long))                                                                                        \
    F(char *, version, (void))                                                                                         \
    F(CURL *, easy_init, (void))                                                                                       \
    F(int, easy_setopt, (CURL *, int, ...))                                                                            \
    F(int, easy_getinfo, (CURL *, int, ...))                                                                           \
    F(const char *, easy_strerror, (int))                                                                              \
    F(void, easy_cleanup, (CURL *))                                                                                    \
    F(CURLM *, multi_init, (void))                                                                                     \
    F(int, multi_add_handle, (CURLM *, CURL *))                                                                        \
    F(int, multi_remove_handle, (CURLM *, CURL *))                                                                     \
    F(int, multi_perform, (CURLM *, int *))                                                                            \
    F(int, multi_poll, (CURLM *, void *, unsigned, int, int *))                                                        \
    F(int, multi_wakeup, (CURLM *))                                                                                    \
    F(struct message *, multi_info_read, (CURLM *, int *))                                                             \
    F(int, multi_cleanup, (CURLM *))                                                                                   \
    F(struct curl_slist *, slist_append, (struct curl_slist *, const char *))                                          \
    F(void, slist_free_all, (struct curl_slist *))

static struct {
#define F(result, name, arguments) result(*name) arguments;
    FUNCTIONS
#undef F
} library;

struct swatchcam_curl {
    CURLM *multi;
    atomic_bool isCancelled;
    size_t received;
};

static const char *load(void) {
    static bool isLoaded = false;
    static char reason[256];
    if (isLoaded) return NULL;
    void *file = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    const char *problem = file ? NULL : dlerror();
    if (!file && (file = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL))) problem = NULL;
#define F(result, name, arguments)                                                                                     \
    if (!problem && !(library.name = (result(*) arguments)dlsym(file, "curl_" #name))) problem = dlerror();
    FUNCTIONS
#undef F
    if (!problem && library.global_init(GLOBAL_DEFAULT) != 0) problem = "it cannot be initialized";
    isLoaded = !problem;
    if (isLoaded) return NULL;
    strncpy(reason, problem, sizeof reason - 1);
    if (file) dlclose(file);
    return reason;
}

const char *swatchcam_curl_load(void) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    const char *reason = load();
    pthread_mutex_unlock(&mutex);
    return reason;
}

const char *swatchcam_curl_version(void) {
    static char version[32];
    // Such as "libcurl/8.14.1 OpenSSL/3.5.1 zlib/1.3.1".
    const char *text = library.version(), *slash = strchr(text, '/');
    const char *start = slash ? slash + 1 : text;
    size_t length = strcspn(start, " ");
    if (length >= sizeof version) length = sizeof version - 1;
    memcpy(version, start, length);
    version[length] = 0;
    return version;
}

struct swatchcam_curl *swatchcam_curl_new(void) {
    struct swatchcam_curl *request = calloc(1, sizeof *request);
    if (!request) return NULL;
    request->multi = library.multi_init();
    if (request->multi) return request;
    free(request);
    return NULL;
}

void swatchcam_curl_free(struct swatchcam_curl *request) {
    library.multi_cleanup(request->multi);
    free(request);
}

void swatchcam_curl_cancel(struct swatchcam_curl *request) {
    atomic_store(&request->isCancelled, true);
    library.multi_wakeup(request->multi);
}

/// Reads a response without keeping it, up to a limit.
static size_t discard(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    struct swatchcam_curl *request = context;
    request->received += size * count;
    return request->received <= MAX_RESPONSE ? size * count : 0;
}

static int perform(struct swatchcam_curl *request, CURL *handle) {
    int running = 1;
    if (library.multi_add_handle(request->multi, handle) != 0) return SWATCHCAM_CURL_NO_MEMORY;
    int code = SWATCHCAM_CURL_CANCELLED;
    while (!atomic_load(&request->isCancelled)) {
        if (library.multi_perform(request->multi, &running) != 0 || running == 0) break;
        if (library.multi_poll(request->multi, NULL, 0, 1000, NULL) != 0) break;
    }
    int left;
    for (struct message *one; (one = library.multi_info_read(request->multi, &left));)
        if (one->kind == MESSAGE_DONE && one->handle == handle) code = one->data.result;
    library.multi_remove_handle(request->multi, handle);
    return code;
}

void swatchcam_curl_post(
    struct swatchcam_curl *request, const struct swatchcam_curl_post *post, struct swatchcam_curl_result *result) {
    memset(result, 0, sizeof *result);
    result->code = SWATCHCAM_CURL_NO_MEMORY;
    CURL *handle = library.easy_init();
    if (!handle) return;
    // Without `Expect`, which makes some servers wait.
    struct curl_slist *headers = NULL;
    const char *lines[] = {"Content-Type: application/json", "Expect:", post->authorization};
    bool isComplete = true;
    for (size_t index = 0; index < 3 && isComplete; index++) {
        if (!lines[index]) continue;
        struct curl_slist *longer = library.slist_append(headers, lines[index]);
        isComplete = longer != NULL;
        if (longer) headers = longer;
    }
    long protocols = post->isEncrypted ? PROTOCOL_HTTPS : PROTOCOL_HTTP;
    request->received = 0;
    int problem = 0;
#define SET(option, value) problem = problem ? problem : library.easy_setopt(handle, option, value)
    SET(OPT_ERRORBUFFER, result->message);
    SET(OPT_URL, post->url);
    SET(OPT_PROTOCOLS, protocols);
    SET(OPT_REDIR_PROTOCOLS, protocols);
    SET(OPT_FOLLOWLOCATION, 1L);
    SET(OPT_MAXREDIRS, (long)MAX_REDIRECTIONS);
    SET(OPT_POST, 1L);
    SET(OPT_POSTREDIR, (long)REDIRECTED_POST_STAYS);
    SET(OPT_POSTFIELDS, post->body);
    SET(OPT_POSTFIELDSIZE, (long)post->size);
    SET(OPT_HTTPHEADER, headers);
    SET(OPT_USERAGENT, post->userAgent);
    SET(OPT_HTTP_VERSION, (long)HTTP_1_1);
    SET(OPT_FORBID_REUSE, 1L);
    SET(OPT_NOSIGNAL, 1L);
    SET(OPT_CONNECTTIMEOUT_MS, post->connectTimeout);
    SET(OPT_TIMEOUT_MS, post->timeout);
    SET(OPT_SSL_VERIFYPEER, 1L);
    SET(OPT_SSL_VERIFYHOST, (long)VERIFY_NAME);
    SET(OPT_SSLVERSION, (long)TLS_1_2);
    SET(OPT_WRITEFUNCTION, discard);
    SET(OPT_WRITEDATA, request);
#undef SET
    if (isComplete) {
        result->code = problem ? problem : perform(request, handle);
        library.easy_getinfo(handle, INFO_RESPONSE_CODE, &result->status);
        if (result->code != SWATCHCAM_CURL_OK && result->message[0] == 0)
            strncpy(result->message, library.easy_strerror(result->code), sizeof result->message - 1);
    }
    library.easy_cleanup(handle);
    library.slist_free_all(headers);
}
