// The part of libcurl that Swatchcam uses. It is loaded when it is needed, so that the program runs without it.
#ifndef SWATCHCAM_CCURL_H
#define SWATCHCAM_CCURL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Codes of libcurl (curl.h: CURLcode), as far as they are told apart.
static const int SWATCHCAM_CURL_OK = 0;
static const int SWATCHCAM_CURL_UNSUPPORTED_PROTOCOL = 1;
static const int SWATCHCAM_CURL_NO_PROXY = 5;
static const int SWATCHCAM_CURL_NO_HOST = 6;
static const int SWATCHCAM_CURL_NO_CONNECTION = 7;
static const int SWATCHCAM_CURL_WRITE = 23;
static const int SWATCHCAM_CURL_NO_MEMORY = 27;
static const int SWATCHCAM_CURL_TIMEOUT = 28;
static const int SWATCHCAM_CURL_TLS = 35;
static const int SWATCHCAM_CURL_CANCELLED = 42;
static const int SWATCHCAM_CURL_REDIRECTS = 47;
static const int SWATCHCAM_CURL_EMPTY = 52;
static const int SWATCHCAM_CURL_CERTIFICATE = 60;

/// Loads libcurl, unless it is loaded. Returns NULL, or the reason why it cannot be loaded.
const char *swatchcam_curl_load(void);
/// Returns the version of the loaded library, as in "8.14.1".
const char *swatchcam_curl_version(void);

/// What is sent. Texts end with 0, and the pointers are used during the call only.
struct swatchcam_curl_post {
    const char *url;
    /// Whether the URL is that of HTTPS: a redirection may then lead to no other scheme, and otherwise only to HTTP.
    bool isEncrypted;
    /// The whole line of the header; NULL for none. It is not sent on to another host.
    const char *authorization;
    const char *userAgent;
    const uint8_t *body;
    size_t size;
    /// The maximum times to connect, and for everything together, in milliseconds.
    long connectTimeout, timeout;
};

/// How a request ended.
struct swatchcam_curl_result {
    int code;
    /// The status of the response; 0 if there was none.
    long status;
    /// What the library says, which may be empty.
    char message[256];
};

/// A request, which another thread may cancel.
struct swatchcam_curl;

/// Creates a request; NULL if there is no memory.
struct swatchcam_curl *swatchcam_curl_new(void);
/// Sends the request and reads the response, of which nothing but the status is kept.
void swatchcam_curl_post(
    struct swatchcam_curl *request, const struct swatchcam_curl_post *post, struct swatchcam_curl_result *result);
/// Ends ``swatchcam_curl_post`` soon, on whichever thread it runs.
void swatchcam_curl_cancel(struct swatchcam_curl *request);
void swatchcam_curl_free(struct swatchcam_curl *request);
#endif
