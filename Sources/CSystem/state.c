#define _GNU_SOURCE
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int mp_directory_make(const char *path) {
    if (mkdir(path, 0700) != 0) return errno;
    /* The umask may have taken bits away. */
    return chmod(path, 0700) == 0 ? 0 : errno;
}

int mp_directory_check(const char *path, bool *is_open_to_others) {
    struct stat status;
    if (stat(path, &status) != 0) return errno;
    if (!S_ISDIR(status.st_mode)) return ENOTDIR;
    *is_open_to_others = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
    return 0;
}

static int sync_and_close(int fd) {
    int error = fsync(fd) == 0 ? 0 : errno;
    close(fd);
    return error;
}

int mp_directory_sync(const char *path) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? errno : sync_and_close(fd);
}

static int open_private(const char *path, int *error) {
    struct stat status;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (fd < 0) {
        *error = errno;
        return -1;
    }
    *error = fstat(fd, &status) != 0 ? errno : !S_ISREG(status.st_mode) ? EINVAL : fchmod(fd, 0600) != 0 ? errno : 0;
    if (!*error) return fd;
    close(fd);
    return -1;
}

int mp_file_make_private(const char *path) {
    int error;
    int fd = open_private(path, &error);
    if (fd >= 0) close(fd);
    return error;
}

int mp_file_lock(const char *path, int *error) {
    int fd = open_private(path, error);
    if (fd < 0) return -1;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
    *error = errno == EWOULDBLOCK ? 0 : errno;
    close(fd);
    return -1;
}

int mp_file_rename(const char *from, const char *to) { return rename(from, to) == 0 ? 0 : errno; }
