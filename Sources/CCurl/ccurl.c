#define _GNU_SOURCE
#include "ccurl.h"

#include <curl/curl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_once_t started = PTHREAD_ONCE_INIT;
static CURLcode start_code;

static void start(void) { start_code = curl_global_init(CURL_GLOBAL_DEFAULT); }

int mp_curl_start(void) {
    pthread_once(&started, start);
    return (int)start_code;
}

static bool copy_part(CURLU *url, CURLUPart part, char *into, size_t capacity) {
    char *text = NULL;
    if (curl_url_get(url, part, &text, 0) != CURLUE_OK) return false;
    size_t length = strlen(text);
    bool bracketed = length >= 2 && text[0] == '[';
    int n = snprintf(into, capacity, "%.*s", (int)(bracketed ? length - 2 : length), bracketed ? text + 1 : text);
    curl_free(text);
    return n > 0 && (size_t)n < capacity;
}

bool mp_curl_url_split(const char *text, char *scheme, size_t scheme_capacity, char *host, size_t host_capacity) {
    CURLU *url = curl_url();
    bool good = url && curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK &&
                copy_part(url, CURLUPART_SCHEME, scheme, scheme_capacity) && copy_part(url, CURLUPART_HOST, host, host_capacity);
    curl_url_cleanup(url);
    return good;
}

struct mp_easy {
    CURL *curl;
    struct curl_slist *headers;
    bool (*receive_head)(void *user, size_t length);
    bool (*receive)(void *user, const uint8_t *bytes, size_t length);
    void *user;
    char problem[CURL_ERROR_SIZE];
};

struct mp_multi {
    CURLM *curl;
    mp_multi_calls calls;
};

static size_t received(char *bytes, size_t size, size_t count, void *context) {
    const mp_easy *easy = context;
    return easy->receive(easy->user, (const uint8_t *)bytes, size * count) ? size * count : 0;
}

static size_t received_head(char *bytes, size_t size, size_t count, void *context) {
    const mp_easy *easy = context;
    (void)bytes;
    return easy->receive_head(easy->user, size * count) ? size * count : 0;
}

static void wipe_headers(struct curl_slist *headers) {
    for (struct curl_slist *h = headers; h; h = h->next) explicit_bzero(h->data, strlen(h->data));
    curl_slist_free_all(headers);
}

static bool add_header(mp_easy *easy, const char *header) {
    struct curl_slist *longer = curl_slist_append(easy->headers, header);
    if (longer) easy->headers = longer;
    return longer != NULL;
}

static bool add_bearer(mp_easy *easy, const char *bearer) {
    char *header = NULL;
    if (asprintf(&header, "Authorization: Bearer %s", bearer) < 0) return false;
    bool good = add_header(easy, header);
    explicit_bzero(header, strlen(header));
    free(header);
    return good;
}

/* libcurl's own sockets stay open in what the host executes. */
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    const mp_multi *multi = context;
    (void)purpose;
    int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (fd >= 0) multi->calls.socket_opened(multi->calls.user, fd);
    return fd;
}

static int close_socket(void *context, curl_socket_t fd) {
    const mp_multi *multi = context;
    multi->calls.socket_closing(multi->calls.user, fd);
    return close(fd);
}

void mp_socket_traffic(int fd, uint64_t *sent, uint64_t *received) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    memset(&info, 0, sizeof info);
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return;
    *sent = info.tcpi_bytes_sent;
    *received = info.tcpi_bytes_received;
}

static void set_options(mp_easy *easy, mp_multi *multi, const mp_request *request) {
    CURL *curl = easy->curl;
    curl_easy_setopt(curl, CURLOPT_URL, request->url);
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request->method);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, easy->headers);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, request->user_agent);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)request->timeout_ms);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)request->timeout_ms);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, multi);
    curl_easy_setopt(curl, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
    curl_easy_setopt(curl, CURLOPT_CLOSESOCKETDATA, multi);
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, easy->problem);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, received);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, easy);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, received_head);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, easy);
    curl_easy_setopt(curl, CURLOPT_PRIVATE, easy);
    if (request->ca_file) {
        curl_easy_setopt(curl, CURLOPT_CAINFO, request->ca_file);
        curl_easy_setopt(curl, CURLOPT_CAPATH, NULL); /* the system's folder, where libcurl was built with one, would count besides */
    }
    if (request->certificate_file) {
        curl_easy_setopt(curl, CURLOPT_SSLCERT, request->certificate_file);
        curl_easy_setopt(curl, CURLOPT_SSLKEY, request->key_file);
        curl_easy_setopt(curl, CURLOPT_KEYPASSWD, ""); /* otherwise an encrypted key is asked for at the terminal, and waited for */
    }
    if (!request->secure) curl_easy_setopt(curl, CURLOPT_PROXY, "");
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, request->secure ? "https" : "http");
#else
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS, (long)(request->secure ? CURLPROTO_HTTPS : CURLPROTO_HTTP));
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
    /* A name server that never answers must not hold up stop(): do not wait for the resolver thread. */
    curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L);
#endif
    if (request->body) {
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
        curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, request->body);
    }
}

mp_easy *mp_easy_create(mp_multi *multi, const mp_request *request) {
    mp_easy *easy = calloc(1, sizeof *easy);
    if (!easy) return NULL;
    easy->receive_head = request->receive_head;
    easy->receive = request->receive;
    easy->user = request->user;
    easy->curl = curl_easy_init();
    bool good = easy->curl && add_header(easy, "Accept: application/json") && add_header(easy, "Expect:") &&
                (!request->body || add_header(easy, "Content-Type: application/json")) &&
                (!request->gzipped || add_header(easy, "Content-Encoding: gzip")) && (!request->bearer || add_bearer(easy, request->bearer));
    if (!good) {
        mp_easy_destroy(easy);
        return NULL;
    }
    set_options(easy, multi, request);
    return easy;
}

void mp_easy_destroy(mp_easy *easy) {
    if (!easy) return;
    curl_easy_cleanup(easy->curl);
    wipe_headers(easy->headers);
    free(easy);
}

int mp_easy_status(const mp_easy *easy) {
    long status = 0;
    curl_easy_getinfo(easy->curl, CURLINFO_RESPONSE_CODE, &status);
    return (int)status;
}

int64_t mp_easy_retry_after(const mp_easy *easy) {
    curl_off_t seconds = 0;
    curl_easy_getinfo(easy->curl, CURLINFO_RETRY_AFTER, &seconds);
    return (int64_t)seconds;
}

int64_t mp_easy_date(const mp_easy *easy, const char *header) {
#if LIBCURL_VERSION_NUM >= 0x075400
    struct curl_header *found;
    if (curl_easy_header(easy->curl, header, 0, CURLH_HEADER, -1, &found) == CURLHE_OK) return (int64_t)curl_getdate(found->value, NULL);
#else
    (void)easy;
    (void)header;
#endif
    return -1;
}

const char *mp_easy_problem(const mp_easy *easy, int code) {
    return easy->problem[0] ? easy->problem : curl_easy_strerror((CURLcode)code);
}

bool mp_code_is_timeout(int code) { return code == CURLE_OPERATION_TIMEDOUT; }

bool mp_code_is_untrusted(int code) {
    return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CERTPROBLEM || code == CURLE_SSL_CACERT_BADFILE ||
           code == CURLE_SSL_ISSUER_ERROR || code == CURLE_SSL_INVALIDCERTSTATUS;
}

static int socket_changed(CURL *easy, curl_socket_t fd, int what, void *context, void *per_socket) {
    (void)easy;
    (void)per_socket;
    const mp_multi *multi = context;
    uint32_t events = 0;
    if (what == CURL_POLL_IN || what == CURL_POLL_INOUT) events |= MP_CURL_READABLE;
    if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT) events |= MP_CURL_WRITABLE;
    multi->calls.watch(multi->calls.user, fd, events);
    return 0;
}

static int timer_changed(CURLM *curl, long timeout_ms, void *context) {
    (void)curl;
    const mp_multi *multi = context;
    multi->calls.timer(multi->calls.user, timeout_ms);
    return 0;
}

mp_multi *mp_multi_create(const mp_multi_calls *calls) {
    mp_multi *multi = calloc(1, sizeof *multi);
    if (!multi) return NULL;
    multi->calls = *calls;
    multi->curl = curl_multi_init();
    if (!multi->curl) {
        free(multi);
        return NULL;
    }
    curl_multi_setopt(multi->curl, CURLMOPT_SOCKETFUNCTION, socket_changed);
    curl_multi_setopt(multi->curl, CURLMOPT_SOCKETDATA, multi);
    curl_multi_setopt(multi->curl, CURLMOPT_TIMERFUNCTION, timer_changed);
    curl_multi_setopt(multi->curl, CURLMOPT_TIMERDATA, multi);
    curl_multi_setopt(multi->curl, CURLMOPT_MAXCONNECTS, 4L);
    return multi;
}

void mp_multi_destroy(mp_multi *multi) {
    if (!multi) return;
    curl_multi_cleanup(multi->curl);
    free(multi);
}

bool mp_multi_add(mp_multi *multi, mp_easy *easy) { return curl_multi_add_handle(multi->curl, easy->curl) == CURLM_OK; }

void mp_multi_remove(mp_multi *multi, mp_easy *easy) { curl_multi_remove_handle(multi->curl, easy->curl); }

void mp_multi_act(mp_multi *multi, int fd, uint32_t events) {
    int running, what = (events & MP_CURL_READABLE ? CURL_CSELECT_IN : 0) | (events & MP_CURL_WRITABLE ? CURL_CSELECT_OUT : 0);
    curl_multi_socket_action(multi->curl, fd < 0 ? CURL_SOCKET_TIMEOUT : fd, fd < 0 ? 0 : what, &running);
}

mp_easy *mp_multi_finished(mp_multi *multi, int *code) {
    int left;
    for (CURLMsg *message; (message = curl_multi_info_read(multi->curl, &left));) {
        if (message->msg != CURLMSG_DONE) continue;
        char *private = NULL;
        *code = (int)message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &private);
        mp_easy *easy = (mp_easy *)(void *)private;
        mp_multi_remove(multi, easy);
        return easy;
    }
    return NULL;
}
