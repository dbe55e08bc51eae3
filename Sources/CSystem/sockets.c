#define _GNU_SOURCE
#include "system.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int mp_resolve(const char *host, const char *port, bool numeric, mp_address *addresses, int capacity) {
    struct addrinfo hints, *found = NULL;
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = numeric ? AI_NUMERICHOST : AI_ADDRCONFIG;
    int code = getaddrinfo(host, port, &hints, &found);
    if (code != 0) return code;
    int n = 0;
    for (struct addrinfo *a = found; a && n < capacity; a = a->ai_next) {
        if (a->ai_addrlen > sizeof addresses[n].bytes) continue;
        addresses[n].length = a->ai_addrlen;
        addresses[n].family = a->ai_family;
        memcpy(addresses[n].bytes, a->ai_addr, a->ai_addrlen);
        n++;
    }
    freeaddrinfo(found);
    return n;
}

const char *mp_resolve_text(int code) { return gai_strerror(code); }

int mp_socket_connect(const mp_address *address, int *error) {
    int fd = socket(address->family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        *error = errno;
        return -1;
    }
    int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    if (connect(fd, (const struct sockaddr *)address->bytes, address->length) == 0 || errno == EINPROGRESS) return fd;
    *error = errno;
    close(fd);
    return -1;
}

int mp_socket_error(int fd) {
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

static intptr_t outcome(ssize_t n) {
    if (n >= 0) return n;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? -1 : -(intptr_t)(errno > 1 ? errno : EIO);
}

intptr_t mp_socket_receive(int fd, void *buffer, size_t capacity) { return outcome(recv(fd, buffer, capacity, 0)); }

intptr_t mp_socket_send(int fd, const void *bytes, size_t length) { return outcome(send(fd, bytes, length, MSG_NOSIGNAL)); }
