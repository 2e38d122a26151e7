#define _GNU_SOURCE
#include "CMosquitto.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// The public interface of libmosquitto 1.x and 2.x (SONAME 1), as far as it is used.
struct mosquitto;
struct mosquitto_message {
    int mid;
    char *topic;
    void *payload;
    int payloadlen;
    int qos;
    bool retain;
};
enum { LEVEL_WARNING = 4, LEVEL_ERROR = 8, LEVEL_DEBUG = 16 };
enum { OPTION_SYSTEM_CAS = 13 };

#define FUNCTIONS                                                                                                      \
    F(int, lib_init, (void))                                                                                           \
    F(int, lib_version, (int *, int *, int *))                                                                         \
    F(struct mosquitto *, new, (const char *, bool, void *))                                                           \
    F(void, destroy, (struct mosquitto *))                                                                             \
    F(int, will_set, (struct mosquitto *, const char *, int, const void *, int, bool))                                 \
    F(int, username_pw_set, (struct mosquitto *, const char *, const char *))                                          \
    F(int, tls_set,                                                                                                    \
      (struct mosquitto *, const char *, const char *, const char *, const char *,                                     \
       int (*)(char *, int, int, void *)))                                                                             \
    F(int, tls_insecure_set, (struct mosquitto *, bool))                                                               \
    F(int, tls_opts_set, (struct mosquitto *, int, const char *, const char *))                                        \
    F(int, int_option, (struct mosquitto *, int, int))                                                                 \
    F(int, connect_bind, (struct mosquitto *, const char *, int, int, const char *))                                   \
    F(int, disconnect, (struct mosquitto *))                                                                           \
    F(int, socket, (struct mosquitto *))                                                                               \
    F(int, loop_read, (struct mosquitto *, int))                                                                       \
    F(int, loop_write, (struct mosquitto *, int))                                                                      \
    F(int, loop_misc, (struct mosquitto *))                                                                            \
    F(bool, want_write, (struct mosquitto *))                                                                          \
    F(int, publish, (struct mosquitto *, int *, const char *, int, const void *, int, bool))                           \
    F(int, subscribe, (struct mosquitto *, int *, const char *, int))                                                  \
    F(int, unsubscribe, (struct mosquitto *, int *, const char *))                                                     \
    F(void, connect_callback_set, (struct mosquitto *, void (*)(struct mosquitto *, void *, int)))                     \
    F(void, publish_callback_set, (struct mosquitto *, void (*)(struct mosquitto *, void *, int)))                     \
    F(void, subscribe_callback_set,                                                                                    \
      (struct mosquitto *, void (*)(struct mosquitto *, void *, int, int, const int *)))                               \
    F(void, message_callback_set,                                                                                      \
      (struct mosquitto *, void (*)(struct mosquitto *, void *, const struct mosquitto_message *)))                    \
    F(void, log_callback_set, (struct mosquitto *, void (*)(struct mosquitto *, void *, int, const char *)))

static struct {
#define F(result, name, arguments) result(*name) arguments;
    FUNCTIONS
#undef F
} library;

struct swatchcam_mqtt {
    struct mosquitto *handle;
    swatchcam_mqtt_receive receive;
    void *context;
    int connack;
    uint64_t completed;
    char log[512];
    /// The connection to the broker, and this side of the pair of sockets whose other side the library has in its place;
    /// -1 if there is none.
    ///
    /// The library reads a packet of up to 256 MB in one go if the broker sends fast enough. So it gets a few bytes at a
    /// time, and the connection ends before a packet is too large.
    int network, inner;
    /// Whether the library may not have read all that it was given.
    bool hasUnread;
    /// Whether the broker has sent a message of QoS 2.
    bool hasQoS2;
    /// The numbers of the subscriptions that the broker has refused, as far as they were not taken yet: the library may
    /// read several packets at a time.
    int refused[8], refusedCount;
    /// The bytes that the library was given, and those at the time of the last complete packet.
    uint64_t given, givenAtPacket;
    /// What the library has sent, and the network has not taken yet.
    uint8_t out[4096];
    size_t outStart, outEnd;
};

static const char *load(void) {
    static bool isLoaded = false;
    static char reason[256];
    if (isLoaded) return NULL;
    void *file = dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL);
    const char *problem = file ? NULL : dlerror();
#define F(result, name, arguments)                                                                                     \
    if (!problem && !(library.name = (result(*) arguments)dlsym(file, "mosquitto_" #name))) problem = dlerror();
    FUNCTIONS
#undef F
    if (!problem && library.lib_init() != 0) problem = "it cannot be initialized";
    isLoaded = !problem;
    if (isLoaded) return NULL;
    strncpy(reason, problem, sizeof reason - 1);
    if (file) dlclose(file);
    return reason;
}

const char *swatchcam_mqtt_load(void) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    const char *reason = load();
    pthread_mutex_unlock(&mutex);
    return reason;
}

int swatchcam_mqtt_version(void) {
    int major, minor, revision;
    library.lib_version(&major, &minor, &revision);
    return (major * 1000 + minor) * 1000 + revision;
}

static void on_connect(struct mosquitto *handle, void *context, int code) {
    (void)handle;
    ((struct swatchcam_mqtt *)context)->connack = code;
}

static void on_publish(struct mosquitto *handle, void *context, int number) {
    (void)handle, (void)number;
    ((struct swatchcam_mqtt *)context)->completed++;
}

static void on_message(struct mosquitto *handle, void *context, const struct mosquitto_message *message) {
    (void)handle;
    struct swatchcam_mqtt *client = context;
    int error = errno;
    if (client->receive && message->topic)
        client->receive(client->context, message->topic, message->payload, message->payloadlen, message->retain);
    // errno tells the caller of loop_read whether the socket is empty.
    errno = error;
}

static void on_subscribe(struct mosquitto *handle, void *context, int number, int count, const int *granted) {
    (void)handle;
    struct swatchcam_mqtt *client = context;
    // MQTT 3.1.1, 3.9.3
    if (count > 0 && granted[0] >= 0x80 && client->refusedCount < 8) client->refused[client->refusedCount++] = number;
}

static void note(struct swatchcam_mqtt *client, const char *line) {
    size_t used = strlen(client->log), length = strnlen(line, sizeof client->log);
    if (used + length + 2 > sizeof client->log) return;
    memcpy(client->log + used, line, length);
    strcpy(client->log + used + length, "\n");
}

static void on_log(struct mosquitto *handle, void *context, int level, const char *line) {
    (void)handle;
    struct swatchcam_mqtt *client = context;
    int error = errno;
    // Such as "Client swatchcam_1 received PUBLISH (d0, q2, ...)", once for each packet that is complete.
    const char *packet = level == LEVEL_DEBUG ? strstr(line, " received ") : NULL;
    if (packet) {
        client->givenAtPacket = client->given;
        client->hasQoS2 |= strncmp(packet, " received PUBLISH (d", 20) == 0 && strncmp(packet + 21, ", q2", 4) == 0;
    }
    if (level == LEVEL_WARNING || level == LEVEL_ERROR) note(client, line);
    errno = error;
}

/// Passes on to the network what the library has sent, as far as the network takes it.
static void push(struct swatchcam_mqtt *client) {
    int error = errno;
    while (client->network >= 0) {
        if (client->outStart == client->outEnd) {
            ssize_t count = recv(client->inner, client->out, sizeof client->out, 0);
            if (count <= 0) break;
            client->outStart = 0;
            client->outEnd = (size_t)count;
        }
        ssize_t count =
            send(client->network, client->out + client->outStart, client->outEnd - client->outStart, MSG_NOSIGNAL);
        // An error is found again by reading.
        if (count < 0) break;
        client->outStart += (size_t)count;
    }
    errno = error;
}

/// Gives the library what has arrived, if it has read all that it was given before.
static void pull(struct swatchcam_mqtt *client) {
    uint8_t bytes[4096];
    if (client->hasUnread || client->network < 0) return;
    ssize_t count = recv(client->network, bytes, sizeof bytes, 0);
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
    if (count < 0 && errno == ECONNRESET) note(client, "Connection reset by peer");
    // The pair is empty, so it has room.
    if (count <= 0 || send(client->inner, bytes, (size_t)count, MSG_NOSIGNAL) != count)
        shutdown(client->inner, SHUT_WR);
    else
        client->given += (uint64_t)count;
    client->hasUnread = true;
}

/// Puts a pair of sockets between the library and the network. Returns 0, or -1 with errno set.
static int interpose(struct swatchcam_mqtt *client) {
    int pair[2], file = library.socket(client->handle);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0) return -1;
    client->network = fcntl(file, F_DUPFD_CLOEXEC, 3);
    bool isDone = client->network >= 0 && dup3(pair[0], file, O_CLOEXEC) == file;
    close(pair[0]);
    client->inner = pair[1];
    return isDone ? 0 : -1;
}

static int refuse_passphrase(char *buffer, int size, int isWriting, void *context) {
    (void)buffer, (void)size, (void)isWriting, (void)context;
    return 0;
}

struct swatchcam_mqtt *swatchcam_mqtt_new(const char *id) {
    struct swatchcam_mqtt *client = calloc(1, sizeof *client);
    if (!client) return NULL;
    client->connack = client->network = client->inner = -1;
    client->handle = library.new(id, true, client);
    if (!client->handle) {
        free(client);
        return NULL;
    }
    library.connect_callback_set(client->handle, on_connect);
    library.publish_callback_set(client->handle, on_publish);
    library.subscribe_callback_set(client->handle, on_subscribe);
    library.message_callback_set(client->handle, on_message);
    library.log_callback_set(client->handle, on_log);
    return client;
}

void swatchcam_mqtt_free(struct swatchcam_mqtt *client) {
    library.destroy(client->handle);
    if (client->inner >= 0) close(client->inner);
    if (client->network >= 0) close(client->network);
    free(client);
}

int swatchcam_mqtt_set_will(struct swatchcam_mqtt *client, const char *topic, const char *payload) {
    return library.will_set(client->handle, topic, (int)strlen(payload), payload, 1, true);
}

int swatchcam_mqtt_set_user(struct swatchcam_mqtt *client, const char *user, const char *password) {
    return library.username_pw_set(client->handle, user, password);
}

int swatchcam_mqtt_set_tls(
    struct swatchcam_mqtt *client, const char *ca, const char *certificate, const char *key, bool acceptsAnyName) {
    struct mosquitto *handle = client->handle;
    int code = 0;
    if (!ca) code = library.int_option(handle, OPTION_SYSTEM_CAS, 1);
    // tls_set requires a CA or a folder of them.
    if (!code && (ca || certificate))
        code = library.tls_set(handle, ca, ca ? NULL : "/etc/ssl/certs", certificate, key, refuse_passphrase);
    if (!code) code = library.tls_opts_set(handle, 1, "tlsv1.2", NULL);
    if (!code) code = library.tls_insecure_set(handle, acceptsAnyName);
    return code;
}

void swatchcam_mqtt_set_receiver(struct swatchcam_mqtt *client, swatchcam_mqtt_receive receive, void *context) {
    client->receive = receive;
    client->context = context;
}

int swatchcam_mqtt_connect(
    struct swatchcam_mqtt *client, const char *host, int port, int keepalive, const char *wildcardOfFamily) {
    errno = 0;
    int code = library.connect_bind(client->handle, host, port, keepalive, wildcardOfFamily);
    return code == 0 && interpose(client) != 0 ? SWATCHCAM_MQTT_ERRNO : code;
}

int swatchcam_mqtt_socket(struct swatchcam_mqtt *client) {
    return library.socket(client->handle) < 0 ? -1 : client->network;
}

int swatchcam_mqtt_read(struct swatchcam_mqtt *client, bool *hasMore) {
    pull(client);
    *hasMore = false;
    if (!client->hasUnread) return 0;
    errno = 0;
    int code = library.loop_read(client->handle, 1);
    client->hasUnread = *hasMore = code == 0 && errno != EAGAIN && errno != EWOULDBLOCK;
    push(client);
    return code;
}

/// Passes on what a function of the library has sent, and returns its code.
static int pushing(struct swatchcam_mqtt *client, int code) {
    push(client);
    return code;
}

int swatchcam_mqtt_write(struct swatchcam_mqtt *client) {
    push(client);
    return library.want_write(client->handle) ? pushing(client, library.loop_write(client->handle, 1)) : 0;
}

int swatchcam_mqtt_tend(struct swatchcam_mqtt *client) { return pushing(client, library.loop_misc(client->handle)); }

bool swatchcam_mqtt_wants_write(struct swatchcam_mqtt *client) {
    return client->outStart < client->outEnd || library.want_write(client->handle);
}

int swatchcam_mqtt_publish(
    struct swatchcam_mqtt *client, const char *topic, const uint8_t *payload, int size, int qos, bool isRetained) {
    return pushing(client, library.publish(client->handle, NULL, topic, size, payload, qos, isRetained));
}

int swatchcam_mqtt_subscribe(struct swatchcam_mqtt *client, const char *topic, int qos, int *number) {
    return pushing(client, library.subscribe(client->handle, number, topic, qos));
}

int swatchcam_mqtt_unsubscribe(struct swatchcam_mqtt *client, const char *topic) {
    return pushing(client, library.unsubscribe(client->handle, NULL, topic));
}

int swatchcam_mqtt_disconnect(struct swatchcam_mqtt *client) {
    return pushing(client, library.disconnect(client->handle));
}

bool swatchcam_mqtt_is_behind(const struct swatchcam_mqtt *client) { return client->outStart < client->outEnd; }
bool swatchcam_mqtt_has_qos2(const struct swatchcam_mqtt *client) { return client->hasQoS2; }
int swatchcam_mqtt_take_refused(struct swatchcam_mqtt *client) {
    return client->refusedCount > 0 ? client->refused[--client->refusedCount] : 0;
}

int swatchcam_mqtt_connack(const struct swatchcam_mqtt *client) { return client->connack; }
uint64_t swatchcam_mqtt_completed(const struct swatchcam_mqtt *client) { return client->completed; }
uint64_t swatchcam_mqtt_unfinished(const struct swatchcam_mqtt *client) { return client->given - client->givenAtPacket; }
const char *swatchcam_mqtt_log(const struct swatchcam_mqtt *client) { return client->log; }
