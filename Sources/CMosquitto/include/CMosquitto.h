// The part of libmosquitto that Swatchcam uses. It is loaded when it is needed, so that the program runs without it.
//
// What its callbacks report is kept in fields, because libmosquitto calls them only during the functions below. A client
// is used by one thread at a time.
#ifndef SWATCHCAM_CMOSQUITTO_H
#define SWATCHCAM_CMOSQUITTO_H
#include <stdbool.h>
#include <stdint.h>

// Codes that the functions return (mosquitto.h: enum mosq_err_t).
static const int SWATCHCAM_MQTT_PROTOCOL = 2;
static const int SWATCHCAM_MQTT_NOT_CONNECTED = 4;
static const int SWATCHCAM_MQTT_LOST = 7;
static const int SWATCHCAM_MQTT_TLS = 8;
static const int SWATCHCAM_MQTT_ERRNO = 14;
static const int SWATCHCAM_MQTT_KEEPALIVE = 19;

/// A message that was received; it is valid during the call only. The topic ends with 0.
typedef void (*swatchcam_mqtt_receive)(
    void *context, const char *topic, const uint8_t *payload, int size, bool isRetained);

/// A client of a broker.
struct swatchcam_mqtt;

/// Loads libmosquitto, unless it is loaded. Returns NULL, or the reason why it cannot be loaded.
const char *swatchcam_mqtt_load(void);
/// Returns the version of the loaded library, as in 2000011 for 2.0.11.
int swatchcam_mqtt_version(void);

/// Creates a client; NULL if there is no memory.
struct swatchcam_mqtt *swatchcam_mqtt_new(const char *id);
/// Closes the connection without a farewell, so that the broker publishes the will, and releases the client.
void swatchcam_mqtt_free(struct swatchcam_mqtt *client);

// What to set before the connection. Each returns 0 or a code.
int swatchcam_mqtt_set_will(struct swatchcam_mqtt *client, const char *topic, const char *payload);
int swatchcam_mqtt_set_user(struct swatchcam_mqtt *client, const char *user, const char *password);
/// Requires TLS 1.2 or later. Without a CA, the system's are used. An encrypted key is refused instead of asking the
/// terminal for its passphrase.
int swatchcam_mqtt_set_tls(
    struct swatchcam_mqtt *client, const char *ca, const char *certificate, const char *key, bool acceptsAnyName);
void swatchcam_mqtt_set_receiver(struct swatchcam_mqtt *client, swatchcam_mqtt_receive receive, void *context);

/// Connects, which blocks, and tries only addresses of one family.
/// Returns 0 or a code; for SWATCHCAM_MQTT_ERRNO, errno says more.
int swatchcam_mqtt_connect(
    struct swatchcam_mqtt *client, const char *host, int port, int keepalive, const char *wildcardOfFamily);
/// Returns the socket, or -1.
int swatchcam_mqtt_socket(struct swatchcam_mqtt *client);
/// Reads at most one packet. `hasMore` says whether there may be more without another poll(2): TLS has a buffer.
int swatchcam_mqtt_read(struct swatchcam_mqtt *client, bool *hasMore);
int swatchcam_mqtt_write(struct swatchcam_mqtt *client);
/// Sends pings and notices that they are not answered.
int swatchcam_mqtt_tend(struct swatchcam_mqtt *client);
bool swatchcam_mqtt_wants_write(struct swatchcam_mqtt *client);
int swatchcam_mqtt_publish(
    struct swatchcam_mqtt *client, const char *topic, const uint8_t *payload, int size, int qos, bool isRetained);
/// `number` becomes that of the subscription, at least 1.
int swatchcam_mqtt_subscribe(struct swatchcam_mqtt *client, const char *topic, int qos, int *number);
int swatchcam_mqtt_unsubscribe(struct swatchcam_mqtt *client, const char *topic);
/// Says farewell, so that the broker does not publish the will.
int swatchcam_mqtt_disconnect(struct swatchcam_mqtt *client);

/// Returns whether the network does not take what is sent.
bool swatchcam_mqtt_is_behind(const struct swatchcam_mqtt *client);
/// Returns whether the broker has sent a message of QoS 2. The library keeps such messages without limit, and no broker
/// sends them to a client that has not subscribed with QoS 2.
bool swatchcam_mqtt_has_qos2(const struct swatchcam_mqtt *client);
/// Returns the number of a subscription that the broker has refused, once for each; 0 if there is no other.
int swatchcam_mqtt_take_refused(struct swatchcam_mqtt *client);
/// Returns the code of CONNACK, or -1 if there was none.
int swatchcam_mqtt_connack(const struct swatchcam_mqtt *client);
/// Returns how many published messages the broker has, as far as it is known: those of QoS 1 when they are acknowledged.
uint64_t swatchcam_mqtt_completed(const struct swatchcam_mqtt *client);
/// Returns the bytes that the library was given since the last complete packet.
uint64_t swatchcam_mqtt_unfinished(const struct swatchcam_mqtt *client);
/// Returns the last warnings and errors that the library has logged, one on each line.
const char *swatchcam_mqtt_log(const struct swatchcam_mqtt *client);
#endif
