/* libc for Swift modules that import neither Glibc nor Foundation: thin wrappers, no logic. */
#ifndef MP_SYSTEM_H
#define MP_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system_math.h"

/* ---- memory ---- */

void mp_free(void *memory);
/* Overwrites memory that held a secret; not optimised away. */
void mp_wipe(void *memory, size_t bytes);

/* ---- clocks, nanoseconds ---- */

/* CLOCK_BOOTTIME, which goes on while suspended; CLOCK_MONOTONIC where there is none. */
int64_t mp_clock_boot_ns(void);
/* CLOCK_REALTIME: since 1970 UTC. */
int64_t mp_clock_unix_ns(void);

/* ---- the calling thread's last error ---- */

/* Keeps at most 511 bytes of text for the calling thread. */
void mp_last_error_set(const char *text, size_t length);
const char *mp_last_error(void);
/* strerror_r into a thread-local buffer. */
const char *mp_errno_text(int error);

/* ---- locks and threads ---- */

/* A mutex with a condition variable on CLOCK_MONOTONIC. Never NULL: aborts when there is no memory, as Swift's own allocator does. */
typedef struct mp_lock mp_lock;
mp_lock *mp_lock_create(void);
void mp_lock_destroy(mp_lock *lock);
void mp_lock_acquire(mp_lock *lock);
void mp_lock_release(mp_lock *lock);
/* Waits for a signal with the lock held, at most so long (< 0: for ever). False when the time ran out. */
bool mp_lock_wait(mp_lock *lock, int64_t timeout_ns);
void mp_lock_signal_all(mp_lock *lock);

/* A number for the calling thread, different from every other living thread's. */
uintptr_t mp_thread_self(void);
/* Starts a thread with all signals blocked, a 256 KiB stack and a name of at most 15 bytes. 0, or an errno. */
int mp_thread_start(uintptr_t *thread, const char *name, void (*body)(void *), void *argument);
void mp_thread_join(uintptr_t thread);
void mp_thread_detach(uintptr_t thread);

/* Blocks SIGPIPE in the calling thread; gives a state for the second call, which drops a SIGPIPE raised meanwhile and restores. */
int mp_sigpipe_block(void);
void mp_sigpipe_restore(int state);

/* ---- the event loop ---- */

enum { MP_READABLE = 1, MP_WRITABLE = 2, MP_HANGUP = 4 };

typedef struct mp_ready {
    int fd;
    uint32_t events; /* MP_ bits */
} mp_ready;

int mp_epoll_create(void);
/* events 0 removes the descriptor. 0, or an errno. */
int mp_epoll_set(int epoll, int fd, uint32_t events);
/* How many are ready; at most capacity. timeout_ms < 0 waits for ever. */
int mp_epoll_wait(int epoll, mp_ready *ready, int capacity, int timeout_ms);
int mp_eventfd_create(void);
void mp_eventfd_signal(int fd);
/* Reads an eventfd or a timerfd until it is no longer readable. */
void mp_counter_drain(int fd);
/* A timer on the clock of mp_clock_boot_ns. */
int mp_timerfd_create(void);
/* Absolute; INT64_MAX disarms. */
void mp_timerfd_set(int fd, int64_t deadline_ns);
void mp_close(int fd);

/* ---- sockets ---- */

/* Room for a sockaddr_storage. */
typedef struct mp_address {
    uint32_t length;
    int32_t family;
    uint8_t bytes[128];
} mp_address;

/* getaddrinfo for TCP. numeric: never asks a name server, so never blocks. Gives the number of addresses, or a negative EAI_ code. */
int mp_resolve(const char *host, const char *port, bool numeric, mp_address *addresses, int capacity);
/* The text of a negative EAI_ code. */
const char *mp_resolve_text(int code);
/* A non-blocking, close-on-exec TCP socket with the connection under way. -1 and errno in *error when refused at once. */
int mp_socket_connect(const mp_address *address, int *error);
/* The outcome of a connection under way: 0 or an errno. */
int mp_socket_error(int fd);
/* recv; > 0 bytes, 0 orderly end, -1 nothing now, other negatives: minus an errno. */
intptr_t mp_socket_receive(int fd, void *buffer, size_t capacity);
/* send with MSG_NOSIGNAL; results as above. */
intptr_t mp_socket_send(int fd, const void *bytes, size_t length);

/* ---- files ---- */

/* Reads a regular file whole into memory for mp_free. 0, or an errno; EFBIG when longer than limit. */
int mp_file_read(const char *path, size_t limit, uint8_t **bytes, size_t *length);
/* 0 when a path is a regular file that can be opened for reading, or an errno. */
int mp_file_readable(const char *path);

/* ---- a directory for state; each gives 0 or an errno ---- */

/* Makes a directory of mode 0700, whatever the umask. Its parent must exist. */
int mp_directory_make(const char *path);
/* is_open_to_others: its group or everyone may write there. */
int mp_directory_check(const char *path, bool *is_open_to_others);
/* Waits until names made, changed and removed in it are on the disk. */
int mp_directory_sync(const char *path);
/* Makes an empty regular file unless there is one, of mode 0600 either way; never through a symbolic link. */
int mp_file_make_private(const char *path);
/* The same, and locks it without waiting: gives a descriptor to hold, or -1 and *error: 0 when somebody else, be it in this process, has locked it. */
int mp_file_lock(const char *path, int *error);
int mp_file_rename(const char *from, const char *to);

#endif
