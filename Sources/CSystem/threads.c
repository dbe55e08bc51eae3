#define _GNU_SOURCE
#include "system.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

struct mp_lock {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
};

mp_lock *mp_lock_create(void) {
    mp_lock *lock = malloc(sizeof *lock);
    if (!lock) abort(); /* as Swift's own allocator does */
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&lock->mutex, NULL);
    pthread_cond_init(&lock->condition, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return lock;
}

void mp_lock_destroy(mp_lock *lock) {
    pthread_cond_destroy(&lock->condition);
    pthread_mutex_destroy(&lock->mutex);
    free(lock);
}

void mp_lock_acquire(mp_lock *lock) { pthread_mutex_lock(&lock->mutex); }

void mp_lock_release(mp_lock *lock) { pthread_mutex_unlock(&lock->mutex); }

bool mp_lock_wait(mp_lock *lock, int64_t timeout_ns) {
    if (timeout_ns < 0) return pthread_cond_wait(&lock->condition, &lock->mutex) == 0;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += timeout_ns / 1000000000;
    until.tv_nsec += timeout_ns % 1000000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec += 1;
        until.tv_nsec -= 1000000000;
    }
    return pthread_cond_timedwait(&lock->condition, &lock->mutex, &until) != ETIMEDOUT;
}

void mp_lock_signal_all(mp_lock *lock) { pthread_cond_broadcast(&lock->condition); }

uintptr_t mp_thread_self(void) { return (uintptr_t)pthread_self(); }

struct start {
    void (*body)(void *);
    void *argument;
};

static void *run(void *memory) {
    struct start start = *(struct start *)memory;
    free(memory);
    start.body(start.argument);
    return NULL;
}

int mp_thread_start(uintptr_t *thread, const char *name, void (*body)(void *), void *argument) {
    struct start *start = malloc(sizeof *start);
    if (!start) return ENOMEM;
    start->body = body;
    start->argument = argument;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 * 1024);
    /* The new thread inherits this mask, so that a host's signals never land in it. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t made;
    int error = pthread_create(&made, &attributes, run, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (error) {
        free(start);
        return error;
    }
    pthread_setname_np(made, name);
    *thread = (uintptr_t)made;
    return 0;
}

void mp_thread_join(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }

void mp_thread_detach(uintptr_t thread) { pthread_detach((pthread_t)thread); }

enum { WAS_BLOCKED = 1, WAS_PENDING = 2 };

int mp_sigpipe_block(void) {
    sigset_t pipe_only, before, pending;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    return (sigismember(&before, SIGPIPE) ? WAS_BLOCKED : 0) | (sigismember(&pending, SIGPIPE) ? WAS_PENDING : 0);
}

void mp_sigpipe_restore(int state) {
    sigset_t pipe_only;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    if (!(state & WAS_PENDING)) {
        struct timespec none = {0, 0};
        while (sigtimedwait(&pipe_only, NULL, &none) < 0 && errno == EINTR) {
        }
    }
    if (!(state & WAS_BLOCKED)) pthread_sigmask(SIG_UNBLOCK, &pipe_only, NULL);
}
