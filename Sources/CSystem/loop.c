#define _GNU_SOURCE
#include "system.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int mp_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int mp_epoll_set(int epoll, int fd, uint32_t events) {
    if (events == 0) return epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL) == 0 || errno == ENOENT || errno == EBADF ? 0 : errno;
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.data.fd = fd;
    event.events = (events & MP_READABLE ? EPOLLIN | EPOLLRDHUP : 0u) | (events & MP_WRITABLE ? EPOLLOUT : 0u);
    if (epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event) == 0) return 0;
    if (errno != ENOENT) return errno;
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : errno;
}

int mp_epoll_wait(int epoll, mp_ready *ready, int capacity, int timeout_ms) {
    struct epoll_event events[32];
    int n = epoll_wait(epoll, events, capacity < 32 ? capacity : 32, timeout_ms);
    for (int i = 0; i < n; i++) {
        ready[i].fd = events[i].data.fd;
        ready[i].events = (events[i].events & EPOLLIN ? MP_READABLE : 0u) | (events[i].events & EPOLLOUT ? MP_WRITABLE : 0u) |
                          (events[i].events & (EPOLLHUP | EPOLLERR | EPOLLRDHUP) ? MP_HANGUP : 0u);
    }
    return n < 0 ? 0 : n;
}

int mp_eventfd_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void mp_eventfd_signal(int fd) {
    uint64_t one = 1;
    while (write(fd, &one, sizeof one) < 0 && errno == EINTR) {
    }
}

void mp_counter_drain(int fd) {
    uint64_t count;
    while (read(fd, &count, sizeof count) < 0 && errno == EINTR) {
    }
}

int mp_timerfd_create(void) {
    int fd = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    return fd >= 0 ? fd : timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
}

void mp_timerfd_set(int fd, int64_t deadline_ns) {
    struct itimerspec spec;
    memset(&spec, 0, sizeof spec);
    if (deadline_ns != INT64_MAX) {
        if (deadline_ns < 1) deadline_ns = 1; /* 0 would disarm */
        spec.it_value.tv_sec = deadline_ns / 1000000000;
        spec.it_value.tv_nsec = deadline_ns % 1000000000;
    }
    timerfd_settime(fd, TFD_TIMER_ABSTIME, &spec, NULL);
}

void mp_close(int fd) {
    if (fd >= 0) close(fd);
}
