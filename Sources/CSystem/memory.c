#define _GNU_SOURCE
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void mp_free(void *memory) { free(memory); }

void mp_wipe(void *memory, size_t bytes) { explicit_bzero(memory, bytes); }

static int64_t now(clockid_t clock) {
    struct timespec t;
    if (clock_gettime(clock, &t) != 0) return -1;
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t mp_clock_boot_ns(void) {
    int64_t t = now(CLOCK_BOOTTIME);
    return t >= 0 ? t : now(CLOCK_MONOTONIC);
}

int64_t mp_clock_unix_ns(void) { return now(CLOCK_REALTIME); }

static _Thread_local char last_error[512];
static _Thread_local char errno_text[128];

void mp_last_error_set(const char *text, size_t length) {
    if (length >= sizeof last_error) length = sizeof last_error - 1;
    memcpy(last_error, text, length);
    last_error[length] = 0;
}

const char *mp_last_error(void) { return last_error; }

const char *mp_errno_text(int error) { return strerror_r(error, errno_text, sizeof errno_text); }

/* O_NONBLOCK: a path that is a FIFO must not hold the caller. */
static int open_to_read(const char *path) { return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); }

static int check_regular(int fd, struct stat *status) {
    if (fstat(fd, status) != 0) return errno;
    if (S_ISDIR(status->st_mode)) return EISDIR;
    return S_ISREG(status->st_mode) ? 0 : EINVAL;
}

int mp_file_readable(const char *path) {
    struct stat status;
    int fd = open_to_read(path);
    if (fd < 0) return errno;
    int error = check_regular(fd, &status);
    close(fd);
    return error;
}

static int read_whole(int fd, size_t limit, uint8_t **bytes, size_t *length) {
    struct stat status;
    int error = check_regular(fd, &status);
    if (error) return error;
    if ((uint64_t)status.st_size > limit) return EFBIG;
    size_t size = (size_t)status.st_size, done = 0;
    uint8_t *memory = malloc(size + 1);
    if (!memory) return ENOMEM;
    while (done < size) {
        ssize_t n = read(fd, memory + done, size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            error = errno;
            free(memory);
            return error;
        }
        if (n == 0) break;
        done += (size_t)n;
    }
    memory[done] = 0;
    *bytes = memory;
    *length = done;
    return 0;
}

int mp_file_read(const char *path, size_t limit, uint8_t **bytes, size_t *length) {
    int fd = open_to_read(path);
    if (fd < 0) return errno;
    int error = read_whole(fd, limit, bytes, length);
    close(fd);
    return error;
}
