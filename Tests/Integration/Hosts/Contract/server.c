/* A small HTTP server: one thread, a few kept-alive connections, the same answer to everything. */
#include "contract.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 16, REQUEST_BYTES = 256 * 1024, HEARD_BYTES = 1024 * 1024 };

typedef struct connection {
    int fd; /* -1: free */
    size_t length;
    char *bytes;
} connection;

struct server {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    int listener, wake[2], status, requests;
    char url[64], headers[256], body[4096];
    char *heard;
    size_t heard_length;
    connection connections[CONNECTIONS];
};

static void answer(server *server, int fd) {
    char text[sizeof server->body + sizeof server->headers + 256];
    pthread_mutex_lock(&server->lock);
    int status = server->status;
    int length = snprintf(text, sizeof text,
                          "HTTP/1.1 %d x\r\nDate: Sat, 31 Jan 2026 12:00:00 GMT\r\nContent-Type: application/json\r\n%sContent-Length: %zu\r\n\r\n%s",
                          status, server->headers, strlen(server->body), server->body);
    pthread_mutex_unlock(&server->lock);
    /* A client that has gone is no concern of ours. */
    if (status != SERVER_MUTE && send(fd, text, (size_t)length, MSG_NOSIGNAL) < 0) return;
}

static void note(server *server, const char *bytes, size_t length) {
    pthread_mutex_lock(&server->lock);
    if (server->heard_length + length < HEARD_BYTES) {
        memcpy(server->heard + server->heard_length, bytes, length);
        server->heard_length += length;
        server->heard[server->heard_length] = 0;
    }
    server->requests++;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
}

/* The length of the whole request at the start of the bytes, or 0 while it is not all there. */
static size_t whole_request(const connection *c) {
    char *end = strstr(c->bytes, "\r\n\r\n");
    if (!end) return 0;
    const char *declared = strcasestr(c->bytes, "content-length:");
    size_t body = declared && declared < end ? strtoul(declared + 15, NULL, 10) : 0;
    size_t length = (size_t)(end - c->bytes) + 4 + body;
    return c->length >= length ? length : 0;
}

static void receive(server *server, connection *c) {
    ssize_t n = recv(c->fd, c->bytes + c->length, REQUEST_BYTES - 1 - c->length, 0);
    if (n <= 0) {
        close(c->fd);
        c->fd = -1;
        return;
    }
    c->length += (size_t)n;
    c->bytes[c->length] = 0;
    for (size_t length; (length = whole_request(c)) > 0;) {
        note(server, c->bytes, length);
        memmove(c->bytes, c->bytes + length, c->length - length + 1);
        c->length -= length;
        answer(server, c->fd);
    }
}

static void accept_one(server *server) {
    int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
    for (int i = 0; i < CONNECTIONS && fd >= 0; i++) {
        connection *c = &server->connections[i];
        if (c->fd >= 0) continue;
        c->fd = fd;
        c->length = 0;
        return;
    }
    if (fd >= 0) close(fd);
}

static void *serve(void *argument) {
    server *server = argument;
    for (;;) {
        struct pollfd polled[CONNECTIONS + 2] = {{server->wake[0], POLLIN, 0}, {server->listener, POLLIN, 0}};
        for (int i = 0; i < CONNECTIONS; i++) polled[i + 2] = (struct pollfd){server->connections[i].fd, POLLIN, 0};
        poll(polled, CONNECTIONS + 2, -1);
        if (polled[0].revents) return NULL;
        for (int i = 0; i < CONNECTIONS; i++)
            if (polled[i + 2].fd >= 0 && polled[i + 2].revents) receive(server, &server->connections[i]);
        if (polled[1].revents) accept_one(server);
    }
}

server *server_start(int status) {
    server *server = calloc(1, sizeof *server);
    CHECK(server && (server->heard = calloc(1, HEARD_BYTES)));
    for (int i = 0; i < CONNECTIONS; i++) {
        server->connections[i].fd = -1;
        CHECK(server->connections[i].bytes = malloc(REQUEST_BYTES));
    }
    pthread_mutex_init(&server->lock, NULL);
    pthread_cond_init(&server->changed, NULL);
    server_answer(server, status, "{}");
    struct sockaddr_in address = {0};
    socklen_t size = sizeof address;
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(bind(server->listener, (struct sockaddr *)&address, size) == 0 && listen(server->listener, 16) == 0);
    CHECK(getsockname(server->listener, (struct sockaddr *)&address, &size) == 0 && pipe2(server->wake, O_CLOEXEC) == 0);
    snprintf(server->url, sizeof server->url, "http://127.0.0.1:%d", ntohs(address.sin_port));
    CHECK(pthread_create(&server->thread, NULL, serve, server) == 0);
    return server;
}

const char *server_url(const server *server) { return server->url; }

void server_answer(server *server, int status, const char *body) {
    pthread_mutex_lock(&server->lock);
    server->status = status;
    snprintf(server->body, sizeof server->body, "%s", body);
    pthread_mutex_unlock(&server->lock);
}

void server_head(server *server, const char *headers) {
    pthread_mutex_lock(&server->lock);
    snprintf(server->headers, sizeof server->headers, "%s", headers);
    pthread_mutex_unlock(&server->lock);
}

int server_requests(server *server) {
    pthread_mutex_lock(&server->lock);
    int requests = server->requests;
    pthread_mutex_unlock(&server->lock);
    return requests;
}

void server_await(server *server, int requests, const char *file, int line) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 30;
    pthread_mutex_lock(&server->lock);
    int expired = 0;
    while (server->requests < requests && !expired) expired = pthread_cond_timedwait(&server->changed, &server->lock, &end) != 0;
    pthread_mutex_unlock(&server->lock);
    check_that(!expired, "the request comes", file, line);
}

int server_heard(server *server, const char *part) {
    pthread_mutex_lock(&server->lock);
    int heard = strstr(server->heard, part) != NULL;
    pthread_mutex_unlock(&server->lock);
    return heard;
}

void server_stop(server *server) {
    CHECK(write(server->wake[1], "", 1) == 1);
    pthread_join(server->thread, NULL);
    for (int i = 0; i < CONNECTIONS; i++) {
        if (server->connections[i].fd >= 0) close(server->connections[i].fd);
        free(server->connections[i].bytes);
    }
    close(server->listener);
    close(server->wake[0]);
    close(server->wake[1]);
    free(server->heard);
    free(server);
}
