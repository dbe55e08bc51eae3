/* libcurl's multi interface behind a flat header: curl_easy_setopt is variadic, which Swift cannot call. */
#ifndef MP_CCURL_H
#define MP_CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- process-wide ---- */

/* curl_global_init, once in a process and from one thread at a time. 0, or a CURLcode. Never undone: the host may use curl too. */
int mp_curl_start(void);

/* ---- addresses ---- */

/* Splits a URL into scheme and host (lower case scheme; IPv6 without brackets). False when curl cannot read it. */
bool mp_curl_url_split(const char *url, char *scheme, size_t scheme_capacity, char *host, size_t host_capacity);

/* ---- transfers ---- */

typedef struct mp_easy mp_easy;

typedef struct mp_request {
    const char *method;
    const char *url;
    const char *body; /* JSON; NULL for none */
    size_t body_length;
    bool gzipped; /* the body */
    const char *bearer;  /* NULL for none */
    const char *ca_file; /* instead of the system's; NULL: those */
    const char *certificate_file, *key_file; /* of the client, PEM; NULL for none */
    const char *user_agent;
    int64_t timeout_ms;
    bool secure; /* https only; otherwise http only, and never through a proxy */
    /* Told of a line of the answer's head, and given a piece of its body; false ends the transfer. */
    bool (*receive_head)(void *user, size_t length);
    bool (*receive)(void *user, const uint8_t *bytes, size_t length);
    void *user;
} mp_request;

typedef struct mp_multi mp_multi;

/* For that multi handle alone. Copies everything. NULL when memory ran out. TLS 1.2 or newer, verified; no redirects, no signals. */
mp_easy *mp_easy_create(mp_multi *multi, const mp_request *request);
/* Overwrites the bearer token it held. */
void mp_easy_destroy(mp_easy *easy);
/* The HTTP status of the answer, 0 for none. */
int mp_easy_status(const mp_easy *easy);
/* Seconds from the Retry-After header, 0 for none; of a date, by the host's clock. */
int64_t mp_easy_retry_after(const mp_easy *easy);
/* The date in a header of the answer, seconds since 1970; -1 when there is none. */
int64_t mp_easy_date(const mp_easy *easy, const char *header);
/* What went wrong, in words, for the code that mp_multi_finished gave. */
const char *mp_easy_problem(const mp_easy *easy, int code);
bool mp_code_is_timeout(int code);
/* A certificate is not good, the server's or ours. */
bool mp_code_is_untrusted(int code);

/* What TCP has carried on a socket so far, TLS and retransmissions included. Left alone where the system does not tell. */
void mp_socket_traffic(int fd, uint64_t *sent, uint64_t *received);

/* ---- the multi handle ---- */

enum { MP_CURL_READABLE = 1, MP_CURL_WRITABLE = 2 };

typedef struct mp_multi_calls {
    void *user;
    void (*watch)(void *user, int fd, uint32_t events);   /* events 0: no longer */
    void (*timer)(void *user, int64_t timeout_ms);        /* call mp_multi_act(fd -1) after so long; -1: not at all */
    void (*socket_opened)(void *user, int fd);            /* which may outlive the transfer it was opened for */
    void (*socket_closing)(void *user, int fd);           /* still open while this runs */
} mp_multi_calls;

mp_multi *mp_multi_create(const mp_multi_calls *calls);
void mp_multi_destroy(mp_multi *multi);
bool mp_multi_add(mp_multi *multi, mp_easy *easy);
void mp_multi_remove(mp_multi *multi, mp_easy *easy);
/* Does what can be done without blocking. fd -1: the timer ran out. */
void mp_multi_act(mp_multi *multi, int fd, uint32_t events);
/* The next finished transfer, no longer in the multi handle, and its code (0: there is an answer). NULL when there is none. */
mp_easy *mp_multi_finished(mp_multi *multi, int *code);

#endif
