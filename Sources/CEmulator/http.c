#define _GNU_SOURCE
#include "cemulator.h"

#include <arpa/inet.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

struct emu_http {
    struct MHD_Daemon *daemon;
    emu_http_handler handler;
    void *context;
    size_t body_limit;
};

struct emu_http_request {
    struct MHD_Connection *connection;
    char *target;
    const char *method;
    bool begun, too_large, answered;
    uint8_t *body;
    size_t length, capacity;
};

static void *request_begins(void *context, const char *target, struct MHD_Connection *connection) {
    (void)context;
    emu_http_request *request = calloc(1, sizeof *request);
    if (!request) return NULL;
    request->connection = connection;
    request->target = strdup(target);
    return request;
}

static void request_ends(void *context, struct MHD_Connection *connection, void **slot, enum MHD_RequestTerminationCode how) {
    (void)context;
    (void)connection;
    (void)how;
    emu_http_request *request = *slot;
    if (!request) return;
    free(request->target);
    free(request->body);
    free(request);
    *slot = NULL;
}

static bool append(emu_http_request *request, const char *bytes, size_t count) {
    if (request->length + count > request->capacity) {
        size_t capacity = 2 * (request->length + count);
        uint8_t *body = realloc(request->body, capacity);
        if (!body) return false;
        request->body = body;
        request->capacity = capacity;
    }
    memcpy(request->body + request->length, bytes, count);
    request->length += count;
    return true;
}

static enum MHD_Result request_goes_on(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                                       const char *version, const char *upload, size_t *upload_size, void **slot) {
    (void)connection;
    (void)url;
    (void)version;
    emu_http *server = context;
    emu_http_request *request = *slot;
    if (!request || !request->target) return MHD_NO;
    request->method = method;
    if (!request->begun) {
        request->begun = true;
        return MHD_YES;
    }
    if (*upload_size > 0) {
        if (*upload_size > server->body_limit - request->length) request->too_large = true;
        if (!request->too_large && !append(request, upload, *upload_size)) return MHD_NO;
        *upload_size = 0;
        return MHD_YES;
    }
    server->handler(server->context, request);
    return request->answered ? MHD_YES : MHD_NO;
}

/* libmicrohttpd only asks for a client's certificate; this is before the handshake, where it can still be made a must. */
static void connection_begins(void *context, struct MHD_Connection *connection, void **slot, enum MHD_ConnectionNotificationCode code) {
    (void)context;
    (void)slot;
    if (code != MHD_CONNECTION_NOTIFY_STARTED) return;
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    if (!info) return;
    static gnutls_typed_vdata_st purpose = {.type = GNUTLS_DT_KEY_PURPOSE_OID, .data = (unsigned char *)(uintptr_t)GNUTLS_KP_TLS_WWW_CLIENT};
    gnutls_certificate_server_set_request(info->tls_session, GNUTLS_CERT_REQUIRE);
    gnutls_session_set_verify_cert2(info->tls_session, &purpose, 1, 0);
}

emu_http *emu_http_start(uint16_t port, size_t body_limit, const emu_tls *tls, emu_http_handler handler, void *context) {
    emu_http *server = calloc(1, sizeof *server);
    if (!server) return NULL;
    server->handler = handler;
    server->context = context;
    server->body_limit = body_limit;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct MHD_OptionItem secure[6] = {{MHD_OPTION_END, 0, NULL}};
    int count = 0;
    if (tls) {
        secure[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)tls->certificate};
        secure[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)tls->key};
        secure[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_PRIORITIES, 0, "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"};
        if (tls->client_ca) {
            secure[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_TRUST, 0, (void *)(uintptr_t)tls->client_ca};
            secure[count++] = (struct MHD_OptionItem){MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)connection_begins, NULL};
        }
        secure[count] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    }
    server->daemon = MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_THREAD_PER_CONNECTION | (tls ? MHD_USE_TLS : 0), port, NULL, NULL, request_goes_on, server,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_URI_LOG_CALLBACK, request_begins, NULL, MHD_OPTION_NOTIFY_COMPLETED,
        request_ends, NULL, MHD_OPTION_CONNECTION_LIMIT, 4096u, MHD_OPTION_THREAD_STACK_SIZE, (size_t)1 << 20, MHD_OPTION_ARRAY, secure,
        MHD_OPTION_END);
    if (server->daemon) return server;
    free(server);
    return NULL;
}

uint16_t emu_http_port(const emu_http *server) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

void emu_http_stop(emu_http *server) {
    MHD_stop_daemon(server->daemon);
    free(server);
}

const char *emu_http_method(const emu_http_request *request) { return request->method; }

const char *emu_http_target(const emu_http_request *request) { return request->target; }

const char *emu_http_header(const emu_http_request *request, const char *name) {
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

const uint8_t *emu_http_body(const emu_http_request *request, size_t *length) {
    *length = request->length;
    return request->body;
}

bool emu_http_body_too_large(const emu_http_request *request) { return request->too_large; }

int emu_http_socket(const emu_http_request *request) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

size_t emu_http_head_size(const emu_http_request *request) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

struct cut_body {
    size_t sent;
    char bytes[];
};

static ssize_t read_cut(void *context, uint64_t position, char *buffer, size_t size) {
    const struct cut_body *body = context;
    if (position >= body->sent) return MHD_CONTENT_READER_END_WITH_ERROR;
    size_t left = body->sent - (size_t)position, count = left < size ? left : size;
    memcpy(buffer, body->bytes + position, count);
    return (ssize_t)count;
}

static struct MHD_Response *cut_response(const void *body, size_t length, size_t sent) {
    struct cut_body *cut = malloc(sizeof *cut + sent);
    if (!cut) return NULL;
    cut->sent = sent;
    memcpy(cut->bytes, body, sent);
    struct MHD_Response *response = MHD_create_response_from_callback(length, 4096, read_cut, cut, free);
    if (!response) free(cut);
    return response;
}

void emu_http_answer(emu_http_request *request, unsigned status, const char *content_type, const char *retry_after,
                     const void *body, size_t length, size_t sent) {
    struct MHD_Response *response = sent < length
                                        ? cut_response(body, length, sent)
                                        : MHD_create_response_from_buffer(length, (void *)(uintptr_t)body, MHD_RESPMEM_MUST_COPY);
    if (!response) return;
    MHD_add_response_header(response, "Content-Type", content_type);
    if (retry_after) MHD_add_response_header(response, "Retry-After", retry_after);
    request->answered = MHD_queue_response(request->connection, status, response) == MHD_YES;
    MHD_destroy_response(response);
}
