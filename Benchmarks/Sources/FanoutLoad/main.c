// Runs many WebSocket clients in one thread, for fanout.py: connects them, lets them settle, measures for a while, and
// prints one line of JSON.
//
// FanoutLoad PORT PATH CLIENTS SETTLE WINDOW PID: SETTLE and WINDOW are in seconds, PID is the server's.
//
// It shares the processors with the server, so it uses as little CPU time as possible. The kernel stamps each message
// when it arrives at its socket (SO_TIMESTAMPNS), so it need not be read at once: after the first message of a burst
// the program sleeps until the others have arrived. Clients on other machines would not take the server's time either.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// BATCH is how many connections are opened at a time: a server's queue of pending connections is short.
enum { BATCH = 100, BUFFER = 4096, EVENTS = 4096, LINGER_MS = 50, PATIENCE_S = 30 };

typedef struct {
    int file;
    bool is_open;  // the server has agreed to speak WebSocket
    size_t count;  // bytes that wait in the buffer
    uint64_t sequence;
    unsigned char buffer[BUFFER];
} Client;

typedef struct {
    Client *clients;
    int epoll, open, lost;
    // The window, in seconds since the epoch; messages outside it do not count.
    double begin, end;
    float *delays;  // milliseconds
    size_t delivered, room;
    uint64_t missed, bytes;
} Load;

static void fail(const char *what) {
    fprintf(stderr, "FanoutLoad: %s: %s\n", what, errno ? strerror(errno) : "not as expected");
    exit(1);
}

static double seconds(struct timespec time) { return (double)time.tv_sec + (double)time.tv_nsec / 1e9; }

static double now(clockid_t clock) {
    struct timespec time;
    if (clock_gettime(clock, &time) != 0) fail("clock_gettime");
    return seconds(time);
}

static void lose(Load *load, Client *client) {
    if (client->file < 0) return;
    close(client->file);  // epoll forgets it
    load->open -= client->is_open;
    load->lost += 1;
    client->file = -1;
}

// MARK: Connecting

static void connect_client(Load *load, Client *client, uint16_t port, const char *path) {
    client->file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (client->file < 0) fail("socket");
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    if (connect(client->file, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    int on = 1;
    setsockopt(client->file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (setsockopt(client->file, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) != 0) fail("SO_TIMESTAMPNS");
    char request[512];
    int length = snprintf(
        request, sizeof request,
        "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
        path, port);
    if (send(client->file, request, (size_t)length, MSG_NOSIGNAL) != length) fail("send");
    if (fcntl(client->file, F_SETFL, O_NONBLOCK) != 0) fail("fcntl");
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
    if (epoll_ctl(load->epoll, EPOLL_CTL_ADD, client->file, &event) != 0) fail("epoll_ctl");
}

// Checks the response to the upgrade. Returns the number of its bytes in the buffer; 0 while it is incomplete.
static size_t finish_upgrade(Load *load, Client *client) {
    unsigned char *end = memmem(client->buffer, client->count, "\r\n\r\n", 4);
    if (!end) return 0;
    errno = 0;
    if (memcmp(client->buffer, "HTTP/1.1 101", 12) != 0) fail("the server's answer");
    client->is_open = true;
    load->open += 1;
    return (size_t)(end + 4 - client->buffer);
}

// MARK: Messages

// Seconds since the epoch of a text such as 2026-11-20T19:30:00.250Z; negative if it is not a time.
static double time_of(const char *text) {
    struct tm parts = {0};
    char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &parts);
    if (!rest || *rest != '.') return -1;
    return (double)timegm(&parts) + strtod(rest, NULL);
}

// Counts a reading. Its own sequence number comes last, after the frame's.
static void receive(Load *load, Client *client, const unsigned char *text, size_t length, double stamp) {
    static const char SEQUENCE[] = "\"sequence\":", TIME[] = "\"time\":\"";
    const unsigned char *place = text, *end = text + length, *found = NULL;
    while ((place = memmem(place, (size_t)(end - place), SEQUENCE, sizeof SEQUENCE - 1))) {
        place += sizeof SEQUENCE - 1;
        found = place;
    }
    const unsigned char *time = memmem(text, length, TIME, sizeof TIME - 1);
    errno = 0;
    if (!found || !time) fail("a message");
    uint64_t sequence = strtoull((const char *)found, NULL, 10);
    uint64_t gap = client->sequence ? sequence - client->sequence - 1 : 0;
    client->sequence = sequence;
    if (stamp < load->begin || stamp >= load->end) return;
    load->missed += gap;
    load->bytes += length;
    if (load->delivered == load->room) fail("more messages than expected");
    // All clients get the same text, so the date need not be parsed again.
    static char last[24];
    static double made_at;
    if (memcmp(last, time + sizeof TIME - 1, sizeof last) != 0) {
        memcpy(last, time + sizeof TIME - 1, sizeof last);
        made_at = time_of(last);
        if (made_at < 0) fail("a time");
    }
    load->delays[load->delivered++] = (float)((stamp - made_at) * 1000);
}

// Clients mask what they send (RFC 6455, 5.3) with an unpredictable number; here a simple generator will do.
static void pong(Load *load, Client *client, const unsigned char *payload, size_t length) {
    static uint32_t random = 2463534242;
    random ^= random << 13, random ^= random >> 17, random ^= random << 5;
    unsigned char frame[6 + 125] = {0x8A, (unsigned char)(0x80 | length)};
    memcpy(frame + 2, &random, 4);
    for (size_t index = 0; index < length; index++) frame[6 + index] = payload[index] ^ frame[2 + index % 4];
    if (send(client->file, frame, 6 + length, MSG_NOSIGNAL) < 0) lose(load, client);
}

// Handles the first frame in the buffer. Returns the number of its bytes; 0 while it is incomplete.
static size_t frame(Load *load, Client *client, const unsigned char *bytes, size_t count, double stamp) {
    if (count < 2) return 0;
    size_t header = 2, length = bytes[1] & 0x7F;
    errno = 0;
    if (length == 127 || bytes[1] & 0x80) fail("a frame");
    if (length == 126) {
        if (count < 4) return 0;
        header = 4;
        length = (size_t)bytes[2] << 8 | bytes[3];
    }
    if (header + length > BUFFER) fail("a frame");
    if (count < header + length) return 0;
    switch (bytes[0] & 0x0F) {
        case 0x1: receive(load, client, bytes + header, length, stamp); break;
        case 0x9: if (length <= 125) pong(load, client, bytes + header, length); break;
        case 0x8: lose(load, client); break;
        default: break;
    }
    return header + length;
}

static void read_client(Load *load, Client *client) {
    struct iovec room = {client->buffer + client->count, BUFFER - client->count};
    union { struct cmsghdr header; char bytes[CMSG_SPACE(sizeof(struct timespec))]; } control;
    struct msghdr message = {
        .msg_iov = &room, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t got = recvmsg(client->file, &message, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) return lose(load, client);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    struct timespec stamp;
    if (header && header->cmsg_type == SCM_TIMESTAMPNS)
        memcpy(&stamp, CMSG_DATA(header), sizeof stamp);
    else
        clock_gettime(CLOCK_REALTIME, &stamp);  // the kernel begins to stamp shortly after the first socket asks for it

    client->count += (size_t)got;
    size_t done = client->is_open ? 0 : finish_upgrade(load, client);
    if (!client->is_open) return;
    size_t taken;
    while (client->file >= 0
           && (taken = frame(load, client, client->buffer + done, client->count - done, seconds(stamp))))
        done += taken;
    client->count -= done;
    memmove(client->buffer, client->buffer + done, client->count);
}

// Reads what has arrived, after waiting for it for at most `wait` milliseconds.
static void poll_clients(Load *load, int wait) {
    static struct epoll_event events[EVENTS];
    int count = epoll_wait(load->epoll, events, EVENTS, wait);
    if (count < 0 && errno != EINTR) fail("epoll_wait");
    for (int index = 0; index < count; index++) read_client(load, events[index].data.ptr);
}

static void run(Load *load, double until) {
    int left;  // milliseconds
    struct epoll_event first;
    while ((left = (int)((until - now(CLOCK_REALTIME)) * 1000)) > 0) {
        if (epoll_wait(load->epoll, &first, 1, left) <= 0) continue;
        usleep((useconds_t)(left < LINGER_MS ? left : LINGER_MS) * 1000);
        poll_clients(load, 0);
    }
}

// MARK: Results

static int ascending(const void *a, const void *b) {
    float difference = *(const float *)a - *(const float *)b;
    return (difference > 0) - (difference < 0);
}

static double quantile(const Load *load, double part) {
    if (load->delivered == 0) return -1;
    size_t place = (size_t)(part * (double)load->delivered);
    return (double)load->delays[place < load->delivered ? place : load->delivered - 1];
}

// Resident memory in KiB, from /proc.
static long memory(pid_t pid) {
    char path[64], line[256];
    long size = -1;
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *status = fopen(path, "re");
    if (!status) fail(path);
    while (fgets(line, sizeof line, status)) sscanf(line, "VmRSS: %ld", &size);
    fclose(status);
    return size;
}

// Busy seconds, summed over all processors.
static double busy(void) {
    unsigned long long user, nice, system, idle, io, irq, softirq;
    FILE *stat = fopen("/proc/stat", "re");
    if (!stat || fscanf(stat, "cpu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle, &io, &irq, &softirq) != 7)
        fail("/proc/stat");
    fclose(stat);
    return (double)(user + nice + system + irq + softirq) / (double)sysconf(_SC_CLK_TCK);
}

int main(int count, char **arguments) {
    if (count != 7) {
        fprintf(stderr, "usage: FanoutLoad PORT PATH CLIENTS SETTLE WINDOW PID\n");
        return 64;
    }
    uint16_t port = (uint16_t)atoi(arguments[1]);
    int clients = atoi(arguments[3]);
    double settle = atof(arguments[4]), window = atof(arguments[5]);
    pid_t pid = atoi(arguments[6]);
    // The kernel's account of a process, to the nanosecond, including threads that have ended.
    clockid_t clock;
    if ((errno = clock_getcpuclockid(pid, &clock)) != 0) fail("clock_getcpuclockid");

    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);

    Load load = {.epoll = epoll_create1(EPOLL_CLOEXEC), .begin = 1e300, .end = 1e300};
    load.clients = calloc((size_t)clients + 1, sizeof *load.clients);
    // Room for far more than four a second: nothing is allocated during the measurement.
    load.room = (size_t)clients * (size_t)(window * 10 + 10);
    load.delays = malloc((load.room + 1) * sizeof *load.delays);
    if (load.epoll < 0 || !load.clients || !load.delays) fail("memory");
    memset(load.delays, 0, (load.room + 1) * sizeof *load.delays);

    double patience = now(CLOCK_MONOTONIC) + PATIENCE_S;
    for (int index = 0; index < clients; index++) {
        connect_client(&load, &load.clients[index], port, arguments[2]);
        while (load.open + load.lost <= index && ((index + 1) % BATCH == 0 || index + 1 == clients)) {
            errno = ETIMEDOUT;
            if (now(CLOCK_MONOTONIC) > patience) fail("connecting");
            poll_clients(&load, 100);
        }
    }
    run(&load, now(CLOCK_REALTIME) + settle);

    load.begin = now(CLOCK_REALTIME);
    load.end = load.begin + window;
    double server = now(clock), own = now(CLOCK_PROCESS_CPUTIME_ID), all = busy();
    run(&load, load.end);
    double elapsed = now(CLOCK_REALTIME) - load.begin;
    server = now(clock) - server, own = now(CLOCK_PROCESS_CPUTIME_ID) - own, all = busy() - all;
    long kibibytes = memory(pid);
    // Some messages that arrived before the end are still unread.
    poll_clients(&load, 0);

    qsort(load.delays, load.delivered, sizeof *load.delays, ascending);
    printf(
        "{\"clients\":%d,\"lost\":%d,\"delivered\":%zu,\"missed\":%llu,\"bytes\":%llu,\"p50\":%.3f,\"p99\":%.3f,"
        "\"max\":%.3f,\"seconds\":%.3f,\"cpu\":%.6f,\"own\":%.6f,\"busy\":%.2f,\"rss\":%ld}\n",
        load.open, load.lost, load.delivered, (unsigned long long)load.missed, (unsigned long long)load.bytes,
        quantile(&load, 0.5), quantile(&load, 0.99), quantile(&load, 1), elapsed, server, own, all, kibibytes);
    return 0;
}
